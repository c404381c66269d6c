// SPDX-License-Identifier: MIT
//
// Calls in their widened form, and the last resort: one lane after the other.

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Instructions.h>

#include "lower_stage.hpp"
#include "shared_routines.hpp"
#include "strip_function.hpp"
#include "widener.hpp"

namespace metal_host {

using llvm::Value;

std::optional<Shape> laneFacts(const llvm::Instruction& instruction, const PrivateMemory& privateMemory) {
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
        if (privateMemory.interleaved(variable)) return Shape::uniform();
        return Shape::affine(std::int64_t(privateMemory.variable(variable).size));
    }
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
        if (privateMemory.interleaved(load->getPointerOperand())) return Shape::any();
        return std::nullopt;
    }
    auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (!call) return std::nullopt;
    if (!call->getCalledFunction()) return Shape::any();
    llvm::StringRef name = call->getCalledFunction()->getName();
    if (name == laneIntrinsic) return Shape::affine(1);
    if (name.starts_with(derivativePrefix)) return Shape::any();
    if (name.starts_with(slowFunctionPrefix) || name.starts_with(quadPrefix)) return Shape::any();
    if (!name.consume_front(simdPrefix)) return std::nullopt;
    // One result for all lanes that take part.
    bool isUniform = name == "ballot" || name.starts_with("reduce_") || name.starts_with("broadcast_");
    return isUniform ? Shape::uniform() : Shape::any();
}

void Widener::call(llvm::CallInst& call) {
    llvm::Function* callee = call.getCalledFunction();
    if (!callee) return laneByLane(call);  // a visible function
    if (auto* inner = llvm::dyn_cast<llvm::IntrinsicInst>(&call)) {
        if (!intrinsic(*inner)) fail("no widened form of " + callee->getName());
        return;
    }
    llvm::StringRef name = callee->getName();
    if (name == laneIntrinsic) return defineFirst(&call, builder_.getInt32(0));
    if (name == simdgroupBarrier) return;  // lanes of a strip run in step
    if (name == threadgroupBarrier) {
        builder_.Insert(call.clone());
        return;
    }
    if (name.starts_with(slowFunctionPrefix)) return laneByLane(call);
    if (name.starts_with(routinePrefix)) return routine(call);
    if (derivative(call)) return;
    if (!exchange(call)) fail("a call of '" + name + "', which has no definition");
}

bool Widener::intrinsic(llvm::IntrinsicInst& call) {
    llvm::Intrinsic::ID id = call.getIntrinsicID();
    switch (id) {
        case llvm::Intrinsic::lifetime_start:
        case llvm::Intrinsic::lifetime_end:
        case llvm::Intrinsic::assume:
        case llvm::Intrinsic::experimental_noalias_scope_decl:
        case llvm::Intrinsic::donothing:
        case llvm::Intrinsic::sideeffect:
            return true;
        default:
            if (llvm::isa<llvm::DbgInfoIntrinsic>(call)) return true;
    }
    bool withOverflow = llvm::isa<llvm::WithOverflowInst>(call);
    if (isUniform(&call) && withOverflow) {
        Value* both = builder_.CreateBinaryIntrinsic(id, first(call.getArgOperand(0)), first(call.getArgOperand(1)), {},
                                                     call.getName());
        define(&call,
               {{builder_.CreateExtractValue(both, 0), nullptr}, {builder_.CreateExtractValue(both, 1), nullptr}});
        return true;
    }
    if (isUniform(&call) || id == llvm::Intrinsic::trap) {
        uniformInstruction(call);
        return true;
    }
    if (id == llvm::Intrinsic::fptosi_sat || id == llvm::Intrinsic::fptoui_sat)
        return defineWide(&call, saturated(call)), true;
    if (!withOverflow && !llvm::isTriviallyVectorizable(id)) return false;
    llvm::SmallVector<llvm::Type*, 2> overloads;
    if (withOverflow || llvm::isVectorIntrinsicWithOverloadTypeAtArg(id, -1, nullptr)) {
        overloads.push_back(wideType(withOverflow ? call.getArgOperand(0)->getType() : call.getType()));
    }
    llvm::SmallVector<Value*, 4> arguments;
    for (unsigned index = 0; index < call.arg_size(); ++index) {
        bool scalar = !withOverflow && llvm::isVectorIntrinsicWithScalarOpAtArg(id, index, nullptr);
        Value* argument = call.getArgOperand(index);
        if (scalar && !isUniform(argument)) return false;
        arguments.push_back(scalar ? first(argument) : wide(argument));
        if (!withOverflow && llvm::isVectorIntrinsicWithOverloadTypeAtArg(id, index, nullptr))
            overloads.push_back(arguments.back()->getType());
    }
    llvm::Function* wideCallee = llvm::Intrinsic::getOrInsertDeclaration(scalar_.getParent(), id, overloads);
    llvm::CallInst* made = builder_.CreateCall(wideCallee, arguments, call.getName());
    if (llvm::isa<llvm::FPMathOperator>(made)) made->copyFastMathFlags(&call);
    if (!withOverflow) {
        defineWide(&call, made);
    } else {
        define(&call,
               {{nullptr, builder_.CreateExtractValue(made, 0)}, {nullptr, builder_.CreateExtractValue(made, 1)}});
    }
    return true;
}

/// Numbers to integers, those outside to the nearest one, NaN to zero. LLVM 22 has a vector form of that for few
/// processors and else converts lane by lane; a plain conversion's result is not looked at where it is none.
Value* Widener::saturated(llvm::IntrinsicInst& call) {
    bool isSigned = call.getIntrinsicID() == llvm::Intrinsic::fptosi_sat;
    Value* number = wide(call.getArgOperand(0));
    llvm::Type *from = number->getType(), *to = wideType(call.getType());
    unsigned bits = call.getType()->getIntegerBitWidth();
    llvm::APInt least = isSigned ? llvm::APInt::getSignedMinValue(bits) : llvm::APInt::getZero(bits);
    llvm::APInt most = isSigned ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getMaxValue(bits);
    // The first numbers that are too large, and not smaller than the smallest: powers of two, or zero.
    llvm::APFloat tooLarge(call.getArgOperand(0)->getType()->getFltSemantics()), smallest = tooLarge;
    tooLarge.convertFromAPInt(llvm::APInt::getOneBitSet(bits + 1, bits - isSigned), false,
                              llvm::APFloat::rmNearestTiesToEven);
    smallest.convertFromAPInt(least, isSigned, llvm::APFloat::rmNearestTiesToEven);
    Value* made = nullptr;
    if (bits < 32) {
        // Through 32 bits, which processors convert to; whatever lies between is exact in them.
        made = builder_.CreateTrunc(builder_.CreateFPToSI(number, wideType(builder_.getInt32Ty())), to);
    } else {
        made = isSigned ? builder_.CreateFPToSI(number, to) : builder_.CreateFPToUI(number, to);
    }
    Value* isSmall = builder_.CreateFCmpOLT(number, llvm::ConstantFP::get(from, smallest));
    Value* isLarge = builder_.CreateFCmpOGE(number, llvm::ConstantFP::get(from, tooLarge));
    made = builder_.CreateSelect(isLarge, llvm::ConstantInt::get(to, most), made);
    if (!isSigned) {
        Value* counts = builder_.CreateFCmpOGE(number, llvm::ConstantFP::get(from, smallest));
        return builder_.CreateSelect(counts, made, llvm::Constant::getNullValue(to));
    }
    made = builder_.CreateSelect(isSmall, llvm::ConstantInt::get(to, least), made);
    return builder_.CreateSelect(builder_.CreateFCmpUNO(number, number), llvm::Constant::getNullValue(to), made);
}

namespace {

/// Whether a vector of these lies in memory as an array of them does.
bool liesInBytes(llvm::Type* type, const llvm::DataLayout& layout) {
    return layout.getTypeSizeInBits(type) == layout.getTypeAllocSizeInBits(type);
}

}  // namespace

/// Memory for a vector that one lane after the other reads or writes; the calls after this one use it again.
llvm::AllocaInst* Widener::laneMemory(llvm::Type* type, unsigned number) {
    llvm::AllocaInst*& memory = laneMemory_[{type, number}];
    if (!memory) laneMemories_.insert(memory = slot(type, "lanes"));
    return memory;
}

/// for each active lane: the instruction on that lane's operands. At least one lane is active. Vectors go through
/// memory, since taking a lane whose number is not constant would write them there each time.
void Widener::laneByLane(Instruction& source) {
    auto parts = partsOf(source.getType(), layout_);
    // The vectors are made before the loop.
    std::vector<llvm::SmallVector<Value*, 4>> operands;
    unsigned count = 0;
    for (Value* operand : source.operands()) {
        auto& values = operands.emplace_back();
        if (llvm::isa<llvm::Function>(operand)) continue;
        for (unsigned part = 0; part < partsOf(operand->getType(), layout_).size(); ++part) {
            values.push_back(isUniform(operand) ? first(operand, part) : wide(operand, part));
            auto* vector = llvm::dyn_cast<llvm::VectorType>(values.back()->getType());
            if (isUniform(operand) || !vector || !liesInBytes(vector->getElementType(), layout_)) continue;
            llvm::AllocaInst* memory = laneMemory(vector, count++);
            builder_.CreateStore(values.back(), memory);
            values.back() = memory;
        }
    }
    llvm::Type* bitsType = builder_.getIntNTy(width_);
    Value* bits = builder_.CreateBitCast(mask_, bitsType);
    BasicBlock* before = builder_.GetInsertBlock();
    BasicBlock* loop = BasicBlock::Create(scalar_.getContext(), "lane.by.lane", function_);
    BasicBlock* after = BasicBlock::Create(scalar_.getContext(), "lane.by.lane.end", function_);
    builder_.CreateBr(loop);
    builder_.SetInsertPoint(loop);
    llvm::PHINode* left = builder_.CreatePHI(bitsType, 2, "left");
    left->addIncoming(bits, before);
    llvm::SmallVector<llvm::PHINode*, 4> results;
    for (const Part& part : parts) {
        results.push_back(nullptr);
        if (liesInBytes(part.type, layout_)) continue;
        results.back() = builder_.CreatePHI(wideType(part.type), 2);
        results.back()->addIncoming(llvm::PoisonValue::get(wideType(part.type)), before);
    }
    Value* lane = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, left, builder_.getTrue());
    Instruction* copy = source.clone();
    copy->dropUnknownNonDebugMetadata();
    for (unsigned index = 0; index < copy->getNumOperands(); ++index) {
        if (operands[index].empty()) continue;
        copy->setOperand(index, oneLane(source.getOperand(index)->getType(), operands[index], lane));
    }
    builder_.Insert(copy);
    llvm::SmallVector<Value*, 4> scalars;
    takeApart(copy, scalars);
    AllLanes lanes;
    for (unsigned part = 0; part < parts.size(); ++part) {
        if (!results[part]) {
            llvm::AllocaInst* memory = laneMemory(wideType(parts[part].type), count + part);
            builder_.CreateStore(scalars[part], builder_.CreateGEP(parts[part].type, memory, lane));
            lanes.push_back({nullptr, memory});
            continue;
        }
        Value* inserted = builder_.CreateInsertElement(results[part], scalars[part], lane);
        results[part]->addIncoming(inserted, loop);
        lanes.push_back({nullptr, inserted});
    }
    Value* rest = builder_.CreateAnd(left, builder_.CreateSub(left, llvm::ConstantInt::get(bitsType, 1)));
    left->addIncoming(rest, loop);
    builder_.CreateCondBr(builder_.CreateIsNotNull(rest), loop, after);
    builder_.SetInsertPoint(after);
    for (unsigned part = 0; part < parts.size(); ++part)
        if (!results[part]) lanes[part].wide = builder_.CreateLoad(wideType(parts[part].type), lanes[part].wide);
    if (!parts.empty()) define(&source, std::move(lanes));
}

/// The scalars that a value of one lane consists of, in the order of its parts.
void Widener::takeApart(Value* whole, llvm::SmallVectorImpl<Value*>& scalars) {
    llvm::Type* type = whole->getType();
    if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
        for (unsigned index = 0; index < vector->getNumElements(); ++index)
            scalars.push_back(builder_.CreateExtractElement(whole, index));
    } else if (type->isAggregateType()) {
        const unsigned count =
            type->isStructTy() ? type->getStructNumElements() : unsigned(type->getArrayNumElements());
        for (unsigned index = 0; index < count; ++index) takeApart(builder_.CreateExtractValue(whole, index), scalars);
    } else if (!type->isVoidTy()) {
        scalars.push_back(whole);
    }
}

/// One lane's value, put together from its parts: scalars, or vectors to take the lane from, or their memory.
Value* Widener::oneLane(llvm::Type* type, llvm::ArrayRef<Value*> parts, Value* lane) {
    auto take = [&](Value* part) -> Value* {
        if (laneMemories_.contains(part)) {
            auto* vector = llvm::cast<llvm::VectorType>(llvm::cast<llvm::AllocaInst>(part)->getAllocatedType());
            return builder_.CreateLoad(vector->getElementType(),
                                       builder_.CreateGEP(vector->getElementType(), part, lane));
        }
        return part->getType()->isVectorTy() ? builder_.CreateExtractElement(part, lane) : part;
    };
    if (!type->isVectorTy()) return take(parts.front());
    Value* whole = llvm::PoisonValue::get(type);
    for (unsigned part = 0; part < parts.size(); ++part)
        whole = builder_.CreateInsertElement(whole, take(parts[part]), part);
    return whole;
}

/// All lanes update one place and none asks what was there: reduce first, then update once.
void Widener::atomicUpdate(llvm::AtomicRMWInst& update) {
    Value *pointer = update.getPointerOperand(), *value = update.getValOperand();
    llvm::Intrinsic::ID reduction = llvm::Intrinsic::not_intrinsic;
    llvm::Type* type = value->getType();
    std::uint64_t neutral = 0;
    if (isUniform(pointer) && update.use_empty() && type->isIntegerTy() && !update.isVolatile()) {
        unsigned bits = type->getIntegerBitWidth();
        std::uint64_t ones = bits >= 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << bits) - 1;
        switch (update.getOperation()) {
            case llvm::AtomicRMWInst::Add:
            case llvm::AtomicRMWInst::Sub:
                reduction = llvm::Intrinsic::vector_reduce_add;
                break;
            case llvm::AtomicRMWInst::And:
                reduction = llvm::Intrinsic::vector_reduce_and;
                neutral = ones;
                break;
            case llvm::AtomicRMWInst::Or:
                reduction = llvm::Intrinsic::vector_reduce_or;
                break;
            case llvm::AtomicRMWInst::Xor:
                reduction = llvm::Intrinsic::vector_reduce_xor;
                break;
            case llvm::AtomicRMWInst::Max:
                reduction = llvm::Intrinsic::vector_reduce_smax;
                neutral = std::uint64_t(1) << (bits - 1);
                break;
            case llvm::AtomicRMWInst::Min:
                reduction = llvm::Intrinsic::vector_reduce_smin;
                neutral = ones >> 1;
                break;
            case llvm::AtomicRMWInst::UMax:
                reduction = llvm::Intrinsic::vector_reduce_umax;
                break;
            case llvm::AtomicRMWInst::UMin:
                reduction = llvm::Intrinsic::vector_reduce_umin;
                neutral = ones;
                break;
            default:
                break;
        }
    }
    bool isSum =
        update.getOperation() == llvm::AtomicRMWInst::FAdd || update.getOperation() == llvm::AtomicRMWInst::FSub;
    bool isFloatSum = isSum && isUniform(pointer) && update.use_empty() && !update.isVolatile();
    if (reduction == llvm::Intrinsic::not_intrinsic && !isFloatSum) return laneByLane(update);
    llvm::Constant* idle = isFloatSum ? llvm::ConstantFP::getNegativeZero(wideType(type))
                                      : llvm::ConstantInt::get(wideType(type), neutral);
    Value* lanes = builder_.CreateSelect(mask_, wide(value), idle);
    Value* total = isFloatSum ? reduced(lanes, [this](Value* a, Value* b) { return builder_.CreateFAdd(a, b); })
                              : builder_.CreateUnaryIntrinsic(reduction, lanes);
    builder_.CreateAtomicRMW(update.getOperation(), first(pointer), total, update.getAlign(), update.getOrdering(),
                             update.getSyncScopeID());
}

}  // namespace metal_host
