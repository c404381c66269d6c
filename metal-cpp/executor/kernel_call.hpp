// SPDX-License-Identifier: MIT
//
// Runs a kernel on the calling thread alone, to its end: how the stages of a render pass run their functions.

#pragma once

#include <cstdint>

#include "kernel_abi.h"

namespace metal_executor {

class Kernel;
struct ThreadState;

/// Runs invocations 0 ... count - 1 in one row. The thread must take part in something (TakingPart). `launch` needs no
/// sizes. False when it should stop, or the kernel was left before its end (takeFault()).
[[nodiscard]] bool callKernel(ThreadState& state, const Kernel& kernel, metal_launch& launch, std::uint32_t count);

}  // namespace metal_executor
