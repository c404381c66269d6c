// SPDX-License-Identifier: MIT
//
// Every value of the one-thread function, when asked for, as a scalar (`first`) or as a vector of all lanes (`wide`).
// Inside the block that defines a value it is at hand; elsewhere it is read from its slot, because the blocks between
// may have been skipped and the definition no longer dominates the use.

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include "promote_slots.hpp"
#include "widener.hpp"

namespace metal_host {

using llvm::Constant;
using llvm::Value;

llvm::AllocaInst* Widener::slot(llvm::Type* type, const llvm::Twine& name) {
    llvm::BasicBlock& block = function_->getEntryBlock();
    llvm::IRBuilder<> top(&block, block.begin());
    return top.CreateAlloca(type, nullptr, name);
}

void Widener::makeSlots() {
    for (BasicBlock* block : order_) {
        for (Instruction& inner : *block) {
            if (inner.getType()->isVoidTy() || inner.getType()->isTokenTy()) continue;
            if (llvm::isa<llvm::AllocaInst>(inner)) continue;  // an address, made once at the start
            if (llvm::isa<llvm::PHINode>(inner) || inner.isUsedOutsideOfBlock(block) || needsSlot_.contains(&inner))
                makeSlots(&inner);
        }
    }
}

void Widener::makeSlots(Value* value) {
    Shape of = shape(value);
    auto& slots = slots_[value];
    slotOrder_.push_back(value);
    for (const Part& part : partsOf(value->getType(), layout_)) {
        Slots& made = slots.emplace_back();
        if (!of.isVarying()) made.first = slot(part.type, value->getName());
        if (of.isVarying() || !of.exact) made.wide = slot(wideType(part.type), value->getName());
    }
}

void Widener::loadSlots(Value* value) {
    AllLanes lanes;
    for (const Slots& slots : slots_.find(value)->second) {
        Lanes& part = lanes.emplace_back();
        if (slots.first)
            part.first = builder_.CreateLoad(slots.first->getAllocatedType(), slots.first, value->getName());
        if (slots.wide) part.wide = builder_.CreateLoad(slots.wide->getAllocatedType(), slots.wide, value->getName());
    }
    local_[value] = lanes;
}

void Widener::storeSlots(Value* value) {
    auto found = slots_.find(value);
    if (found == slots_.end()) return;
    for (unsigned part = 0; part < found->second.size(); ++part) {
        const Slots& slots = found->second[part];
        if (slots.first) builder_.CreateStore(first(value, part), slots.first);
        if (slots.wide) builder_.CreateStore(wide(value, part), slots.wide);
    }
}

void Widener::storeAllSlots(BasicBlock* block) {
    if (!problem_.empty()) return;
    for (Instruction& inner : *block) {
        if (!llvm::isa<llvm::PHINode>(inner)) storeSlots(&inner);
    }
}

void Widener::storePhi(llvm::PHINode& phi, Value* incoming, Value* lanes) {
    auto& slots = slots_.find(&phi)->second;
    bool blend = divergence_.joins(phi.getParent());
    for (unsigned part = 0; part < slots.size(); ++part) {
        if (slots[part].first) builder_.CreateStore(first(incoming, part), slots[part].first);
        if (llvm::AllocaInst* target = slots[part].wide) {
            Value* value = wide(incoming, part);
            if (blend)
                value = builder_.CreateSelect(lanes, value, builder_.CreateLoad(target->getAllocatedType(), target));
            builder_.CreateStore(value, target);
        }
    }
}

/// A mask that collects lanes and is not asked.
void Widener::forgetMask(llvm::AllocaInst& mask) {
    for (llvm::User* user : llvm::make_early_inc_range(mask.users())) {
        auto* access = llvm::cast<Instruction>(user);
        if (!access->getType()->isVoidTy()) access->replaceAllUsesWith(llvm::PoisonValue::get(access->getType()));
        access->eraseFromParent();
    }
}

/// Says that a slot holds nothing (a mask: no lanes) at the last place that comes before all of its uses. Otherwise it
/// would live from the function's start on and through every round of a loop, and for n slots in n blocks LLVM would
/// merge n * n values. At the end, since all uses must be there.
void Widener::limitSlots(const llvm::DominatorTree& dominators) {
    llvm::LoopInfo loops(dominators);
    auto limit = [&](llvm::AllocaInst* slot, Constant* nothing, const BasicBlock* owner) {
        BasicBlock* place = nullptr;
        for (llvm::User* user : slot->users()) {
            BasicBlock* block = llvm::cast<Instruction>(user)->getParent();
            if (!dominators.isReachableFromEntry(block)) continue;
            place = place ? dominators.findNearestCommonDominator(place, block) : block;
        }
        if (!place) return;
        // Lanes may wait at the owner while a loop goes round that it is not in.
        for (llvm::Loop* loop = loops.getLoopFor(place); loop && !loop->contains(owner); loop = loops.getLoopFor(place))
            place = dominators.getNode(loop->getHeader())->getIDom()->getBlock();
        auto before = place == slot->getParent() ? std::next(slot->getIterator()) : place->getFirstInsertionPt();
        new llvm::StoreInst(nothing, slot, before);
    };
    for (BasicBlock* block : order_) {
        const Block& made = blocks_[block];
        if (made.isEveryoneHere) forgetMask(*made.mask);
        limit(made.mask, Constant::getNullValue(made.mask->getAllocatedType()), made.direct);
    }
    for (Value* value : slotOrder_) {
        const BasicBlock* owner = blocks_[llvm::cast<Instruction>(value)->getParent()].direct;
        for (const Slots& slots : slots_.find(value)->second) {
            for (llvm::AllocaInst* slot : {slots.first, slots.wide}) {
                if (slot) limit(slot, llvm::PoisonValue::get(slot->getAllocatedType()), owner);
            }
        }
    }
}

void Widener::promoteSlots(const llvm::DominatorTree& dominators) {
    std::vector<llvm::AllocaInst*> slots;
    for (BasicBlock* block : order_) slots.push_back(blocks_[block].mask);
    for (Value* value : slotOrder_) {
        for (const Slots& made : slots_.find(value)->second) {
            for (llvm::AllocaInst* slot : {made.first, made.wide}) {
                if (slot) slots.push_back(slot);
            }
        }
    }
    metal_host::promoteSlots(*function_, slots, dominators);
}

void Widener::define(Value* value, AllLanes lanes) {
    local_[value] = std::move(lanes);
}

Value* Widener::constantPart(Constant* constant, unsigned part) const {
    // Walks down to the part, one level at a time.
    llvm::Type* type = constant->getType();
    while (type->isAggregateType() || type->isVectorTy()) {
        unsigned count = llvm::isa<llvm::FixedVectorType>(type)
                             ? llvm::cast<llvm::FixedVectorType>(type)->getNumElements()
                         : llvm::isa<llvm::ArrayType>(type) ? type->getArrayNumElements()
                                                            : type->getStructNumElements();
        unsigned index = count - 1;
        while (firstPart(type, index, layout_) > part) --index;
        part -= firstPart(type, index, layout_);
        constant = constant->getAggregateElement(index);
        type = constant->getType();
    }
    return constant;
}

Value* Widener::first(Value* value, unsigned part) {
    if (auto* constant = llvm::dyn_cast<Constant>(value)) return constantPart(constant, part);
    if (!local_.contains(value)) loadSlots(value);
    return local_[value][part].first;
}

Value* Widener::wide(Value* value, unsigned part) {
    if (auto* constant = llvm::dyn_cast<Constant>(value)) {
        return llvm::ConstantVector::getSplat(llvm::ElementCount::getFixed(width_),
                                              llvm::cast<Constant>(constantPart(constant, part)));
    }
    if (!local_.contains(value)) loadSlots(value);
    Lanes& lanes = local_[value][part];
    if (lanes.wide) return lanes.wide;
    Value* scalar = lanes.first;
    Shape of = shape(value);
    Value* made = splat(scalar);
    if (of.isAffine()) {
        made = scalar->getType()->isPointerTy()
                   ? builder_.CreateGEP(builder_.getInt8Ty(), scalar, steps(builder_.getInt64Ty(), of.stride))
                   : builder_.CreateAdd(made, steps(scalar->getType(), of.stride));
    }
    // Made again where it is used again: what the builder's place dominates is not known here.
    return made;
}

Value* Widener::splat(Value* scalar) {
    return builder_.CreateVectorSplat(width_, scalar);
}

Constant* Widener::steps(llvm::Type* type, std::int64_t stride) const {
    std::vector<Constant*> elements;
    for (unsigned lane = 0; lane < width_; ++lane) {
        elements.push_back(llvm::ConstantInt::get(
            type, llvm::APInt(type->getIntegerBitWidth(), std::uint64_t(stride) * lane, false, true)));
    }
    return llvm::ConstantVector::get(elements);
}

}  // namespace metal_host
