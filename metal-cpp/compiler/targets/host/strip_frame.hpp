// SPDX-License-Identifier: MIT
//
// What a strip keeps while it waits at a barrier: finds the values that live across one, gives each a place, and makes
// the code that saves and restores them. Part of split_at_barriers.hpp.
//
// Every such value goes through a variable of its own (an alloca), written where it is defined, at each resumption
// restored from
//   - the frame, a record for each strip in scratch;
//   - a scalar of the group, where it is the same in all strips and they go the same way;
//   - a few instructions that compute it again.
// The variables become registers afterwards.

#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/IRBuilder.h>

#include <cstdint>
#include <functional>
#include <vector>

namespace metal_host {

class StripFrame {
public:
    /// `resumptions`: the blocks that start behind barriers. `isShared`: the same in all strips (none, if they may
    /// part).
    StripFrame(llvm::Function& function, llvm::ArrayRef<llvm::BasicBlock*> resumptions,
               const std::function<bool(const llvm::Value*)>& isShared);

    std::uint64_t size() const { return size_; }

    /// What a strip keeps in its frame across the barrier before `resumptions[index]`; whatever became of the code.
    struct Cost {
        std::uint64_t values = 0, bytes = 0;
    };
    Cost costOf(unsigned index) const;

    /// Moves variables in memory into the frame at `frame`, an address that dominates all uses, and has values written
    /// there where they are made: once, however many barriers they live across.
    void place(llvm::IRBuilder<>& builder, llvm::Value* frame);
    /// At the end of a piece that stops before `resumptions[index]`, and at that block's start.
    void save(llvm::IRBuilder<>& builder, unsigned index);
    void restore(llvm::IRBuilder<>& builder, unsigned index, llvm::Value* frame);
    /// Between two rounds: what strips agreed on in the last becomes what they start the next with.
    void agree(llvm::IRBuilder<>& builder);

private:
    struct Kept {
        llvm::Instruction* value = nullptr;
        llvm::AllocaInst* variable = nullptr;
        llvm::StoreInst* definition = nullptr;  // of the variable
        bool isComputedAgain = false;
        llvm::AllocaInst *agreed = nullptr, *next = nullptr;  // one for the group
        std::uint64_t offset = 0, size = 0;                   // in the frame
        std::vector<bool> liveAt;                             // by resumption
    };

    void findKept(llvm::ArrayRef<llvm::BasicBlock*> resumptions);
    bool findRecipe(llvm::Instruction* value, std::vector<llvm::Instruction*>& recipe) const;
    void computeAgain(Kept& kept, llvm::ArrayRef<llvm::Instruction*> recipe, llvm::BasicBlock* resumption);
    void demote(Kept& kept);
    std::uint64_t reserve(std::uint64_t bytes, llvm::Align align);
    llvm::AllocaInst* variable(llvm::Type* type, const llvm::Twine& name);
    llvm::Value* address(llvm::IRBuilder<>& builder, llvm::Value* frame, std::uint64_t offset);

    llvm::Function& function_;
    const llvm::DataLayout& layout_;
    std::vector<Kept> kept_;
    std::vector<std::pair<llvm::AllocaInst*, std::uint64_t>> memory_;
    std::uint64_t memorySize_ = 0, size_ = 0;
};

}  // namespace metal_host
