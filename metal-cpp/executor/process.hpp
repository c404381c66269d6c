// SPDX-License-Identifier: MIT
//
// Which process this is, as forks go. What was made before a fork has no threads in the child, and its locks may be
// held by threads that don't exist there, so every object remembers its process and refuses work in another.

#pragma once

#include <cstdint>

namespace metal_executor {

/// A number that differs between a process and its forked children.
std::uint64_t thisProcess();

inline constexpr const char* forkedMessage =
    "the device was created before fork and cannot be used in the child process; create a new device there";

/// Functions called around fork(): `before` and `inParent` with the same locks, `inChild` in the new process.
/// Kept for the life of the process; called in reverse order of registration before, in order after.
void onFork(void (*before)(), void (*inParent)(), void (*inChild)());

}  // namespace metal_executor
