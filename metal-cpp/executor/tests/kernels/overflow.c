// SPDX-License-Identifier: MIT

// Fills the thread's stack.
#include "kernel.h"

static int __attribute__((noinline)) dig(volatile char* above, int depth) {
    volatile char here[2048];
    here[0] = *above;
    return depth == 0 ? here[0] : dig(here, depth - 1) + here[0];
}

void metal_kernel(const metal_launch* launch, uint64_t first, uint64_t count, void* threadgroup_memory, void* scratch) {
    (void)first, (void)count, (void)threadgroup_memory, (void)scratch;
    volatile char top = 0;
    *(int*)launch->arguments[0] = dig(&top, 1 << 30);
}
