// SPDX-License-Identifier: MIT
//
// What the machine and the control groups around this process leave it to use.

#pragma once

#include <cstdint>

namespace metal_executor {

/// Processors by affinity and by the CPU quota of any enclosing cgroup (version 1 or 2), at least 1.
unsigned usableProcessors();

/// The smaller of RAM and the memory limit of any enclosing cgroup, in bytes.
std::uint64_t usableMemory();

}  // namespace metal_executor
