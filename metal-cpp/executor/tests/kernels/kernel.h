// SPDX-License-Identifier: MIT
//
// What every test kernel exports. INFO_... may be defined before inclusion.

#include "../../kernel_abi.h"

#define EXPORT __attribute__((visibility("default")))

#ifndef INFO_VERSION
#define INFO_VERSION metal_kernel_abi_version
#endif
#ifndef INFO_SCRATCH
#define INFO_SCRATCH 0
#endif
#ifndef INFO_THREADGROUP
#define INFO_THREADGROUP 0
#endif
#ifndef INFO_LOG
#define INFO_LOG 0
#endif

EXPORT const metal_kernel_info metal_kernel_info_value __asm__("metal_kernel_info") = {INFO_VERSION,
                                                                                       INFO_THREADGROUP,
                                                                                       INFO_SCRATCH,
                                                                                       metal_lanes_in_row,
                                                                                       16,
                                                                                       1024,
                                                                                       0,
                                                                                       0,
                                                                                       metal_stage_kernel,
                                                                                       0,
                                                                                       {~0ull, ~0ull, ~0ull, ~0ull},
                                                                                       INFO_LOG};

EXPORT void metal_kernel(const metal_launch* launch, uint64_t first, uint64_t count, void* threadgroup_memory,
                         void* scratch);
