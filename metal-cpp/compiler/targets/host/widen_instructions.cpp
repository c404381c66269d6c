// SPDX-License-Identifier: MIT
//
// Arithmetic, addresses and aggregates in their widened form.

#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Instructions.h>

#include "strip_function.hpp"
#include "widener.hpp"

namespace metal_host {

using llvm::Instruction;
using llvm::Value;

void Widener::instruction(Instruction& instruction) {
    if (auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) return variable(*alloca);
    if (auto* access = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return load(*access);
    if (auto* access = llvm::dyn_cast<llvm::StoreInst>(&instruction)) return store(*access);
    if (auto* access = llvm::dyn_cast<llvm::CallInst>(&instruction)) return call(*access);
    if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) return atomicUpdate(*update);
    if (llvm::isa<llvm::AtomicCmpXchgInst>(instruction)) return laneByLane(instruction);
    if (llvm::isa<llvm::FenceInst>(instruction)) {
        builder_.Insert(instruction.clone());
        return;
    }
    if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
        address && privateMemory_.interleaved(address)) {
        return interleavedAddress(*address);
    }
    if (llvm::isa<llvm::InsertValueInst, llvm::ExtractValueInst, llvm::InsertElementInst, llvm::ExtractElementInst>(
            instruction)) {
        return forwardParts(instruction);
    }
    if (auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction)) return shuffleParts(*shuffle);
    if (llvm::isa<llvm::CastInst>(instruction) && instruction.getType()->isVectorTy())
        return castParts(llvm::cast<llvm::CastInst>(instruction));
    if (isUniform(&instruction)) return uniformInstruction(instruction);
    if (shape(&instruction).isAffine() && affineInstruction(instruction)) return;
    varyingInstruction(instruction);
}

/// The same instruction on scalars; part by part where the type has several.
void Widener::uniformInstruction(Instruction& source) {
    AllLanes lanes;
    for (unsigned part = 0; part < std::max<std::size_t>(partsOf(source.getType(), layout_).size(), 1); ++part) {
        Instruction* copy = source.clone();
        copy->dropUnknownNonDebugMetadata();
        // Of lanes that differ, lane 0 stands for all, and may be one without a thread.
        if (!llvm::all_of(source.operands(), [this](Value* operand) { return isUniform(operand); }))
            copy->dropPoisonGeneratingFlags();
        for (llvm::Use& operand : copy->operands()) operand.set(first(operand.get(), part));
        if (copy->getType() != source.getOperand(0)->getType() || !copy->getType()->isSingleValueType()) {
            // Select, freeze and phi of an aggregate become one of each part.
            if (llvm::isa<llvm::SelectInst>(copy)) copy->mutateType(copy->getOperand(1)->getType());
            if (llvm::isa<llvm::FreezeInst>(copy)) copy->mutateType(copy->getOperand(0)->getType());
        }
        builder_.Insert(copy, source.getName());
        lanes.push_back({copy->getType()->isVoidTy() ? nullptr : copy, nullptr});
    }
    if (!source.getType()->isVoidTy()) define(&source, std::move(lanes));
}

/// Lane 0's value by scalar arithmetic. Lane 0 may be one without a thread, so nothing that makes poison of an overflow
/// is kept. An inexact one gets its vector as well, for uses that are not addresses.
bool Widener::affineInstruction(Instruction& source) {
    Value* made = nullptr;
    Shape of = shape(&source);
    if (llvm::isa<llvm::ZExtInst, llvm::SExtInst>(source)) {
        // Taken from the last lane when unsigned: `a[i - 1]` has its wrap-around in lane 0, if anywhere, where it is
        // not used.
        std::int64_t reach =
            llvm::isa<llvm::ZExtInst>(source) && of.stride > 0 ? of.stride * std::int64_t(width_ - 1) : 0;
        Value* narrow = first(source.getOperand(0));
        Value* last =
            builder_.CreateAdd(narrow, llvm::ConstantInt::get(narrow->getType(), std::uint64_t(reach), false, true));
        Value* extended = builder_.CreateCast(llvm::cast<llvm::CastInst>(source).getOpcode(), last, source.getType());
        made =
            builder_.CreateSub(extended, llvm::ConstantInt::get(source.getType(), std::uint64_t(reach), false, true));
    } else if (source.getOpcode() == Instruction::Or) {
        // Its operands are disjoint where threads run it; lane 0, which may have none, counts up to them all the same.
        made = builder_.CreateAdd(first(source.getOperand(0)), first(source.getOperand(1)), source.getName());
    } else {
        Instruction* copy = source.clone();
        copy->dropPoisonGeneratingFlags();
        copy->dropUnknownNonDebugMetadata();
        for (llvm::Use& operand : copy->operands()) operand.set(first(operand.get()));
        made = builder_.Insert(copy, source.getName());
    }
    define(&source, {{made, of.exact ? nullptr : wideOperation(source)}});
    return true;
}

void Widener::varyingInstruction(Instruction& source) {
    if (source.getType()->isAggregateType() || source.getType()->isVectorTy()) {
        if (!llvm::isa<llvm::SelectInst, llvm::FreezeInst>(source)) {
            return fail(llvm::Twine("no widened form of '") + source.getOpcodeName() + "' on a vector or struct");
        }
        AllLanes lanes;
        for (unsigned part = 0; part < partsOf(source.getType(), layout_).size(); ++part) {
            Value* made = nullptr;
            if (llvm::isa<llvm::FreezeInst>(source)) {
                made = builder_.CreateFreeze(wide(source.getOperand(0), part));
            } else {
                made = builder_.CreateSelect(wide(source.getOperand(0)), wide(source.getOperand(1), part),
                                             wide(source.getOperand(2), part));
            }
            lanes.push_back({nullptr, made});
        }
        return define(&source, std::move(lanes));
    }
    Value* made = wideOperation(source);
    if (made) defineWide(&source, made);
}

Value* Widener::wideOperation(Instruction& source) {
    if (source.isIntDivRem()) return integerDivision(source);
    if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&source)) return wideAddress(*address);
    if (auto* choice = llvm::dyn_cast<llvm::SelectInst>(&source)) {
        Value* condition =
            isUniform(choice->getCondition()) ? first(choice->getCondition()) : wide(choice->getCondition());
        Value* made = builder_.CreateSelect(condition, wide(choice->getTrueValue()), wide(choice->getFalseValue()),
                                            source.getName());
        if (auto* instruction = llvm::dyn_cast<Instruction>(made);
            instruction && llvm::isa<llvm::FPMathOperator>(choice)) {
            instruction->copyFastMathFlags(choice);
        }
        return made;
    }
    if (!llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator, llvm::CastInst, llvm::CmpInst, llvm::FreezeInst>(
            source)) {
        fail(llvm::Twine("no widened form of '") + source.getOpcodeName() + "'");
        return nullptr;
    }
    Instruction* copy = source.clone();
    copy->dropUnknownNonDebugMetadata();
    copy->mutateType(wideType(source.getType()));
    for (llvm::Use& operand : copy->operands()) operand.set(wide(operand.get()));
    return builder_.Insert(copy, source.getName());
}

Value* Widener::wideAddress(llvm::GetElementPtrInst& address) {
    llvm::SmallVector<Value*, 4> indices;
    for (Value* index : address.indices()) indices.push_back(isUniform(index) ? first(index) : wide(index));
    Value* base = address.getPointerOperand();
    Value* made = builder_.CreateGEP(address.getSourceElementType(), isUniform(base) ? first(base) : wide(base),
                                     indices, address.getName());
    return made->getType()->isVectorTy() ? made : splat(made);
}

/// Into interleaved private memory an offset of the variable counts once for each lane (private_memory.hpp).
void Widener::interleavedAddress(llvm::GetElementPtrInst& address) {
    bool uniform = isUniform(&address);
    auto number = [&](std::int64_t value) { return builder_.getInt64(std::uint64_t(value)); };
    Value* bytes = nullptr;
    auto add = [&](Value* more) { bytes = bytes ? builder_.CreateAdd(bytes, more) : more; };
    for (auto step = llvm::gep_type_begin(address); step != llvm::gep_type_end(address); ++step) {
        if (llvm::StructType* type = step.getStructTypeOrNull()) {
            auto field = llvm::cast<llvm::ConstantInt>(step.getOperand())->getZExtValue();
            Value* at =
                number(std::int64_t(layout_.getStructLayout(type)->getElementOffset(field).getFixedValue() * width_));
            add(uniform ? at : splat(at));
            continue;
        }
        Value* index = uniform ? first(step.getOperand()) : wide(step.getOperand());
        index = builder_.CreateSExtOrTrunc(index, index->getType()->getWithNewType(builder_.getInt64Ty()));
        Value* scale = number(std::int64_t(step.getSequentialElementStride(layout_).getFixedValue() * width_));
        add(builder_.CreateMul(index, uniform ? scale : splat(scale)));
    }
    Value* base = address.getPointerOperand();
    Value* made = builder_.CreateGEP(builder_.getInt8Ty(), uniform || isUniform(base) ? first(base) : wide(base), bytes,
                                     address.getName());
    uniform ? defineFirst(&address, made) : defineWide(&address, made);
}

/// No processor divides integer vectors; floating point does, exactly, while the quotient's distance from the next
/// integer (at least 1 / divisor) is more than the rounding: a double for 32 bits, a float for 16.
Value* Widener::integerDivision(Instruction& source) {
    auto opcode = source.getOpcode();
    unsigned bits = source.getType()->getIntegerBitWidth();
    Value *dividend = wide(source.getOperand(0)), *divisor = wide(source.getOperand(1));
    bool isSigned = opcode == Instruction::SDiv || opcode == Instruction::SRem;
    bool isRemainder = opcode == Instruction::SRem || opcode == Instruction::URem;
    bool constantDivisor = llvm::isa<llvm::Constant>(source.getOperand(1));
    if (bits > 32 || constantDivisor) {
        // guard_arithmetic saw to the lanes that are here; the others hold anything.
        if (!constantDivisor)
            divisor = builder_.CreateSelect(mask_, divisor, llvm::ConstantInt::get(divisor->getType(), 1));
        return builder_.CreateBinOp(static_cast<Instruction::BinaryOps>(opcode), dividend, divisor, source.getName());
    }
    llvm::Type* real = wideType(bits > 16 ? builder_.getDoubleTy() : builder_.getFloatTy());
    auto convert = [&](Value* value) {
        return isSigned ? builder_.CreateSIToFP(value, real) : builder_.CreateUIToFP(value, real);
    };
    Value* ratio =
        isUniform(source.getOperand(1))
            ? builder_.CreateFMul(convert(dividend), splat(reciprocal(first(source.getOperand(1)), isSigned)))
            : builder_.CreateFDiv(convert(dividend), convert(divisor));
    // INT_MIN / -1 was guarded against, so the quotient fits.
    Value* quotient = isSigned ? builder_.CreateFPToSI(ratio, dividend->getType())
                               : builder_.CreateFPToUI(ratio, dividend->getType());
    if (!isRemainder) return quotient;
    return builder_.CreateSub(dividend, builder_.CreateMul(quotient, divisor), source.getName());
}

/// Of a divisor that all lanes share, rounded away from zero: the product with a dividend that it divides is not less
/// than the quotient, and with any other it stays below the next integer, which is further off than both roundings
/// reach.
Value* Widener::reciprocal(Value* divisor, bool isSigned) {
    bool isWide = divisor->getType()->getIntegerBitWidth() > 16;
    llvm::Type* real = isWide ? builder_.getDoubleTy() : builder_.getFloatTy();
    Value* number = isSigned ? builder_.CreateSIToFP(divisor, real) : builder_.CreateUIToFP(divisor, real);
    Value* inverse = builder_.CreateFDiv(llvm::ConstantFP::get(real, 1.0), number);
    return builder_.CreateFMul(inverse, llvm::ConstantFP::get(real, isWide ? 1 + 0x1p-52 : 1 + 0x1p-23));
}

/// Aggregates and vectors exist as lists of parts only: taking one out or putting one in is bookkeeping.
void Widener::forwardParts(Instruction& source) {
    bool uniform = isUniform(&source);
    auto get = [&](Value* value, unsigned part) { return partOf(value, part, uniform); };
    auto start = [&](llvm::Type* type, llvm::ArrayRef<unsigned> indices) {
        unsigned at = 0;
        for (unsigned index : indices) {
            at += firstPart(type, index, layout_);
            type = llvm::ExtractValueInst::getIndexedType(type, {index});
        }
        return at;
    };
    auto constantIndex = [&](Value* index) -> std::optional<unsigned> {
        if (auto* number = llvm::dyn_cast<llvm::ConstantInt>(index)) return unsigned(number->getZExtValue());
        fail("a vector's element is taken by an index that is no constant");
        return std::nullopt;
    };
    AllLanes lanes;
    unsigned count = partsOf(source.getType(), layout_).size();
    Value *whole = source.getOperand(0), *piece = nullptr;
    unsigned at = 0;
    if (auto* extract = llvm::dyn_cast<llvm::ExtractValueInst>(&source)) {
        at = start(whole->getType(), extract->getIndices());
    } else if (auto* insert = llvm::dyn_cast<llvm::InsertValueInst>(&source)) {
        at = start(whole->getType(), insert->getIndices());
        piece = insert->getInsertedValueOperand();
    } else {
        bool isInsert = llvm::isa<llvm::InsertElementInst>(source);
        std::optional<unsigned> index = constantIndex(source.getOperand(isInsert ? 2 : 1));
        if (!index) return;
        at = *index;
        if (isInsert) piece = source.getOperand(1);
    }
    if (!piece) {
        for (unsigned part = 0; part < count; ++part) lanes.push_back(get(whole, at + part));
    } else {
        unsigned size = partsOf(piece->getType(), layout_).size();
        for (unsigned part = 0; part < count; ++part) {
            lanes.push_back(part >= at && part < at + size ? get(piece, part - at) : get(whole, part));
        }
    }
    define(&source, std::move(lanes));
}

Widener::Lanes Widener::partOf(Value* value, unsigned part, bool uniform) {
    return uniform ? Lanes{first(value, part), nullptr} : Lanes{nullptr, wide(value, part)};
}

void Widener::shuffleParts(llvm::ShuffleVectorInst& shuffle) {
    bool uniform = isUniform(&shuffle);
    int count = int(llvm::cast<llvm::FixedVectorType>(shuffle.getOperand(0)->getType())->getNumElements());
    AllLanes lanes;
    for (int from : shuffle.getShuffleMask()) {
        bool second = from >= count;
        lanes.push_back(partOf(shuffle.getOperand(second ? 1 : 0),
                               unsigned(from < 0 ? 0
                                        : second ? from - count
                                                 : from),
                               uniform));
    }
    define(&shuffle, std::move(lanes));
}

void Widener::castParts(llvm::CastInst& cast) {
    auto to = partsOf(cast.getType(), layout_), from = partsOf(cast.getOperand(0)->getType(), layout_);
    if (to.size() != from.size()) return fail("a vector is reinterpreted as one of other elements");
    bool uniform = isUniform(&cast);
    AllLanes lanes;
    for (unsigned part = 0; part < to.size(); ++part) {
        Lanes operand = partOf(cast.getOperand(0), part, uniform);
        if (uniform) {
            lanes.push_back({builder_.CreateCast(cast.getOpcode(), operand.first, to[part].type), nullptr});
        } else {
            lanes.push_back({nullptr, builder_.CreateCast(cast.getOpcode(), operand.wide, wideType(to[part].type))});
        }
    }
    define(&cast, std::move(lanes));
}

}  // namespace metal_host
