// SPDX-License-Identifier: MIT

#include "block_order.hpp"

#include <llvm/ADT/DenseSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

namespace metal_host {
namespace {

using llvm::BasicBlock;
using llvm::Loop;

class Orderer {
public:
    explicit Orderer(const llvm::LoopInfo& loops) : loops_(loops) {}

    /// The blocks reachable from `entry` inside `loop` (null: the whole function), inner loops counting as one node.
    std::vector<BasicBlock*> order(BasicBlock* entry, const Loop* loop) {
        std::vector<BasicBlock*> nodes;  // in postorder; an inner loop stands there by its header
        llvm::DenseSet<BasicBlock*> seen;
        struct Frame {
            BasicBlock* node;
            std::vector<BasicBlock*> successors;
            std::size_t next = 0;
        };
        std::vector<Frame> stack;
        seen.insert(entry);
        stack.push_back({entry, successors(entry, loop)});
        while (!stack.empty()) {
            Frame& frame = stack.back();
            if (frame.next == frame.successors.size()) {
                nodes.push_back(frame.node);
                stack.pop_back();
                continue;
            }
            BasicBlock* successor = frame.successors[frame.next++];
            if (seen.insert(successor).second) stack.push_back({successor, successors(successor, loop)});
        }
        std::vector<BasicBlock*> blocks;
        for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
            const Loop* inner = innerLoop(*node, loop);
            if (!inner) {
                blocks.push_back(*node);
                continue;
            }
            std::vector<BasicBlock*> body = order(inner->getHeader(), inner);
            blocks.insert(blocks.end(), body.begin(), body.end());
        }
        return blocks;
    }

private:
    /// The loop directly inside `loop` that holds `block`.
    const Loop* innerLoop(BasicBlock* block, const Loop* loop) const {
        const Loop* inner = loops_.getLoopFor(block);
        if (inner == loop) return nullptr;
        while (inner->getParentLoop() != loop) inner = inner->getParentLoop();
        return inner;
    }

    /// Where control goes from a node, within `loop`, as nodes.
    std::vector<BasicBlock*> successors(BasicBlock* node, const Loop* loop) const {
        std::vector<BasicBlock*> result;
        auto add = [&](BasicBlock* target) {
            if (loop && (!loop->contains(target) || target == loop->getHeader())) return;
            const Loop* inner = innerLoop(target, loop);
            result.push_back(inner ? inner->getHeader() : target);
        };
        if (const Loop* inner = innerLoop(node, loop)) {
            llvm::SmallVector<BasicBlock*, 4> exits;
            inner->getExitBlocks(exits);
            for (BasicBlock* exit : exits) add(exit);
        } else {
            for (BasicBlock* successor : llvm::successors(node)) add(successor);
        }
        // Depth first reaches the first successor last in the reversed order; keep the source's order instead.
        std::reverse(result.begin(), result.end());
        return result;
    }

    const llvm::LoopInfo& loops_;
};

}  // namespace

std::vector<BasicBlock*> orderBlocks(llvm::Function& function, const llvm::LoopInfo& loops) {
    std::vector<BasicBlock*> blocks = Orderer(loops).order(&function.getEntryBlock(), nullptr);
    // Lanes that loop for ever must not be overtaken by the end of the function.
    std::stable_partition(blocks.begin(), blocks.end(),
                          [](BasicBlock* block) { return !llvm::isa<llvm::ReturnInst>(block->getTerminator()); });
    return blocks;
}

}  // namespace metal_host
