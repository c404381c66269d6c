// SPDX-License-Identifier: MIT

#include "missing_arithmetic.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

namespace metal_host {
namespace {

using namespace llvm::PatternMatch;
using llvm::Value;

bool isHalf(const Value& value) {
    return value.getType()->getScalarType()->isHalfTy();
}

class OfHalves {
public:
    explicit OfHalves(llvm::Instruction& instruction) : instruction_(instruction), builder_(&instruction) {
        builder_.setFastMathFlags(instruction.getFastMathFlags());
    }

    bool run() {
        Value* result = nullptr;
        if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction_)) {
            result = ofCall(*call);
        } else if (instruction_.hasAllowContract()) {
            result = contracted();
        }
        if (!result) return false;
        result->takeName(&instruction_);
        instruction_.replaceAllUsesWith(result);
        return true;
    }

private:
    llvm::Type* floats() { return instruction_.getType()->getWithNewType(builder_.getFloatTy()); }
    Value* wide(Value* value) { return builder_.CreateFPExt(value, floats()); }
    Value* narrow(Value* value) { return builder_.CreateFPTrunc(value, instruction_.getType()); }

    Value* ofCall(llvm::IntrinsicInst& call) {
        switch (call.getIntrinsicID()) {
            case llvm::Intrinsic::maxnum:
            case llvm::Intrinsic::minnum:
                return narrow(builder_.CreateBinaryIntrinsic(call.getIntrinsicID(), wide(call.getArgOperand(0)),
                                                             wide(call.getArgOperand(1))));
            case llvm::Intrinsic::fmuladd:
                return multipliedAndAdded(call.getArgOperand(0), call.getArgOperand(1), call.getArgOperand(2));
            default:
                return nullptr;
        }
    }

    Value* contracted() {
        Value *factor = nullptr, *other = nullptr, *rest = nullptr;
        llvm::Instruction* product = nullptr;
        const auto multiplied = m_OneUse(m_CombineAnd(m_Instruction(product), m_FMul(m_Value(factor), m_Value(other))));
        const bool isSum = match(&instruction_, m_c_FAdd(multiplied, m_Value(rest)));
        const bool isLess = !isSum && match(&instruction_, m_FSub(multiplied, m_Value(rest)));
        const bool isFrom = !isSum && !isLess && match(&instruction_, m_FSub(m_Value(rest), multiplied));
        if ((!isSum && !isLess && !isFrom) || !product->hasAllowContract()) return nullptr;
        if (isLess) rest = builder_.CreateFNeg(rest);
        if (isFrom) factor = builder_.CreateFNeg(factor);
        return multipliedAndAdded(factor, other, rest);
    }

    Value* multipliedAndAdded(Value* a, Value* b, Value* c) {
        return narrow(builder_.CreateIntrinsic(llvm::Intrinsic::fmuladd, {floats()}, {wide(a), wide(b), wide(c)}));
    }

    llvm::Instruction& instruction_;
    llvm::IRBuilder<> builder_;
};

}  // namespace

void replaceMissingArithmetic(llvm::Module& module, const Arithmetic& has) {
    for (llvm::Function& function : module) {
        llvm::SmallVector<llvm::WeakTrackingVH, 16> done;
        for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
            if (!llvm::isa<llvm::FPMathOperator>(instruction)) continue;
            if (!has.halves && isHalf(instruction)) {
                if (OfHalves(instruction).run()) done.emplace_back(&instruction);
            } else if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
                       !has.multiplyAdds && call && call->getIntrinsicID() == llvm::Intrinsic::fma) {
                call->copyFastMathFlags(llvm::FastMathFlags());
            }
        }
        llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(done);
    }
}

}  // namespace metal_host
