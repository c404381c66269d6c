// SPDX-License-Identifier: MIT
//
// How values and control differ between threads that run a function together: which values are the same in all of
// them, which grow by a constant from one to the next, which branches send them different ways, where they meet again.
// The threads are the lanes of one strip, or the strips of one threadgroup: the first facts come from the caller.
//
// Three ways a value comes to differ: from its operands; at a block where threads that parted meet (a phi then depends
// on the way each came); and after a loop that threads leave in different rounds.
// Needs what block_order.hpp needs, and loop-closed SSA form.

#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Function.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "lane_alignment.hpp"

namespace metal_host {

/// A value over the threads: uniform, first + i * stride, or anything.
/// An inexact stride holds unless the narrower number it was extended from wrapped around inside the strip; the
/// element of a buffer that such a lane would touch lies beyond any buffer, so addresses may rely on it and nothing
/// else.
struct Shape {
    enum Kind : std::uint8_t { unknown, strided, varying } kind = unknown;
    bool exact = true;
    std::int64_t stride = 0;

    static Shape uniform() { return {strided, true, 0}; }
    static Shape affine(std::int64_t stride, bool exact = true) { return {strided, exact || stride == 0, stride}; }
    static Shape any() { return {varying, true, 0}; }

    bool isUniform() const { return kind == strided && stride == 0; }
    bool isAffine() const { return kind == strided && stride != 0; }
    bool isVarying() const { return kind == varying; }
    bool operator==(const Shape&) const = default;
};

class Divergence {
public:
    /// What the caller knows of an instruction, or nothing.
    using Facts = std::function<std::optional<Shape>(const llvm::Instruction&)>;

    using Shapes = llvm::MapVector<const llvm::Value*, Shape>;

    /// `width`: of the strip whose lanes are analysed, where those are the threads; else 0.
    Divergence(llvm::Function& function, const llvm::LoopInfo& loops, const std::vector<llvm::BasicBlock*>& order,
               Facts facts, unsigned width = 0);

    Shape shape(const llvm::Value* value) const;
    bool isUniform(const llvm::Value* value) const { return shape(value).isUniform(); }
    /// Of an instruction, if values had the shapes in `instead` rather than their own.
    Shape shapeIf(llvm::Instruction& instruction, const Shapes& instead) const;
    /// Threads may leave the block by different edges.
    bool branches(const llvm::BasicBlock* block) const { return divergentBranches_.contains(block); }
    /// Threads may leave the loop in different rounds or by different exits.
    bool isDivergent(const llvm::Loop* loop) const { return divergentLoops_.contains(loop); }
    /// Some threads may run the block while others run another, or run it more often.
    bool isApart(const llvm::BasicBlock* block) const { return apart_.contains(block); }
    /// Threads that parted may meet here.
    bool joins(const llvm::BasicBlock* block) const { return joins_.contains(block); }

private:
    bool update(llvm::Instruction& instruction);
    Shape transfer(llvm::Instruction& instruction) const;
    Shape phi(const llvm::PHINode& phi) const;
    Shape address(const llvm::GetElementPtrInst& address) const;
    bool fitsAllLanes(const llvm::Value* value) const;
    unsigned laneBits(const llvm::Value* value) const;
    std::optional<Shape> splitFromLanes(const llvm::Instruction& instruction) const;
    void branch(llvm::BasicBlock* block);
    void diverge(const llvm::Loop* loop);
    void spread(const llvm::BasicBlock* origin, llvm::ArrayRef<llvm::BasicBlock*> seeds);

    llvm::Function& function_;
    const llvm::LoopInfo& loops_;
    const std::vector<llvm::BasicBlock*>& order_;
    Facts facts_;
    unsigned width_;
    mutable LaneAlignment alignment_;
    llvm::DenseMap<const llvm::BasicBlock*, unsigned> position_;
    llvm::DenseMap<const llvm::Value*, Shape> shapes_;
    llvm::DenseSet<const llvm::BasicBlock*> divergentBranches_, joins_, apart_;
    llvm::DenseSet<const llvm::Loop*> divergentLoops_;
    mutable const Shapes* instead_ = nullptr;
    bool changed_ = false;
};

}  // namespace metal_host
