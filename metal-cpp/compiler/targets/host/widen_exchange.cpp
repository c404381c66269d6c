// SPDX-License-Identifier: MIT
//
// Exchanges between the threads of a SIMD-group. A strip of 32 lanes is a SIMD-group, so they are plain vector
// operations; lanes that do not take part contribute what changes nothing.

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicsX86.h>

#include "strip_function.hpp"
#include "widener.hpp"

namespace metal_host {

using llvm::Value;

namespace {

constexpr unsigned quadSize = 4;

/// The value that changes nothing when it is combined with another; null for an operation that is none.
llvm::Constant* neutralOf(llvm::StringRef operation, llvm::StringRef typeName, llvm::Type* type) {
    if (type->isFloatingPointTy()) {
        if (operation == "add") return llvm::ConstantFP::getNegativeZero(type);
        if (operation == "mul") return llvm::ConstantFP::get(type, 1.0);
        if (operation == "min" || operation == "max") return llvm::ConstantFP::getQNaN(type);
        return nullptr;
    }
    if (!type->isIntegerTy()) return nullptr;
    unsigned bits = type->getIntegerBitWidth();
    auto number = [&](const llvm::APInt& value) { return llvm::ConstantInt::get(type, value); };
    bool isSigned = typeName.starts_with("i");
    if (operation == "add" || operation == "or" || operation == "xor") return number(llvm::APInt::getZero(bits));
    if (operation == "mul") return number(llvm::APInt(bits, 1));
    if (operation == "and") return number(llvm::APInt::getAllOnes(bits));
    if (operation == "min")
        return number(isSigned ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getMaxValue(bits));
    if (operation == "max")
        return number(isSigned ? llvm::APInt::getSignedMinValue(bits) : llvm::APInt::getMinValue(bits));
    return nullptr;
}

Value* combine(llvm::IRBuilder<>& builder, llvm::StringRef operation, llvm::StringRef typeName, Value* a, Value* b) {
    namespace intrinsic = llvm::Intrinsic;
    bool isFloat = a->getType()->isFPOrFPVectorTy(), isSigned = typeName.starts_with("i");
    if (operation == "add") return isFloat ? builder.CreateFAdd(a, b) : builder.CreateAdd(a, b);
    if (operation == "mul") return isFloat ? builder.CreateFMul(a, b) : builder.CreateMul(a, b);
    if (operation == "and") return builder.CreateAnd(a, b);
    if (operation == "or") return builder.CreateOr(a, b);
    if (operation == "xor") return builder.CreateXor(a, b);
    bool isMin = operation == "min";
    if (isFloat) return builder.CreateBinaryIntrinsic(isMin ? intrinsic::minnum : intrinsic::maxnum, a, b);
    if (isSigned) return builder.CreateBinaryIntrinsic(isMin ? intrinsic::smin : intrinsic::smax, a, b);
    return builder.CreateBinaryIntrinsic(isMin ? intrinsic::umin : intrinsic::umax, a, b);
}

}  // namespace

bool Widener::exchange(llvm::CallInst& call) {
    llvm::StringRef name = call.getCalledFunction()->getName();
    bool isQuad = name.consume_front(quadPrefix);
    if (!isQuad && !name.consume_front(simdPrefix)) return false;
    if (width_ != 32) {
        fail("an exchange between threads of a SIMD-group, in strips of " + llvm::Twine(width_) +
             " lanes instead of 32");
        return true;
    }
    if (name == "ballot") return defineFirst(&call, ballot(call.getArgOperand(0))), true;
    if (name.consume_front("shuffle_")) return defineWide(&call, shuffle(call)), true;
    if (name.consume_front("broadcast_")) {
        Value* value = call.getArgOperand(0);
        if (isUniform(value)) return defineFirst(&call, first(value)), true;
        Value* lane =
            name.starts_with("first_") ? firstActive() : builder_.CreateAnd(agreed(call.getArgOperand(1)), width_ - 1);
        return defineFirst(&call, builder_.CreateExtractElement(wide(value), lane)), true;
    }
    if (name.consume_front("matrix_")) return matrix(name, call);

    bool isPrefix = name.consume_front("prefix_"), isInclusive = isPrefix && name.consume_front("inclusive_");
    if (isPrefix ? !isInclusive && !name.consume_front("exclusive_") : !name.consume_front("reduce_")) return false;
    auto [operation, typeName] = name.split('_');
    llvm::Constant* neutral = neutralOf(operation, typeName, call.getType());
    if (!neutral) return false;
    // What the first thread gets of an exclusive sum is a plain zero.
    if (isPrefix && neutral->isNegativeZeroValue()) neutral = llvm::Constant::getNullValue(call.getType());
    auto combined = [&, operation = operation, typeName = typeName](Value* a, Value* b) {
        return combine(builder_, operation, typeName, a, b);
    };
    Value* idle = llvm::ConstantVector::getSplat(llvm::ElementCount::getFixed(width_), neutral);
    Value* lanes = builder_.CreateSelect(mask_, wide(call.getArgOperand(0)), idle);
    if (isPrefix) {
        defineWide(&call, prefix(lanes, idle, isQuad ? quadSize : width_, isInclusive, combined));
    } else if (isQuad) {
        for (unsigned step = 1; step < quadSize; step *= 2) lanes = combined(lanes, exchanged(lanes, step));
        defineWide(&call, lanes);
    } else {
        defineFirst(&call, reduced(lanes, combined));
    }
    return true;
}

/// All lanes combined, always by this tree, whatever the processor: the upper half onto the lower.
Value* Widener::reduced(Value* lanes, llvm::function_ref<Value*(Value*, Value*)> combined) {
    for (int half = int(width_) / 2; half > 0; half /= 2) {
        llvm::SmallVector<int, 16> lower, upper;
        for (int lane = 0; lane < half; ++lane) lower.push_back(lane), upper.push_back(half + lane);
        lanes = combined(builder_.CreateShuffleVector(lanes, lower), builder_.CreateShuffleVector(lanes, upper));
    }
    return builder_.CreateExtractElement(lanes, std::uint64_t(0));
}

/// One bit for each lane that takes part and brings true.
Value* Widener::ballot(Value* vote) {
    Value* votes = builder_.CreateSelect(mask_, wide(vote), llvm::Constant::getNullValue(mask_->getType()));
    return builder_.CreateZExt(builder_.CreateBitCast(votes, builder_.getIntNTy(width_)), builder_.getInt64Ty());
}

Value* Widener::firstActive() {
    Value* bits = builder_.CreateBitCast(mask_, builder_.getIntNTy(width_));
    return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, bits, builder_.getTrue());
}

/// The value on which all lanes that are here agree, by what the operation demands of them.
Value* Widener::agreed(Value* value) {
    return isUniform(value) ? first(value) : builder_.CreateExtractElement(wide(value), firstActive());
}

/// Each lane has the value of the lane whose number differs in the bits of `mask`.
Value* Widener::exchanged(Value* lanes, unsigned mask) {
    llvm::SmallVector<int, 32> from;
    for (unsigned lane = 0; lane < width_; ++lane) from.push_back(int(lane ^ mask));
    return builder_.CreateShuffleVector(lanes, from);
}

/// Each lane's value combined with those of the lanes below it in its group of `size`, by doubling steps.
Value* Widener::prefix(Value* lanes, Value* idle, unsigned size, bool inclusive,
                       llvm::function_ref<Value*(Value*, Value*)> combined) {
    auto shifted = [&](Value* vector, unsigned count) {  // towards higher lanes
        llvm::SmallVector<int, 32> from;
        for (unsigned lane = 0; lane < width_; ++lane)
            from.push_back(lane % size < count ? int(width_) : int(lane - count));
        return builder_.CreateShuffleVector(vector, idle, from);
    };
    for (unsigned step = 1; step < size; step *= 2) lanes = combined(shifted(lanes, step), lanes);
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
    from = builder_.CreateFreeze(from);  // lanes that are not here may name any
    const llvm::StringRef features = scalar_.getFnAttribute("target-features").getValueAsString();
    const bool hasAvx512 = features.contains("+avx512f");
    if (hasAvx512 || features.contains("+avx2,")) {
        const auto permuted = [&](Value* words) { return hasAvx512 ? bySixteens(words, from) : byEights(words, from); };
        if (call.getType()->isIntegerTy(32)) return permuted(value);
        llvm::Type* words = wideType(builder_.getInt32Ty());
        auto half = [&](unsigned shift) {
            Value* word = permuted(builder_.CreateTrunc(builder_.CreateLShr(value, shift), words));
            return builder_.CreateShl(builder_.CreateZExt(word, value->getType()), shift);
        };
        Value *low = half(0), *high = half(32);
        return builder_.CreateOr(low, high);
    }
    llvm::AllocaInst* memory = slot(value->getType(), "shuffle");
    builder_.CreateStore(value, memory);
    Value* address = builder_.CreateGEP(call.getType(), memory, from);
    // Every lane reads, also those that are not here: with a mask, each would have a branch of its own.
    Value* all = llvm::Constant::getAllOnesValue(wideType(builder_.getInt1Ty()));
    return builder_.CreateMaskedGather(value->getType(), address, layout_.getABITypeAlign(call.getType()), all);
}

/// By the instruction that picks sixteen of thirty-two words.
Value* Widener::bySixteens(Value* words, Value* from) {
    llvm::SmallVector<int, 32> low, high;
    for (int index = 0; index < 16; ++index) low.push_back(index), high.push_back(index + 16);
    Value *below = builder_.CreateShuffleVector(words, low), *above = builder_.CreateShuffleVector(words, high);
    auto pick = [&](llvm::ArrayRef<int> half) {
        return builder_.CreateIntrinsic(llvm::Intrinsic::x86_avx512_vpermi2var_d_512, {},
                                        {below, builder_.CreateShuffleVector(from, half), above});
    };
    llvm::SmallVector<int, 32> all(low);
    all.append(high);
    Value *lower = pick(low), *upper = pick(high);
    return builder_.CreateShuffleVector(lower, upper, all);
}

/// By the instruction that picks eight of eight words, from each eight of them in turn.
Value* Widener::byEights(Value* words, Value* from) {
    constexpr unsigned eight = 8;
    const auto part = [&](Value* vector, unsigned number) {
        return builder_.CreateShuffleVector(vector, llvm::createSequentialMask(number * eight, eight, 0));
    };
    llvm::SmallVector<Value*, 4> sources, picked;
    for (unsigned number = 0; number < width_ / eight; ++number) sources.push_back(part(words, number));
    for (unsigned number = 0; number < width_ / eight; ++number) {
        Value *places = part(from, number), *which = builder_.CreateLShr(places, 3), *result = nullptr;
        for (unsigned source = 0; source < sources.size(); ++source) {
            Value* found = builder_.CreateIntrinsic(llvm::Intrinsic::x86_avx2_permd, {}, {sources[source], places});
            Value* isHere = builder_.CreateICmpEQ(which, llvm::ConstantInt::get(which->getType(), source));
            result = result ? builder_.CreateSelect(isHere, found, result) : found;
        }
        picked.push_back(result);
    }
    return llvm::concatenateVectors(builder_, picked);
}

}  // namespace metal_host
