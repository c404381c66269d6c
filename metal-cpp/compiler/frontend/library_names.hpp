// SPDX-License-Identifier: MIT
//
// What Metal's library declares, for a program that has not included it.

#pragma once

#include <llvm/ADT/StringRef.h>

namespace clang {
class ASTContext;
}

namespace metal_compiler {

/// Whether namespace `metal` or a macro has the name once <metal_stdlib> is included. `program`: what is being
/// compiled, whose target the headers are read for, at the first call.
bool isLibraryName(llvm::StringRef name, const clang::ASTContext& program);

}  // namespace metal_compiler
