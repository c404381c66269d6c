// SPDX-License-Identifier: MIT

// values[1] = values[0] * 0.5, a denormal for the smallest normal number unless those are flushed.
#include "kernel.h"

void metal_kernel(const metal_launch* launch, uint64_t first, uint64_t count, void* threadgroup_memory, void* scratch) {
    (void)first, (void)count, (void)threadgroup_memory, (void)scratch;
    volatile float* values = launch->arguments[0];
    values[1] = values[0] * 0.5f;
}
