// SPDX-License-Identifier: MIT

// The same, with a limit to how long it takes.
#include "who.c"

EXPORT const uint32_t metal_kernel_most_steps = 50;
