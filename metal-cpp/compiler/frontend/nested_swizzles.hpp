// SPDX-License-Identifier: MIT
//
// A swizzle of a swizzle is a place to write to in Metal, but the vectors of the standard headers read a copy first:
//
//   color.rgb.r = 1;   ->   color.r = 1;
//   v.zyx.xy += w;     ->   v.zy += w;
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

/// The tokens with every such pair joined. Before the token stage.
std::vector<clang::Token> joinSwizzles(llvm::ArrayRef<clang::Token> tokens, clang::Preprocessor& preprocessor);

/// Reports an assignment whose target is a copy.
void checkSwizzleTarget(const clang::PseudoObjectExpr* expression, RuleReport& report);

}  // namespace metal_compiler
