// SPDX-License-Identifier: MIT
//
// A first compilation that nobody asked for. What LLVM and the loader do once in a process (symbols bound at their
// first call, the processor's tables, pages of code read) is done in the service then, and each child it forks begins
// with it.

#pragma once

#include "frontend/invocation.hpp"
#include "targets/target.hpp"

namespace metal_compiler {

/// Compiles a kernel that has a little of everything, and forgets it.
void rehearse(Target& target, const TargetDescription& description);

}  // namespace metal_compiler
