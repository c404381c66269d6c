// SPDX-License-Identifier: MIT
//
// How long a kernel can run at most, whatever it is given. A thread of the program may run what is known to end soon;
// other work could hold it up for ever.

#pragma once

#include <cstdint>

// A uint32_t that a kernel's shared object may export: instructions that one of its threads runs at most. 0, or no such
// symbol, where nobody knows.
#define METAL_KERNEL_MOST_STEPS_SYMBOL "metal_kernel_most_steps"

namespace metal_executor {

class Kernel;

/// Of one thread; 0: nobody knows.
std::uint32_t mostSteps(const Kernel& kernel);

}  // namespace metal_executor
