// SPDX-License-Identifier: MIT

#include "guard_arithmetic.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <vector>

namespace metal_host {
namespace {

using llvm::Instruction;
using llvm::Value;

void guardDivision(llvm::BinaryOperator& division) {
    llvm::IRBuilder<> builder(&division);
    llvm::Type* type = division.getType();
    // Frozen, or each use of an undefined operand could see another value and the guard be passed by.
    Value* divisor = builder.CreateFreeze(division.getOperand(1));
    Value* bad = builder.CreateICmpEQ(divisor, llvm::Constant::getNullValue(type));
    if (division.getOpcode() == Instruction::SDiv || division.getOpcode() == Instruction::SRem) {
        Value* dividend = builder.CreateFreeze(division.getOperand(0));
        llvm::Constant* smallest =
            llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(type->getScalarSizeInBits()));
        Value* overflows = builder.CreateAnd(builder.CreateICmpEQ(divisor, llvm::Constant::getAllOnesValue(type)),
                                             builder.CreateICmpEQ(dividend, smallest));
        bad = builder.CreateOr(bad, overflows);
        division.setOperand(0, dividend);
    }
    division.setOperand(1, builder.CreateSelect(bad, llvm::ConstantInt::get(type, 1), divisor));
}

void guardShift(llvm::BinaryOperator& shift) {
    llvm::IRBuilder<> builder(&shift);
    llvm::Type* type = shift.getType();
    shift.setOperand(
        1, builder.CreateAnd(shift.getOperand(1), llvm::ConstantInt::get(type, type->getScalarSizeInBits() - 1)));
}

/// Numbers of 16 bits become floats first: LLVM 22's own form for vectors gives the smallest integer for NaN, not zero.
void guardConversion(llvm::IntrinsicInst& conversion) {
    llvm::IRBuilder<> builder(&conversion);
    llvm::Type* wide = conversion.getArgOperand(0)->getType()->getWithNewType(builder.getFloatTy());
    Value* number = builder.CreateFPExt(conversion.getArgOperand(0), wide);
    Value* made = builder.CreateIntrinsic(conversion.getIntrinsicID(), {conversion.getType(), wide}, {number});
    made->takeName(&conversion);
    conversion.replaceAllUsesWith(made);
    conversion.eraseFromParent();
}

}  // namespace

void guardArithmetic(llvm::Function& function) {
    std::vector<llvm::IntrinsicInst*> conversions;
    for (Instruction& instruction : llvm::instructions(function)) {
        auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
        if (!call) continue;
        bool saturates = call->getIntrinsicID() == llvm::Intrinsic::fptosi_sat ||
                         call->getIntrinsicID() == llvm::Intrinsic::fptoui_sat;
        if (saturates && call->getArgOperand(0)->getType()->getScalarSizeInBits() == 16) conversions.push_back(call);
    }
    for (llvm::IntrinsicInst* conversion : conversions) guardConversion(*conversion);

    std::vector<llvm::BinaryOperator*> operations;
    for (Instruction& instruction : llvm::instructions(function)) {
        auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction);
        if (operation && (operation->isIntDivRem() || operation->isShift()) &&
            !llvm::isa<llvm::Constant>(operation->getOperand(1))) {
            operations.push_back(operation);
        }
    }
    for (llvm::BinaryOperator* operation : operations)
        operation->isShift() ? guardShift(*operation) : guardDivision(*operation);
}

}  // namespace metal_host
