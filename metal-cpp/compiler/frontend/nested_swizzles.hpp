// SPDX-License-Identifier: MIT
//
// A swizzle of a swizzle, or a component of one by its number, is a place to write to in Metal, but the vectors of the
// standard headers read a copy first:
//
//   color.rgb.r = 1;   ->   color.r = 1;
//   v.zyx.xy += w;     ->   v.zy += w;
//   v.xyz[i] = 1;      ->   v[i] = 1;
//
// Done with tokens, before anything has a type, so only for a first name that no class of the program has a member of;
// what is left that would write to a copy is an error, never lost.

#pragma once

#include <clang/Lex/Token.h>
#include <llvm/ADT/ArrayRef.h>

#include <vector>

namespace clang {
class Preprocessor;
class PseudoObjectExpr;
}  // namespace clang

namespace metal_compiler {

class RuleReport;

/// The tokens with all of these joined. Before the token stage.
std::vector<clang::Token> joinSwizzles(llvm::ArrayRef<clang::Token> tokens, clang::Preprocessor& preprocessor);

/// Reports an assignment whose target is a copy.
void checkSwizzleTarget(const clang::PseudoObjectExpr* expression, RuleReport& report);

}  // namespace metal_compiler
