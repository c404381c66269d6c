// SPDX-License-Identifier: MIT

// Writes the number of the thread that runs it to argument 0.
#include "kernel.h"

static long callingThread(void) {
    long number;
#if defined(__x86_64__)
    __asm__ volatile("syscall" : "=a"(number) : "a"(186L) : "rcx", "r11", "memory");
#else
    register long call __asm__("x8") = 178;
    register long result __asm__("x0");
    __asm__ volatile("svc #0" : "=r"(result) : "r"(call) : "memory");
    number = result;
#endif
    return number;
}

void metal_kernel(const metal_launch* launch, uint64_t first, uint64_t count, void* threadgroup_memory, void* scratch) {
    (void)first, (void)count, (void)threadgroup_memory, (void)scratch;
    *(long*)launch->arguments[0] = callingThread();
}
