// SPDX-License-Identifier: MIT
//
// Makes a kernel's entry a strip function of one thread: what it asks of its surroundings by intrinsics becomes
// arithmetic on the strip's parameters, the launch record and the lane.
//
//   before:  __metal_index(thread_position_in_grid, 0)      after:  origin.x + group.x * threads.x + strip.x +
//   __metal_lane()
//            __metal_argument(2)                                    launch->arguments[2]
//            @tile, in threadgroup memory                           threadgroup_memory + offset
//
// After inlining (the intrinsics are called by helpers, too), before optimisation.

#pragma once

#include <llvm/IR/Function.h>
#include <llvm/Support/Error.h>

#include <cstdint>

namespace metal_host {

struct Context {
    llvm::Function* function = nullptr;   ///< takes `entry`'s place
    std::uint64_t threadgroupMemory = 0;  ///< bytes of the kernel's own threadgroup variables
    bool usesBarrier = false, usesSimdgroup = false, usesLog = false;
};

/// True when it matters which threads share a SIMD-group, so that strips of 32 lanes are best: they are SIMD-groups.
bool asksForSimdgroups(const llvm::Function& entry);

/// `laneMapping`: enum metal_lane_mapping. Calls of `__metal_argument` stay.
llvm::Expected<Context> lowerContext(llvm::Function& entry, unsigned laneMapping, unsigned width);

/// Makes loads of the calls of `__metal_argument` that optimisation has left, and notes their slots in
/// metal_kernel_info::used_slots.
void lowerArguments(llvm::Function& thread, llvm::MutableArrayRef<std::uint64_t> usedSlots);

}  // namespace metal_host
