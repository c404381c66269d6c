// SPDX-License-Identifier: MIT

// Writes to the address that argument 0 holds in threadgroup number *argument 1; the other threadgroups loop until
// then.
#include "kernel.h"

void metal_kernel(const metal_launch* launch, uint64_t first, uint64_t count, void* threadgroup_memory, void* scratch) {
    (void)threadgroup_memory, (void)scratch;
    const uint64_t culprit = *(const uint64_t*)launch->arguments[1];
    for (uint64_t group = first; group < first + count; ++group) {
        if (group == culprit) **(volatile int**)launch->arguments[0] = 1;
        if (culprit < 1000) {
            for (;;) __asm__ volatile("");
        }
    }
}
