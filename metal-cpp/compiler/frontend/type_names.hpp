// SPDX-License-Identifier: MIT
//
// Types as a Metal programmer writes them: `device float4 *`, not `__global_device vec<float, 4> *`.

#pragma once

#include <llvm/ADT/StringRef.h>

#include <string>

namespace clang {
class ASTContext;
class DiagnosticsEngine;
class QualType;
}  // namespace clang

namespace metal_compiler {

/// Makes diagnostics name types so. Call after Sema is made, which sets its own way.
void useMetalTypeNames(clang::DiagnosticsEngine& diagnostics, clang::ASTContext& context);

/// Clang's text for types, put in Metal's words.
std::string inMetalWords(llvm::StringRef text);

std::string metalTypeName(clang::QualType type, const clang::ASTContext& context);

}  // namespace metal_compiler
