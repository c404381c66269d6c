// SPDX-License-Identifier: MIT
//
// How a command buffer can fail while it runs, and the signal handlers that make it survivable.
//
// One mechanism serves faults and stopping alike: a signal reaches the thread that runs a kernel, its handler sees that
// the thread is inside one and jumps (siglongjmp) back to the dispatcher. Kernels pay nothing for it. A signal that
// finds its thread elsewhere goes to whatever handler was there before.

#pragma once

#include <cstdint>
#include <string>

namespace metal_executor {

enum class FaultKind : std::uint8_t {
    none,
    invalidAddress,      // SIGSEGV
    busError,            // SIGBUS, as from a mapped file that became shorter
    arithmetic,          // SIGFPE
    illegalInstruction,  // SIGILL
    stopped,             // CommandBuffer::stop()
    outOfMemory,         // no memory for a worker's scratch
    forked,              // made before a fork, used in the child
    hostError,           // a host function of the command buffer threw
    badDispatch,         // an indirect dispatch read sizes that the device doesn't allow
};

struct Fault {
    FaultKind kind = FaultKind::none;
    bool addressKnown = false;  // invalidAddress of a non-canonical address has none
    bool isWrite = false;
    std::uintptr_t address = 0;
    std::string kernel;   // empty: not in a kernel
    std::string message;  // one sentence for a person: kind, address, kernel

    explicit operator bool() const { return kind != FaultKind::none; }
};

/// Puts the handlers in place; called with every kernel that is loaded, so that handlers installed by others since
/// (Python's faulthandler) come after these and still get what isn't a kernel's. Cheap when nothing changed.
void installFaultHandlers();

}  // namespace metal_executor
