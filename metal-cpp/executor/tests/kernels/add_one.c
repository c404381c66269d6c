// SPDX-License-Identifier: MIT

// Adds 1 to element i of argument 0 for every thread i of a one-dimensional grid; argument 1 holds how many turns of an
// idle loop each thread makes. Checks what the dispatcher promises about its memory on the way.
#define INFO_SCRATCH 4096
#define INFO_THREADGROUP 256
#include "kernel.h"

void metal_kernel(const metal_launch* launch, uint64_t first, uint64_t count, void* threadgroup_memory, void* scratch) {
    uint32_t* values = launch->arguments[0];
    const uint32_t turns = *(const uint32_t*)launch->arguments[1];
    const uint32_t width = launch->threads_per_threadgroup[0];
    if (((uintptr_t)threadgroup_memory | (uintptr_t)scratch) % 64 != 0) return;
    ((volatile char*)scratch)[INFO_SCRATCH - 1] = 1;
    ((volatile char*)threadgroup_memory)[INFO_THREADGROUP - 1] = 1;
    for (uint64_t group = first; group < first + count; ++group) {
        for (uint32_t lane = 0; lane < width; ++lane) {
            const uint64_t i = group * width + lane;
            if (i >= launch->threads_per_grid[0]) break;
            for (volatile uint32_t turn = 0; turn < turns; ++turn) {
            }
            values[i] += 1;
        }
    }
}
