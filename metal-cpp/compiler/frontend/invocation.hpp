// SPDX-License-Identifier: MIT
//
// A request's options as Clang's: the language mode that makes stock Clang a Metal compiler, and files served from
// memory.

#pragma once

#include <llvm/ADT/IntrusiveRefCntPtr.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <memory>
#include <string>

#include "protocol.hpp"

namespace clang {
class CompilerInvocation;
class DiagnosticsEngine;
}  // namespace clang

namespace metal_compiler {

/// What the front end must know of the machine that the IR is for; see targets/target.hpp.
struct TargetDescription {
    std::string triple, cpu, features;
};

/// Folders that exist in memory only.
inline constexpr const char* standardHeaderFolder = "/__metal__/include";
inline constexpr const char* requestHeaderFolder = "/__metal__/headers";

/// The options that a session is made with and that cannot change afterwards.
struct Mode {
    protocol::MathMode mathMode = protocol::MathMode::relaxed;
    bool preserveInvariance = false;
    bool keepsLines = false;
    bool operator==(const Mode&) const = default;
};
Mode modeOf(const protocol::CompileOptions& options);

std::shared_ptr<clang::CompilerInvocation> makeInvocation(const Mode& mode, const TargetDescription& target,
                                                          clang::DiagnosticsEngine& diagnostics);

/// A file system in memory that holds the standard headers.
llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> makeStandardHeaders();

/// Declarations that every program sees before its own: scalar types and the intrinsics that entries call.
std::string preludeText(const Mode& mode);

/// Metal's predefined macros and the request's own, as preprocessor lines.
std::string macroText(const protocol::CompileOptions& options);

}  // namespace metal_compiler
