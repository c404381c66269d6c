// SPDX-License-Identifier: MIT

#include "guesses.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include <algorithm>

#include "parts.hpp"

namespace metal_host {

using llvm::Instruction;
using llvm::Value;
using llvm::Intrinsic::ID;

namespace {

constexpr unsigned deepest = 24;
/// A larger block is not written twice.
constexpr std::size_t copyLimit = 600;
/// Elements from lane to lane of which one access and shuffles make the lanes' own.
constexpr std::int64_t mostApart = 4;

bool isClamp(ID id) {
    return id == llvm::Intrinsic::smin || id == llvm::Intrinsic::smax || id == llvm::Intrinsic::umin ||
           id == llvm::Intrinsic::umax;
}

/// Neither copies of it nor its place matter.
bool mayBeCopied(const llvm::BasicBlock& block) {
    return block.size() <= copyLimit && llvm::none_of(block, [](const Instruction& instruction) {
               auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
               return call && (call->cannotDuplicate() || call->isConvergent());
           });
}

bool writesBefore(const Instruction& end) {
    for (const Instruction& instruction : *end.getParent()) {
        if (&instruction == &end) return false;
        if (instruction.mayWriteToMemory()) return true;
    }
    return false;
}

}  // namespace

std::optional<GuessPlan> Guesses::plan(llvm::BasicBlock& block) {
    block_ = &block;
    plan_ = GuessPlan();
    hopeless_.clear();
    if (!mayBeCopied(block)) return std::nullopt;
    for (Instruction& instruction : block) {
        if (!llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction)) continue;
        GuessPlan before = plan_;
        if (!gains(instruction) || !needAll()) plan_ = std::move(before);
    }
    if (plan_.guesses.empty()) return std::nullopt;
    for (auto& [value, shape] : plan_.shapes) {
        auto* instruction = const_cast<Instruction*>(llvm::cast<Instruction>(value));
        if (instruction->getParent() != block_ && !need(instruction)) return std::nullopt;
    }
    return std::move(plan_);
}

/// Whether an access of scattered places becomes one of neighbours, or of one place.
bool Guesses::gains(Instruction& access) {
    Value* pointer = llvm::getLoadStorePointerOperand(&access);
    if (access.isAtomic() || privateMemory_.interleaved(pointer) || !divergence_.shape(pointer).isVarying())
        return false;
    bool isLoad = llvm::isa<llvm::LoadInst>(access);
    auto parts = partsOf(llvm::getLoadStoreType(&access), layout_);
    auto size = std::int64_t(layout_.getTypeStoreSize(parts.front().type).getFixedValue());
    Shape of = guess(pointer, 0);
    if (of.isUniform()) return isLoad;
    return of.isAffine() && of.stride >= size && of.stride <= mostApart * size && of.stride % size == 0;
}

Shape Guesses::guess(Value* value, unsigned depth) {
    Shape known = divergence_.shape(value);
    auto* instruction = llvm::dyn_cast<Instruction>(value);
    if (!known.isVarying() || !instruction) return known;
    if (auto found = plan_.shapes.find(value); found != plan_.shapes.end()) return found->second;
    if (depth > deepest || hopeless_.contains(value)) return Shape::any();
    Shape made = guessOperation(*instruction, depth + 1);
    if (made.isVarying()) {
        hopeless_.insert(value);
    } else {
        plan_.shapes[value] = made;
    }
    return made;
}

/// So that comparisons of the first and the last lane tell of those between them.
bool Guesses::isBounded(const Value* value, const Shape& of) const {
    if (!value->getType()->isIntegerTy()) return false;
    unsigned bits = value->getType()->getIntegerBitWidth();
    return (bits == 32 || bits == 64) && of.exact && std::abs(of.stride) <= (std::int64_t(1) << 24);
}

Shape Guesses::guessOperation(Instruction& operation, unsigned depth) {
    if (auto* selection = llvm::dyn_cast<llvm::SelectInst>(&operation)) return guessSelection(*selection, depth);
    auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&operation);
    bool isPure = llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::GetElementPtrInst, llvm::FreezeInst>(operation);
    if (!isPure && !(call && (isClamp(call->getIntrinsicID()) || call->getIntrinsicID() == llvm::Intrinsic::abs)))
        return Shape::any();
    for (Value* operand : call ? call->args() : operation.operands()) {
        if (guess(operand, depth).isVarying()) return Shape::any();
    }
    if (Shape derived = divergence_.shapeIf(operation, plan_.shapes); !derived.isVarying()) return derived;

    Value *left = operation.getOperand(0), *right = operation.getNumOperands() > 1 ? operation.getOperand(1) : nullptr;
    Shape ofLeft = guess(left, depth), ofRight = right ? guess(right, depth) : Shape::uniform();
    if (call && ofRight.isAffine() && ofLeft.isUniform()) {
        std::swap(left, right);
        std::swap(ofLeft, ofRight);
    }
    if (!ofLeft.isAffine() || !ofRight.isUniform() || !isBounded(left, ofLeft)) return Shape::any();
    if (call) {
        plan_.forwarded[&operation] = left;
        plan_.guesses.insert({&operation, true});
        return ofLeft;
    }
    auto number = [&]() -> std::optional<std::uint64_t> {
        auto* constant = llvm::dyn_cast<llvm::ConstantInt>(right);
        return constant ? std::optional(constant->getZExtValue()) : std::nullopt;
    };
    switch (operation.getOpcode()) {
        case Instruction::UDiv:
        case Instruction::SDiv:
        case Instruction::URem:
        case Instruction::SRem:
            if (ofLeft.stride < 0) return Shape::any();
            break;
        case Instruction::LShr:
        case Instruction::AShr:
            if (!number()) return Shape::any();
            break;
        case Instruction::And:
            if (!number() || !llvm::isMask_64(*number())) return Shape::any();
            break;
        default:
            return Shape::any();
    }
    plan_.guesses.insert({&operation, true});
    bool keepsRest = operation.getOpcode() == Instruction::And || operation.getOpcode() == Instruction::URem ||
                     operation.getOpcode() == Instruction::SRem;
    return keepsRest ? ofLeft : Shape::uniform();
}

/// The side that is taken inside: rather what is compared than a number made of it, what counts up than what counts
/// down, what counts than what stays.
Shape Guesses::guessSelection(llvm::SelectInst& selection, unsigned depth) {
    // `a && b` is asked of as a condition.
    if (selection.getType()->isIntegerTy(1)) return Shape::any();
    Value* condition = selection.getCondition();
    Shape ofYes = guess(selection.getTrueValue(), depth), ofNo = guess(selection.getFalseValue(), depth);
    if (guess(condition, depth).isUniform() && !ofYes.isVarying() && !ofNo.isVarying())
        return divergence_.shapeIf(selection, plan_.shapes);
    auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(condition);
    auto score = [&](Value* side, const Shape& of) {
        if (of.isVarying()) return -1;
        bool isCompared = comparison && (comparison->getOperand(0) == side || comparison->getOperand(1) == side);
        return (isCompared ? 4 : 0) + (of.isAffine() ? of.stride > 0 ? 2 : 1 : 0);
    };
    int yes = score(selection.getTrueValue(), ofYes), no = score(selection.getFalseValue(), ofNo);
    for (bool truth : {yes >= no, yes < no}) {
        if ((truth ? yes : no) < 0) continue;
        GuessPlan before = plan_;
        if (require(condition, truth, depth)) {
            plan_.forwarded[&selection] = truth ? selection.getTrueValue() : selection.getFalseValue();
            return truth ? ofYes : ofNo;
        }
        plan_ = std::move(before);
    }
    return Shape::any();
}

bool Guesses::require(Value* condition, bool truth, unsigned depth) {
    using namespace llvm::PatternMatch;
    auto* instruction = llvm::dyn_cast<Instruction>(condition);
    if (!instruction || depth > deepest) return false;
    if (auto known = plan_.truths.find(condition); known != plan_.truths.end()) return known->second == truth;
    Value *a = nullptr, *b = nullptr;
    bool holds = false;
    if (match(instruction, m_Not(m_Value(a))) || match(instruction, m_Freeze(m_Value(a)))) {
        holds = require(a, llvm::isa<llvm::FreezeInst>(instruction) == truth, depth + 1);
    } else if (truth ? match(instruction, m_LogicalAnd(m_Value(a), m_Value(b)))
                     : match(instruction, m_LogicalOr(m_Value(a), m_Value(b)))) {
        holds = require(a, truth, depth + 1) && require(b, truth, depth + 1);
    } else if (auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(instruction)) {
        holds = requireComparison(*comparison, truth, depth + 1);
    }
    if (!holds) return false;
    plan_.truths[condition] = truth;
    if (divergence_.shape(condition).isVarying()) plan_.shapes[condition] = Shape::uniform();
    return true;
}

bool Guesses::requireComparison(llvm::ICmpInst& comparison, bool truth, unsigned depth) {
    Value *left = comparison.getOperand(0), *right = comparison.getOperand(1);
    Shape ofLeft = guess(left, depth), ofRight = guess(right, depth);
    if (ofLeft.isVarying() || ofRight.isVarying() || !isBounded(left, ofLeft) || !isBounded(right, ofRight))
        return false;
    // Lanes that differ are not all equal to one number.
    if (comparison.isEquality() && ofLeft.stride != ofRight.stride &&
        truth != (comparison.getPredicate() == llvm::CmpInst::ICMP_NE))
        return false;
    plan_.guesses.insert({&comparison, truth});
    return true;
}

/// Everything that the questions read can be had at the block's head.
bool Guesses::needAll() {
    for (auto& [guess, truth] : plan_.guesses) {
        for (Value* operand : guess->operands()) {
            if (!llvm::isa<llvm::Function>(operand) && !need(operand)) return false;
        }
    }
    return true;
}

bool Guesses::need(Value* value) {
    auto* instruction = llvm::dyn_cast<Instruction>(value);
    if (!instruction || plan_.order.contains(instruction)) return true;
    bool isCertain = !divergence_.shape(value).isVarying(), isHere = instruction->getParent() == block_;
    if (isCertain && (!isHere || llvm::isa<llvm::PHINode, llvm::AllocaInst>(instruction))) {
        if (!isHere && !llvm::isa<llvm::AllocaInst>(instruction)) plan_.outside.insert(instruction);
        return true;
    }
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction)) {
        if (!load->isSimple() || (!load->hasMetadata(llvm::LLVMContext::MD_invariant_load) && writesBefore(*load)))
            return false;
    } else if (instruction->mayReadOrWriteMemory()) {
        return false;
    }
    if (!isCertain && !plan_.shapes.contains(value)) return false;
    if (Value* handedOn = plan_.forwarded.lookup(value)) {
        if (!need(handedOn)) return false;
    } else if (!plan_.truths.contains(value)) {
        for (Value* operand : instruction->operands()) {
            if (!llvm::isa<llvm::Function>(operand) && !need(operand)) return false;
        }
    }
    plan_.order.insert(instruction);
    return true;
}

}  // namespace metal_host
