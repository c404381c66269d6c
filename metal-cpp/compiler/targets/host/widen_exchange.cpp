// SPDX-License-Identifier: MIT
//
// Exchanges between the threads of a SIMD-group. A strip of 32 lanes is a SIMD-group, so they are plain vector
// operations; lanes that do not take part contribute what changes nothing.

#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicsX86.h>

#include "strip_function.hpp"
#include "widener.hpp"

namespace metal_host {

using llvm::Value;
using llvm::Intrinsic::ID;

namespace {

/// A reduction: the vector intrinsic, the operation of two values, and the value that changes nothing.
struct Reduction {
    ID reduce = llvm::Intrinsic::not_intrinsic;
    llvm::Instruction::BinaryOps operation = llvm::Instruction::Add;
    llvm::Constant* neutral = nullptr;
};

Reduction reductionOf(llvm::StringRef operation, llvm::StringRef typeName, llvm::Type* type) {
    namespace intrinsic = llvm::Intrinsic;
    auto number = [&](std::uint64_t bits) { return llvm::ConstantInt::get(type, bits); };
    if (typeName == "f32") {
        if (operation == "add")
            return {intrinsic::vector_reduce_fadd, llvm::Instruction::FAdd, llvm::ConstantFP::getNegativeZero(type)};
        if (operation == "mul")
            return {intrinsic::vector_reduce_fmul, llvm::Instruction::FMul, llvm::ConstantFP::get(type, 1.0)};
        if (operation == "min") return {intrinsic::vector_reduce_fmin, {}, llvm::ConstantFP::getInfinity(type)};
        if (operation == "max") return {intrinsic::vector_reduce_fmax, {}, llvm::ConstantFP::getInfinity(type, true)};
        return {};
    }
    bool isSigned = typeName == "i32";
    if (operation == "add") return {intrinsic::vector_reduce_add, llvm::Instruction::Add, number(0)};
    if (operation == "mul") return {intrinsic::vector_reduce_mul, llvm::Instruction::Mul, number(1)};
    if (operation == "and") return {intrinsic::vector_reduce_and, {}, number(0xffffffff)};
    if (operation == "or") return {intrinsic::vector_reduce_or, {}, number(0)};
    if (operation == "xor") return {intrinsic::vector_reduce_xor, {}, number(0)};
    if (operation == "min")
        return {isSigned ? intrinsic::vector_reduce_smin : intrinsic::vector_reduce_umin,
                {},
                number(isSigned ? 0x7fffffff : 0xffffffff)};
    if (operation == "max")
        return {isSigned ? intrinsic::vector_reduce_smax : intrinsic::vector_reduce_umax,
                {},
                number(isSigned ? 0x80000000 : 0)};
    return {};
}

}  // namespace

bool Widener::exchange(llvm::CallInst& call) {
    llvm::StringRef name = call.getCalledFunction()->getName();
    if (!name.consume_front("__metal_simd_")) return false;
    if (width_ != 32) {
        fail("an exchange between threads of a SIMD-group, in strips of " + llvm::Twine(width_) +
             " lanes instead of 32");
        return true;
    }
    llvm::Type* bitsType = builder_.getIntNTy(width_);
    auto asMask = [&](Value* lanes) {
        return builder_.CreateZExt(builder_.CreateBitCast(lanes, bitsType), builder_.getInt64Ty());
    };
    if (name == "active_threads_mask") return defineFirst(&call, asMask(mask_)), true;
    Value* none = llvm::Constant::getNullValue(mask_->getType());
    if (name == "ballot")
        return defineFirst(&call, asMask(builder_.CreateSelect(mask_, wide(call.getArgOperand(0)), none))), true;
    if (name == "shuffle") return defineWide(&call, shuffle(call)), true;

    bool isPrefix = name.consume_front("prefix_"), isInclusive = isPrefix && name.consume_front("inclusive_");
    if (isPrefix ? !isInclusive && !name.consume_front("exclusive_") : !name.consume_front("reduce_")) return false;
    auto [operation, typeName] = name.split('_');
    Reduction reduction = reductionOf(operation, typeName, call.getType());
    if (!reduction.neutral || (isPrefix && operation != "add" && operation != "mul")) return false;
    Value* idle = llvm::ConstantVector::getSplat(llvm::ElementCount::getFixed(width_), reduction.neutral);
    Value* lanes = builder_.CreateSelect(mask_, wide(call.getArgOperand(0)), idle);
    if (isPrefix) return defineWide(&call, prefix(lanes, idle, reduction.operation, isInclusive)), true;
    llvm::CallInst* result = nullptr;
    if (reduction.reduce == llvm::Intrinsic::vector_reduce_fadd ||
        reduction.reduce == llvm::Intrinsic::vector_reduce_fmul) {
        result = builder_.CreateIntrinsic(reduction.reduce, {lanes->getType()}, {reduction.neutral, lanes});
        result->setHasAllowReassoc(true);  // as a tree, not lane after lane
    } else {
        result = builder_.CreateIntrinsic(reduction.reduce, {lanes->getType()}, {lanes});
    }
    return defineFirst(&call, result), true;
}

/// Each lane's value and those of the lanes below it, by doubling steps.
Value* Widener::prefix(Value* lanes, Value* idle, llvm::Instruction::BinaryOps operation, bool inclusive) {
    auto shifted = [&](Value* vector, unsigned count) {  // towards higher lanes
        llvm::SmallVector<int, 32> from;
        for (unsigned lane = 0; lane < width_; ++lane) from.push_back(lane < count ? int(width_) : int(lane - count));
        return builder_.CreateShuffleVector(vector, idle, from);
    };
    for (unsigned step = 1; step < width_; step *= 2)
        lanes = builder_.CreateBinOp(operation, shifted(lanes, step), lanes);
    return inclusive ? lanes : shifted(lanes, 1);
}

/// Each lane's value is that of the lane it names.
Value* Widener::shuffle(llvm::CallInst& call) {
    Value *value = wide(call.getArgOperand(0)), *lane = call.getArgOperand(1);
    if (isUniform(lane)) {
        Value* from = builder_.CreateAnd(first(lane), width_ - 1);
        return splat(builder_.CreateExtractElement(value, from));
    }
    Value* from = builder_.CreateAnd(wide(lane), llvm::ConstantInt::get(wideType(builder_.getInt32Ty()), width_ - 1));
    if (auto* constant = llvm::dyn_cast<llvm::ConstantDataVector>(from)) {
        llvm::SmallVector<int, 32> indices;
        for (unsigned index = 0; index < width_; ++index) indices.push_back(int(constant->getElementAsInteger(index)));
        return builder_.CreateShuffleVector(value, indices);
    }
    if (scalar_.getFnAttribute("target-features").getValueAsString().contains("+avx512f")) {
        // One instruction picks sixteen of thirty-two.
        llvm::SmallVector<int, 32> low, high;
        for (int index = 0; index < 16; ++index) low.push_back(index), high.push_back(index + 16);
        Value *below = builder_.CreateShuffleVector(value, low), *above = builder_.CreateShuffleVector(value, high);
        auto pick = [&](llvm::ArrayRef<int> half) {
            return builder_.CreateIntrinsic(llvm::Intrinsic::x86_avx512_vpermi2var_d_512, {},
                                            {below, builder_.CreateShuffleVector(from, half), above});
        };
        llvm::SmallVector<int, 32> all(low);
        all.append(high);
        Value *lower = pick(low), *upper = pick(high);
        return builder_.CreateShuffleVector(lower, upper, all);
    }
    llvm::AllocaInst* memory = slot(value->getType(), "shuffle");
    builder_.CreateStore(value, memory);
    Value* address = builder_.CreateGEP(builder_.getInt32Ty(), memory, from);
    return builder_.CreateMaskedGather(value->getType(), address, llvm::Align(4), mask_);
}

}  // namespace metal_host
