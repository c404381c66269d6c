// SPDX-License-Identifier: MIT

// A fragment function that hands its first four inputs on as a colour.
#include "kernel.h"

void metal_kernel(const metal_launch* launch, uint64_t first, uint64_t count, void* threadgroup_memory, void* scratch) {
    (void)threadgroup_memory, (void)scratch;
    const uint64_t width = launch->threads_per_threadgroup[0];
    for (uint64_t i = first * width; i < (first + count) * width && i < launch->threads_per_grid[0]; ++i) {
        for (int k = 0; k < 4; ++k)
            ((float*)launch->stage->outputs[k])[i] = ((const float*)launch->stage->inputs[k])[i];
    }
}
