// SPDX-License-Identifier: MIT
//
// For captures: who is told of each command of a command buffer as it runs.

#pragma once

#include <cstddef>

namespace metal_executor {

struct Fault;

/// Called on the thread that runs the stream, which may be another for each command, but never for two at a time. Must
/// not throw, nor wait for command buffers.
class Observer {
public:
    Observer() = default;
    Observer(const Observer&) = delete;
    Observer& operator=(const Observer&) = delete;
    virtual ~Observer() = default;

    /// `command` counts the commands in the order in which they were appended. Of a WaitEvent: the wait begins.
    virtual void begins(std::size_t command) = 0;

    /// `start` and `end` in seconds, as Times. Of a WaitEvent that is stopped this is never called.
    virtual void ended(std::size_t command, double start, double end, const Fault& fault) = 0;
};

}  // namespace metal_executor
