// SPDX-License-Identifier: MIT
//
// Methods qualified with an address space, `device T& operator[](size_t i) device`, by giving the method's type the
// space: overload resolution, `this` and what the method returns are then right.

#pragma once

#include <clang/Basic/SourceLocation.h>

#include "frontend/address_spaces.hpp"

namespace clang {
class CXXMethodDecl;
class Decl;
class Sema;
}  // namespace clang

namespace metal_compiler {

/// Does nothing when `declaration` is not a method.
void putMethodIntoSpace(clang::Sema& sema, clang::Decl* declaration, AddressSpace space, clang::SourceLocation place);

/// Whether the method was qualified with `thread`.
bool isThreadMethod(const clang::CXXMethodDecl* method);

}  // namespace metal_compiler
