// SPDX-License-Identifier: MIT
//
// Metal source to bitcode, reflection and diagnostics.

#pragma once

#include <memory>
#include <string>

#include "frontend/invocation.hpp"
#include "protocol.hpp"

namespace metal_compiler {

class Session;

/// Call once, before the first session.
void initialiseFrontend();

/// Compiles in `warm`, a session that has read the headers and nothing else, when it fits the request; it is used up
/// then. `sourceName` is what messages call the program.
protocol::LibraryReply compileLibrary(const protocol::LibraryRequest& request, const TargetDescription& target,
                                      Session* warm = nullptr, const std::string& sourceName = "program_source");

}  // namespace metal_compiler
