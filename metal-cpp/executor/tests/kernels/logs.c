// SPDX-License-Identifier: MIT

// One that may write messages.
#define INFO_LOG 1
#include "kernel.h"

void metal_kernel(const metal_launch* launch, uint64_t first, uint64_t count, void* threadgroup_memory, void* scratch) {
    (void)launch, (void)first, (void)count, (void)threadgroup_memory, (void)scratch;
}
