// SPDX-License-Identifier: MIT
//
// A topological order of a reducible function's blocks (back edges apart) in which the blocks of each loop follow one
// another, the header first and the latch last. Widening runs divergent branches' blocks in this order.
// Needs loops in simplified form (one latch) and at most one returning block, which comes last.

#pragma once

#include <vector>

namespace llvm {
class BasicBlock;
class Function;
class LoopInfo;
}  // namespace llvm

namespace metal_host {

std::vector<llvm::BasicBlock*> orderBlocks(llvm::Function& function, const llvm::LoopInfo& loops);

}  // namespace metal_host
