// SPDX-License-Identifier: MIT
//
// Short work is run by the thread that commits it: handing it over costs a few microseconds on both sides, and more
// where a thread must be woken. Which work is short enough depends on what the thread does next; that is said here and
// not in an argument, since Metal's commit has none.

#pragma once

#include <cstdint>
#include <vector>

#include "command.hpp"

namespace metal_executor {

class CommandBuffer;

/// What the thread that commits does next.
enum class Committer : std::uint8_t {
    /// It must get on: it only hands the commands over.
    leaves,
    /// Something else. It runs the commands itself where that takes less time than handing them over.
    goesOn,
    /// It waits for the end. It runs the commands itself where none can hold it up for longer than a person notices.
    waits,
};

/// Says what the calling thread does, while it lives; without one, it leaves.
class Committing {
public:
    explicit Committing(Committer committer) : before_(current_) { current_ = committer; }
    ~Committing() { current_ = before_; }
    Committing(const Committing&) = delete;
    Committing& operator=(const Committing&) = delete;

    static Committer current() { return current_; }

private:
    static inline thread_local constinit Committer current_ = Committer::leaves;
    const Committer before_;
};

/// Whether the commands are dispatches of kernels that were quick before and end soon whatever they are given, and
/// copies.
bool areShort(const std::vector<Command>& commands, Committer committer);

/// While it lives, the calling thread runs `commandBuffer` in Stream::committed() if nothing is in front of it there.
class RunsItself {
public:
    explicit RunsItself(const CommandBuffer* commandBuffer) { current_ = commandBuffer; }
    ~RunsItself() { current_ = nullptr; }
    RunsItself(const RunsItself&) = delete;
    RunsItself& operator=(const RunsItself&) = delete;

    static const CommandBuffer* current() { return current_; }

private:
    static inline thread_local constinit const CommandBuffer* current_ = nullptr;
};

}  // namespace metal_executor
