// SPDX-License-Identifier: MIT
//
// What a person may write at a place in a program: Clang's completer run over the same set-up as a compilation, its
// answer cut to what is Metal and told in Metal's words.

#pragma once

#include "frontend/invocation.hpp"
#include "protocol.hpp"

namespace metal_compiler {

class Session;

/// In `warm`, when it fits the request, as compileLibrary().
protocol::CompletionReply complete(const protocol::CompletionRequest& request, const TargetDescription& target,
                                   Session* warm = nullptr);

}  // namespace metal_compiler
