// SPDX-License-Identifier: MIT
//
// A block in two versions (guesses.hpp): one for strips whose lanes stay inside their bounds, one for any.

#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>

#include "widener.hpp"

namespace metal_host {

using llvm::Value;

/// What the plans read of other blocks gets slots, so they come first.
void Widener::makePlans() {
    Guesses guesses(divergence_, privateMemory_, layout_, width_);
    for (BasicBlock* block : order_) {
        std::optional<GuessPlan> plan = guesses.plan(*block);
        if (!plan) continue;
        for (Value* value : plan->outside) needsSlot_.insert(value);
        // Both versions bring the block's end what it reads.
        for (Instruction& inner : *block) {
            if (llvm::any_of(inner.users(), [](llvm::User* user) {
                    return llvm::cast<Instruction>(user)->isTerminator() || llvm::isa<llvm::PHINode>(user);
                }))
                needsSlot_.insert(&inner);
        }
        plans_.try_emplace(block, std::move(*plan));
    }
}

void Widener::versions(BasicBlock* source, const GuessPlan& plan) {
    for (Instruction& inner : *source) {
        if (auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(&inner)) variable(*alloca);
    }
    auto atHead = local_;
    plan_ = &plan;
    for (Instruction* inner : plan.order) guessed(*inner);
    Value* holds = builder_.getTrue();
    for (auto [guess, truth] : plan.guesses) holds = builder_.CreateAnd(holds, question(*guess, truth));
    auto block = [&](const char* name) {
        return BasicBlock::Create(scalar_.getContext(), source->getName() + name, function_);
    };
    BasicBlock *inside = block(".inside"), *edge = block(".edge"), *met = block(".met");
    builder_.CreateCondBr(holds, inside, edge, llvm::MDBuilder(scalar_.getContext()).createLikelyBranchWeights());

    auto version = [&](BasicBlock* start) {
        builder_.SetInsertPoint(start);
        for (Instruction& inner : *source) {
            if (inner.isTerminator() || llvm::isa<llvm::PHINode>(inner) || local_.contains(&inner)) continue;
            builder_.SetCurrentDebugLocation(inner.getDebugLoc());
            plan_ ? guessed(inner) : instruction(inner);
        }
        storeAllSlots(source);
        builder_.CreateBr(met);
    };
    version(inside);
    plan_ = nullptr;
    local_ = atHead;
    version(edge);
    local_ = std::move(atHead);
    builder_.SetInsertPoint(met);
}

/// An instruction where the guesses hold, as they do as a rule: what is said of it is said of this version.
void Widener::guessed(Instruction& source) {
    if (auto truth = plan_->truths.find(&source); truth != plan_->truths.end())
        return defineFirst(&source, builder_.getInt1(truth->second));
    Value* same = plan_->forwarded.lookup(&source);
    if (!same) return notes_ ? notedInstruction(source) : instruction(source);
    define(&source, {{first(same), shape(same).exact ? nullptr : wide(same)}});
}

/// Whether a guess holds, from the first lane and the last.
Value* Widener::question(Instruction& guess, bool truth) {
    std::int64_t reach = width_ - 1;
    auto last = [&](Value* value) {
        Value* lane0 = first(value);
        return builder_.CreateAdd(
            lane0, llvm::ConstantInt::get(lane0->getType(), std::uint64_t(shape(value).stride * reach), true, true));
    };
    auto number = [&](std::int64_t n) { return llvm::ConstantInt::get(guess.getOperand(0)->getType(), n, true, true); };
    // From lane to lane it goes one way: it does not wrap around.
    auto goesOn = [&](Value* value, bool isSigned) -> Value* {
        std::int64_t stride = shape(value).stride;
        if (stride == 0) return builder_.getTrue();
        Value *low = first(value), *high = last(value);
        if (stride < 0) std::swap(low, high);
        return isSigned ? builder_.CreateICmpSLE(low, high) : builder_.CreateICmpULE(low, high);
    };
    if (auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&guess)) {
        Value *left = comparison->getOperand(0), *right = comparison->getOperand(1);
        std::int64_t apart = shape(left).stride - shape(right).stride;
        auto predicate = truth ? comparison->getPredicate() : comparison->getInversePredicate();
        if (comparison->isEquality() && apart != 0) {
            Value* ahead = apart > 0 ? builder_.CreateSub(first(right), first(left))
                                     : builder_.CreateSub(first(left), first(right));
            return builder_.CreateICmpUGT(ahead, number(std::abs(apart) * reach));
        }
        Value* both = builder_.CreateAnd(builder_.CreateICmp(predicate, first(left), first(right)),
                                         builder_.CreateICmp(predicate, last(left), last(right)));
        if (comparison->isEquality()) return both;
        return builder_.CreateAnd(
            both, builder_.CreateAnd(goesOn(left, comparison->isSigned()), goesOn(right, comparison->isSigned())));
    }
    if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&guess)) {
        Value* value = plan_->forwarded.lookup(&guess);
        auto id = call->getIntrinsicID();
        if (id == llvm::Intrinsic::abs) {
            Value* zero = number(0);
            return builder_.CreateAnd(builder_.CreateICmpSGE(first(value), zero),
                                      builder_.CreateICmpSGE(last(value), zero));
        }
        Value* bound = first(call->getArgOperand(call->getArgOperand(0) == value));
        bool isSigned = id == llvm::Intrinsic::smin || id == llvm::Intrinsic::smax;
        bool isMin = id == llvm::Intrinsic::smin || id == llvm::Intrinsic::umin;
        Value* outermost = isMin == (shape(value).stride > 0) ? last(value) : first(value);
        auto predicate = isMin ? (isSigned ? llvm::CmpInst::ICMP_SLE : llvm::CmpInst::ICMP_ULE)
                               : (isSigned ? llvm::CmpInst::ICMP_SGE : llvm::CmpInst::ICMP_UGE);
        return builder_.CreateAnd(builder_.CreateICmp(predicate, outermost, bound), goesOn(value, isSigned));
    }
    Value *left = guess.getOperand(0), *right = guess.getOperand(1);
    if (!guess.isIntDivRem()) {
        // Above the bits that are shifted out, or kept, nothing changes, nor does the number wrap around.
        std::uint64_t constant = llvm::cast<llvm::ConstantInt>(right)->getZExtValue();
        Value* differs = builder_.CreateXor(first(left), last(left));
        if (guess.getOpcode() != llvm::Instruction::And)
            return builder_.CreateAnd(builder_.CreateIsNull(builder_.CreateLShr(differs, constant)),
                                      goesOn(left, guess.getOpcode() == llvm::Instruction::AShr));
        Value* above = builder_.CreateAnd(differs, llvm::ConstantInt::get(differs->getType(), ~constant));
        return builder_.CreateAnd(builder_.CreateIsNull(above), goesOn(left, false));
    }
    bool isSigned = guess.getOpcode() == llvm::Instruction::SDiv || guess.getOpcode() == llvm::Instruction::SRem;
    Value *lane0 = first(left), *divisor = first(right);
    // What is left up to the next multiple; negative numbers are left to the other version.
    Value* rest = builder_.CreateSub(divisor, builder_.CreateURem(lane0, divisor));
    Value* together =
        builder_.CreateAnd(builder_.CreateICmpUGT(rest, number(shape(left).stride * reach)), goesOn(left, isSigned));
    if (!isSigned) return together;
    Value* negative = builder_.CreateICmpSLT(builder_.CreateOr(lane0, divisor), number(0));
    return builder_.CreateAnd(together, builder_.CreateNot(negative));
}

}  // namespace metal_host
