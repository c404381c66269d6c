// SPDX-License-Identifier: MIT
//
// What a vertex or fragment function asks of its stage, by intrinsics, becomes loads and stores of columns
// (metal_stage in kernel_abi.h), and a fragment's coverage becomes a variable:
//
//   before:  __metal_stage_input(place, 3, f32)    after:  *place = stage->inputs[3][thread]
//            __metal_discard_fragment()                    coverage = 0
//            *buffer = x                                   if (coverage != 0) *buffer = x
//            return                                        stage->remaining_coverage[thread] = coverage; return
//
// After inlining, before lower_context, which gives __metal_index and __metal_stage their meaning.

#pragma once

#include <llvm/IR/Function.h>
#include <llvm/Support/Error.h>

#include <cstdint>

namespace metal_host {

struct StageFacts {
    std::uint32_t stage = 0;         ///< enum metal_kernel_stage
    std::uint32_t fragmentUses = 0;  ///< enum metal_fragment_uses
};

llvm::Expected<StageFacts> lowerStage(llvm::Function& entry);

/// `ptr @__metal_stage()`: the launch's metal_stage, between lower_stage and lower_context.
inline constexpr const char* stageIntrinsic = "__metal_stage";

/// `float @__metal_dfdx_f32(float)` and its like: differences inside a quad, until widening.
inline constexpr const char* derivativePrefix = "__metal_dfd";

}  // namespace metal_host
