// SPDX-License-Identifier: MIT

#include "divergence.hpp"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <map>

#include "shared_routines.hpp"

namespace metal_host {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Loop;
using llvm::Value;

Divergence::Divergence(llvm::Function& function, const llvm::LoopInfo& loops, const std::vector<BasicBlock*>& order,
                       Facts facts, unsigned width)
    : function_(function),
      loops_(loops),
      order_(order),
      facts_(std::move(facts)),
      width_(width),
      alignment_(function.getDataLayout(), [this](const Instruction& instruction) {
          std::optional<Shape> fact = facts_(instruction);
          return fact && *fact == Shape::affine(1);
      }) {
    for (unsigned index = 0; index < order.size(); ++index) position_[order[index]] = index;
    do {
        changed_ = false;
        for (BasicBlock* block : order) {
            for (Instruction& instruction : *block) changed_ |= update(instruction);
        }
    } while (changed_);
    for (auto& [value, shape] : shapes_) {
        if (shape.kind == Shape::unknown) shape = Shape::any();
    }
}

Shape Divergence::shape(const Value* value) const {
    if (!llvm::isa<Instruction>(value)) {
        auto* parameter = llvm::dyn_cast<llvm::Argument>(value);
        return parameter && parameter->hasAttribute(differsAttribute) ? Shape::any() : Shape::uniform();
    }
    if (instead_) {
        if (auto found = instead_->find(value); found != instead_->end()) return found->second;
    }
    auto found = shapes_.find(value);
    return found == shapes_.end() ? Shape() : found->second;
}

Shape Divergence::shapeIf(Instruction& instruction, const Shapes& instead) const {
    instead_ = &instead;
    Shape found = transfer(instruction);
    instead_ = nullptr;
    return found.kind == Shape::unknown ? Shape::any() : found;
}

bool Divergence::update(Instruction& instruction) {
    if (instruction.isTerminator()) {
        if (instruction.getNumSuccessors() > 1 && !branches(instruction.getParent()) &&
            (shape(instruction.getOperand(0)).isVarying() || shape(instruction.getOperand(0)).isAffine())) {
            branch(instruction.getParent());
            return true;
        }
        return false;
    }
    Shape found = transfer(instruction);
    Shape& known = shapes_[&instruction];
    if (found == known || found.kind == Shape::unknown || known.isVarying()) return false;
    if (known.kind == Shape::unknown) {
        known = found;
    } else if (found.kind == Shape::strided && found.stride == known.stride) {
        if (!known.exact) return false;
        known.exact = found.exact;
    } else {
        known = Shape::any();
    }
    return true;
}

Shape Divergence::transfer(Instruction& instruction) const {
    if (std::optional<Shape> fact = facts_(instruction)) return *fact;
    if (auto* node = llvm::dyn_cast<llvm::PHINode>(&instruction)) return phi(*node);

    bool allUniform = true;
    for (Value* operand : instruction.operands()) {
        Shape of = shape(operand);
        if (of.kind == Shape::unknown) return {};
        allUniform &= of.isUniform();
    }
    if (allUniform)
        return instruction.isAtomic() && !llvm::isa<llvm::LoadInst>(instruction) ? Shape::any() : Shape::uniform();

    auto affine = [](std::int64_t stride, bool exact) { return Shape::affine(stride, exact); };
    auto operand = [&](unsigned index) { return shape(instruction.getOperand(index)); };
    auto constant = [&](unsigned index) -> std::optional<std::int64_t> {
        auto* number = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(index));
        if (!number || number->getBitWidth() > 64) return std::nullopt;
        return number->getSExtValue();
    };
    if (std::optional<Shape> found = splitFromLanes(instruction)) return *found;
    llvm::Type* type = instruction.getType();
    if (!type->isIntegerTy() && !type->isPointerTy()) return Shape::any();
    for (unsigned index = 0; index < instruction.getNumOperands(); ++index) {
        if (operand(index).isVarying()) return Shape::any();
    }
    switch (instruction.getOpcode()) {
        case Instruction::Add:
            return affine(operand(0).stride + operand(1).stride, operand(0).exact && operand(1).exact);
        case Instruction::Sub:
            return affine(operand(0).stride - operand(1).stride, operand(0).exact && operand(1).exact);
        case Instruction::Or:
            if (!llvm::cast<llvm::PossiblyDisjointInst>(instruction).isDisjoint()) return Shape::any();
            return affine(operand(0).stride + operand(1).stride, operand(0).exact && operand(1).exact);
        case Instruction::Mul:
            if (auto factor = constant(1)) return affine(operand(0).stride * *factor, operand(0).exact);
            return Shape::any();
        case Instruction::Shl:
            if (auto count = constant(1); count && *count >= 0 && *count < 32) {
                return affine(operand(0).stride * (std::int64_t(1) << *count), operand(0).exact);
            }
            return Shape::any();
        case Instruction::Trunc: {
            if (type->isIntegerTy(1)) return Shape::any();
            return operand(0);
        }
        case Instruction::ZExt:
        case Instruction::SExt:
            if (!fitsAllLanes(instruction.getOperand(0))) return Shape::any();
            // No lane's low bits carry over into a wrap-around.
            return affine(operand(0).stride, laneBits(instruction.getOperand(0)) != 0);
        case Instruction::PtrToInt:
        case Instruction::IntToPtr:
        case Instruction::AddrSpaceCast:
        case Instruction::Freeze:
            return operand(0);
        case Instruction::Select:
            if (operand(0).isUniform() && operand(1).stride == operand(2).stride) {
                return affine(operand(1).stride, operand(1).exact && operand(2).exact);
            }
            return Shape::any();
        case Instruction::GetElementPtr:
            return address(llvm::cast<llvm::GetElementPtrInst>(instruction));
        default:
            return Shape::any();
    }
}

/// That a number of at least 32 bits holds all that differs between the lanes, so that it wraps around once in a strip
/// at most.
bool Divergence::fitsAllLanes(const Value* value) const {
    unsigned bits = value->getType()->getIntegerBitWidth();
    std::uint64_t largest = llvm::maxUIntN(std::min(bits, 64U));
    return bits >= 32 && std::uint64_t(std::abs(shape(value).stride)) <= largest / std::max(width_, 32U);
}

/// The low bits that hold all of what differs between the lanes of an affine value; 0 where they hold more, because
/// lane 0's value is not 0 there.
unsigned Divergence::laneBits(const Value* value) const {
    Shape of = shape(value);
    if (!width_ || !of.isAffine() || !of.exact || of.stride < 0) return 0;
    if (value->getType()->isIntegerTy() && !fitsAllLanes(value)) return 0;
    unsigned bits = llvm::Log2_64(std::uint64_t(of.stride) * (width_ - 1)) + 1;
    return alignment_.zeros(value) >= bits ? bits : 0;
}

/// Operations that keep the lanes' bits and the others of a number apart.
std::optional<Shape> Divergence::splitFromLanes(const Instruction& instruction) const {
    auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&instruction);
    if (!compare && instruction.getOpcode() != Instruction::And && instruction.getOpcode() != Instruction::LShr)
        return std::nullopt;
    unsigned bits = laneBits(instruction.getOperand(0));
    if (bits == 0 || !shape(instruction.getOperand(1)).isUniform()) return std::nullopt;
    if (compare) {
        // The bound is none that lies between the lanes.
        auto predicate = compare->getPredicate();
        bool splits = predicate == llvm::CmpInst::ICMP_ULT || predicate == llvm::CmpInst::ICMP_UGE ||
                      predicate == llvm::CmpInst::ICMP_SLT || predicate == llvm::CmpInst::ICMP_SGE;
        if (splits && alignment_.zeros(instruction.getOperand(1)) >= bits) return Shape::uniform();
        return std::nullopt;
    }
    auto* number = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(1));
    if (!number || number->getBitWidth() > 64) return std::nullopt;
    std::uint64_t constant = number->getZExtValue();
    std::int64_t stride = shape(instruction.getOperand(0)).stride;
    unsigned below = unsigned(llvm::countr_zero(std::uint64_t(stride)));  // bits that are 0 in all lanes
    if (instruction.getOpcode() == Instruction::LShr) {
        if (constant >= bits) return Shape::uniform();
        if (constant <= below) return Shape::affine(stride >> constant);
        return std::nullopt;
    }
    std::uint64_t lanes = ((std::uint64_t(1) << bits) - 1) >> below << below;
    if ((constant & lanes) == 0) return Shape::uniform();
    if ((constant & lanes) == lanes) return Shape::affine(stride);
    return std::nullopt;
}

Shape Divergence::address(const llvm::GetElementPtrInst& address) const {
    const llvm::DataLayout& layout = function_.getDataLayout();
    Shape result = shape(address.getPointerOperand());
    for (auto step = llvm::gep_type_begin(address); step != llvm::gep_type_end(address); ++step) {
        Shape index = shape(step.getOperand());
        if (index.isUniform()) continue;
        if (step.getOperand()->getType()->getIntegerBitWidth() != 64) index.exact = false;
        result.stride +=
            index.stride * static_cast<std::int64_t>(step.getSequentialElementStride(layout).getFixedValue());
        result.exact &= index.exact;
    }
    return Shape::affine(result.stride, result.exact);
}

Shape Divergence::phi(const llvm::PHINode& phi) const {
    const BasicBlock* block = phi.getParent();
    Shape result;
    const Value* only = phi.getIncomingValue(0);
    for (const llvm::Use& use : phi.incoming_values()) {
        if (use.get() != only) only = nullptr;
        Shape of = shape(use.get());
        if (of.kind == Shape::unknown) continue;
        if (result.kind == Shape::unknown) {
            result = of;
        } else if (of.isVarying() || of.stride != result.stride) {
            result = Shape::any();
        } else {
            result.exact &= of.exact;
        }
    }
    if (!joins(block) || result.kind == Shape::unknown) return result;
    if (!only) return Shape::any();
    // One value whatever the way here; but each thread took it in its own round when it comes from inside a divergent
    // loop.
    auto* from = llvm::dyn_cast<Instruction>(only);
    for (const BasicBlock* predecessor : llvm::predecessors(block)) {
        for (const Loop* left = loops_.getLoopFor(predecessor); left && !left->contains(block);
             left = left->getParentLoop()) {
            if (isDivergent(left) && from && left->contains(from->getParent())) return Shape::any();
        }
    }
    return result;
}

void Divergence::branch(BasicBlock* block) {
    divergentBranches_.insert(block);
    llvm::SmallVector<BasicBlock*, 2> seeds(llvm::successors(block));
    spread(block, seeds);
}

void Divergence::diverge(const Loop* loop) {
    if (!divergentLoops_.insert(loop).second) return;
    changed_ = true;
    apart_.insert(loop->block_begin(), loop->block_end());
    llvm::SmallVector<BasicBlock*, 4> exits;
    loop->getUniqueExitBlocks(exits);
    for (BasicBlock* exit : exits) {
        joins_.insert(exit);
        for (const Loop* outer = loop->getParentLoop(); outer && !outer->contains(exit); outer = outer->getParentLoop())
            diverge(outer);
    }
    spread(loop->getHeader(), exits);
}

/// Follows threads that leave `origin` towards different seeds until all are in one place again. Each block is labelled
/// with the seed (or meeting point) its threads came from; two labels in one block are a meeting.
void Divergence::spread(const BasicBlock* origin, llvm::ArrayRef<BasicBlock*> seeds) {
    std::map<unsigned, const BasicBlock*> pending;  // position -> label
    auto visit = [&](const BasicBlock* from, const BasicBlock* to, const BasicBlock* label) {
        for (const Loop* loop = loops_.getLoopFor(from); loop && !loop->contains(to); loop = loop->getParentLoop()) {
            if (loop->contains(origin)) diverge(loop);
        }
        if (position_.lookup(to) <= position_.lookup(from)) return;  // the next round
        auto [found, fresh] = pending.try_emplace(position_.lookup(to), label);
        if (fresh || found->second == label) return;
        found->second = to;
        joins_.insert(to);
    };
    for (const BasicBlock* seed : seeds) visit(origin, seed, seed);
    while (!pending.empty()) {
        auto [position, label] = *pending.begin();
        pending.erase(pending.begin());
        if (pending.empty()) return;
        const BasicBlock* block = order_[position];
        apart_.insert(block);
        for (const BasicBlock* successor : llvm::successors(block)) visit(block, successor, label);
    }
}

}  // namespace metal_host
