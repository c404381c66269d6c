// SPDX-License-Identifier: MIT
//
// What Metal's library declares, for a program that has not included it.

#pragma once

#include <llvm/ADT/StringRef.h>

namespace clang {
class ASTContext;
}

namespace metal_compiler {

class Session;

/// Of a session that has read <metal_stdlib> and lasts: nobody reads the headers for their names again.
void takeLibraryNamesFrom(Session& session);

/// Whether namespace `metal` or a macro has the name once <metal_stdlib> is included. `program`: what is being
/// compiled, whose target the headers are read for at the first call, if nobody has.
bool isLibraryName(llvm::StringRef name, const clang::ASTContext& program);

}  // namespace metal_compiler
