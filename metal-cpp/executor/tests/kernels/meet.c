// SPDX-License-Identifier: MIT

// Each threadgroup waits until all have started, which takes as many threads as there are threadgroups.
#include "kernel.h"

void metal_kernel(const metal_launch* launch, uint64_t first, uint64_t count, void* threadgroup_memory, void* scratch) {
    (void)first, (void)threadgroup_memory, (void)scratch;
    uint32_t* started = launch->arguments[0];
    __atomic_fetch_add(started, (uint32_t)count, __ATOMIC_RELAXED);
    while (__atomic_load_n(started, __ATOMIC_RELAXED) < launch->threadgroups_per_grid[0]) {
    }
}
