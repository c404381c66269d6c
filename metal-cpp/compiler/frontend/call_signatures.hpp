// SPDX-License-Identifier: MIT
//
// The ways in which a function may be called, as Metal's specification writes them: `T mix(T x, T y, T a)` and not the
// template that our headers make of it.

#pragma once

#include <clang/Sema/CodeCompleteConsumer.h>
#include <llvm/ADT/ArrayRef.h>

#include <vector>

#include "protocol.hpp"

namespace metal_compiler {

/// Of Clang's candidates, which come best first. `argument`: the one that the place is in.
std::vector<protocol::Signature> callSignatures(
    clang::Sema& sema, unsigned argument, llvm::ArrayRef<clang::CodeCompleteConsumer::OverloadCandidate> candidates,
    bool braced, clang::CodeCompletionAllocator& allocator, clang::CodeCompletionTUInfo& information);

}  // namespace metal_compiler
