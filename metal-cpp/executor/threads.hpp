// SPDX-License-Identifier: MIT
//
// Starting the executor's own threads.

#pragma once

#include <functional>

namespace metal_executor {

/// A detached thread that leaves the program's signals (Python's SIGINT among them) to the program's threads.
/// Throws std::system_error when the system has no more threads.
void startThread(const char* name, std::function<void()> function);

/// Takes the calling thread off `processor` if it is there and may use another; where it goes later is the system's
/// affair.
void leaveProcessor(int processor);

}  // namespace metal_executor
