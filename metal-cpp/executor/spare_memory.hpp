// SPDX-License-Identifier: MIT
//
// Memory that was freed a moment ago, for the next one of its size: a program that uploads frame after frame would have
// the system fetch and clear pages for each, which takes longer than the copying. The system may take pages back from
// here whenever it is short of them.

#pragma once

#include <cstdint>

namespace metal_executor {

/// While it lives, the calling thread fills all memory that it allocates, which may then hold anything at first.
/// Without one, new memory holds zeros and is the system's.
class FillsMemory {
public:
    FillsMemory() : before_(current_) { current_ = true; }
    ~FillsMemory() { current_ = before_; }
    FillsMemory(const FillsMemory&) = delete;
    FillsMemory& operator=(const FillsMemory&) = delete;

    static bool current() { return current_; }

private:
    static inline thread_local constinit bool current_ = false;
    const bool before_;
};

/// What is kept at most, in bytes: 256 MiB, or a 32nd of memoryLimit() if that is less.
std::uint64_t mostSpareBytes();

/// Keeps a mapping of this process, letting go of older ones for it. False: too small or too large to keep, the caller
/// still has it.
bool keepSpare(void* address, std::uint64_t mapped);

/// A mapping of just so many bytes, with any contents; null: there is none.
void* takeSpare(std::uint64_t mapped);

/// Gives everything back. True when there was something.
bool dropSpares();

}  // namespace metal_executor
