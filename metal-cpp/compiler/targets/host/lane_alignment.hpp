// SPDX-License-Identifier: MIT
//
// Of a number that grows by a constant from lane to lane: what lane 0's is a multiple of. Strips start at multiples of
// their width, so in `thread_index_in_threadgroup` the lanes are the low bits, and shifts, masks and comparisons know
// what becomes of them:
//
//   i / 32, i < 64  the same in all lanes        i % 32  the lane
//
// Divergence asks for this; needs nothing but the function.

#pragma once

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Value.h>

#include <functional>

namespace metal_host {

class LaneAlignment {
public:
    /// `isLane`: tells the instructions that give a lane's number.
    LaneAlignment(const llvm::DataLayout& layout, std::function<bool(const llvm::Instruction&)> isLane)
        : layout_(layout), isLane_(std::move(isLane)) {}

    /// Lane 0's value is a multiple of two to this power.
    unsigned zeros(const llvm::Value* value);

private:
    unsigned find(const llvm::Value* value, unsigned depth);

    const llvm::DataLayout& layout_;
    std::function<bool(const llvm::Instruction&)> isLane_;
    llvm::SmallPtrSet<const llvm::Value*, 8> open_;  ///< phis on the way to what is asked for
};

}  // namespace metal_host
