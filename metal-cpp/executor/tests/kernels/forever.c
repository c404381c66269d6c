// SPDX-License-Identifier: MIT

// Counts its starts in argument 0, then loops for ever.
#include "kernel.h"

void metal_kernel(const metal_launch* launch, uint64_t first, uint64_t count, void* threadgroup_memory, void* scratch) {
    (void)first, (void)count, (void)threadgroup_memory, (void)scratch;
    __atomic_fetch_add((uint32_t*)launch->arguments[0], 1, __ATOMIC_RELAXED);
    for (;;) __asm__ volatile("");
}
