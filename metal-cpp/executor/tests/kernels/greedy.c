// SPDX-License-Identifier: MIT

// Wants more scratch than there is.
#define INFO_SCRATCH (UINT64_C(1) << 60)
#include "kernel.h"

void metal_kernel(const metal_launch* launch, uint64_t first, uint64_t count, void* threadgroup_memory, void* scratch) {
    (void)launch, (void)first, (void)count, (void)threadgroup_memory, (void)scratch;
}
