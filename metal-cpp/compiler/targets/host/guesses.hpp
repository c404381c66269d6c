// SPDX-License-Identifier: MIT
//
// What addresses would be if the lanes of a strip stayed inside some bound, which nearly all strips do:
//
//   x = clamp(i + d, 0, n - 1)     i + d, unless the strip lies at an edge
//   x = i == 0 ? n - 1 : i - 1     i - 1, unless lane 0 is there
//   i / n, i % n                   the same in all lanes, and counting up, unless a multiple of n lies between them
//
// A block whose gathers would be vector loads then gets two versions, and asks at its head which one holds: a question
// about the first and the last lane, that is, two scalars (widen_guesses.cpp).
//
// Needs Divergence of the lanes of a strip. After what it reads is in its final form, before values get slots.

#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Instructions.h>

#include <optional>
#include <vector>

#include "divergence.hpp"
#include "private_memory.hpp"

namespace metal_host {

/// One block's guesses and what follows from them.
struct GuessPlan {
    /// Of values that are not so for certain.
    Divergence::Shapes shapes;
    /// To be asked at the block's head: comparisons, which come out `true` or `false` in all lanes; operations that
    /// leave their first operand as it is, or keep the lanes together (the flag says nothing of these).
    llvm::MapVector<llvm::Instruction*, bool> guesses;
    /// Truth values that are the same in all lanes, guessed or made of guessed ones.
    llvm::DenseMap<const llvm::Value*, bool> truths;
    /// The value that a selection or an operation hands on.
    llvm::DenseMap<const llvm::Value*, llvm::Value*> forwarded;
    /// What must be at hand before the question, operands first.
    llvm::SetVector<llvm::Instruction*> order;
    /// Values of other blocks among its operands.
    llvm::SetVector<llvm::Value*> outside;
};

class Guesses {
public:
    Guesses(const Divergence& divergence, const PrivateMemory& privateMemory, const llvm::DataLayout& layout,
            unsigned width)
        : divergence_(divergence), privateMemory_(privateMemory), layout_(layout), width_(width) {}

    /// Nothing where no access gets better.
    std::optional<GuessPlan> plan(llvm::BasicBlock& block);

private:
    bool gains(llvm::Instruction& access);
    Shape guess(llvm::Value* value, unsigned depth);
    Shape guessOperation(llvm::Instruction& operation, unsigned depth);
    Shape guessSelection(llvm::SelectInst& selection, unsigned depth);
    bool require(llvm::Value* condition, bool truth, unsigned depth);
    bool requireComparison(llvm::ICmpInst& comparison, bool truth, unsigned depth);
    bool isBounded(const llvm::Value* value, const Shape& of) const;
    bool need(llvm::Value* value);
    bool needAll();

    const Divergence& divergence_;
    const PrivateMemory& privateMemory_;
    const llvm::DataLayout& layout_;
    unsigned width_;
    llvm::BasicBlock* block_ = nullptr;
    GuessPlan plan_;
    llvm::DenseSet<const llvm::Value*> hopeless_;
};

}  // namespace metal_host
