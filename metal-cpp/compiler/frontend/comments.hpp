// SPDX-License-Identifier: MIT
//
// What a program says of its functions.

#pragma once

#include <string>

namespace clang {
class FunctionDecl;
class Sema;
}  // namespace clang

namespace metal_compiler {

/// The comment above a function or above the template it comes from, without its signs; empty where there is none.
std::string commentAbove(const clang::FunctionDecl& function, clang::Sema& sema);

}  // namespace metal_compiler
