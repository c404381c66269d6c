// SPDX-License-Identifier: MIT
//
// Messages from kernels on the host: each thread reserves its record by itself. A thread can be stopped anywhere, so
// nothing here locks, and a record counts only once its format is there.

#include <kernel_abi.h>

#define CONSTANT __attribute__((address_space(6)))

extern "C" {

metal_log* __metal_log_buffer();

/// Called by one lane after the other, so a strip's messages come in the order of its threads.
void __metal_slow_log(metal_log* log, uint32_t level, const char* subsystem, const char* category, const char* format,
                      const uint64_t* slots, uint32_t count) {
    if (!log || level < log->least_level) return;
    const uint64_t size = sizeof(metal_log_record) + uint64_t(count) * sizeof(uint64_t);
    const uint64_t at = __atomic_fetch_add(&log->used, size, __ATOMIC_RELAXED);
    if (at + size > log->capacity) {
        __atomic_fetch_add(&log->lost, uint64_t(1), __ATOMIC_RELAXED);
        return;
    }
    auto* record = reinterpret_cast<metal_log_record*>(log->bytes + at);
    record->size = uint32_t(size);
    record->level = level;
    record->subsystem = subsystem;
    record->category = category;
    for (uint32_t slot = 0; slot < count; ++slot) record->slots[slot] = slots[slot];
    record->format = format;
}

__attribute__((always_inline)) void __metal_log(uint32_t level, CONSTANT const char* subsystem,
                                                CONSTANT const char* category, CONSTANT const char* format,
                                                const uint64_t* slots, uint32_t count) {
    __metal_slow_log(__metal_log_buffer(), level, (const char*)subsystem, (const char*)category, (const char*)format,
                     slots, count);
}

}  // extern "C"
