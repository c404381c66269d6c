// SPDX-License-Identifier: MIT
//
// Loads and stores: one scalar access where the address is the same in all lanes, one vector access where lanes lie
// side by side, gather and scatter elsewhere. At least one lane is in a block that runs, so scalar accesses need no
// guard.

#include <llvm/IR/Instructions.h>

#include "strip_function.hpp"
#include "widener.hpp"

namespace metal_host {

using llvm::Value;

namespace {

/// More than this of private variables in a strip is kept off the stack; a thread may own so much and no more.
constexpr std::uint64_t stackLimit = 16384, threadLimit = 65536;

}  // namespace

void Widener::variable(llvm::AllocaInst& alloca) {
    const PrivateVariable& facts = privateMemory_.variable(&alloca);
    if (facts.size > threadLimit) {
        return fail("a private variable of " + llvm::Twine(facts.size) + " bytes, more than the " +
                    llvm::Twine(threadLimit) + " a thread can have");
    }
    std::uint64_t bytes = facts.size * width_;
    Value* address = nullptr;
    if (bytes > stackLimit) {
        address =
            entry_.CreateConstGEP1_64(entry_.getInt8Ty(), function_->getArg(stripScratch), scratch_, alloca.getName());
        scratch_ += llvm::alignTo(bytes, 64);
    } else {
        llvm::AllocaInst* block = slot(llvm::ArrayType::get(entry_.getInt8Ty(), bytes), alloca.getName());
        block->setAlignment(llvm::Align(64));
        address = block;
    }
    fixed_[&alloca] = local_[&alloca] = {{address, nullptr}};
}

void Widener::load(llvm::LoadInst& load) {
    Value* pointer = load.getPointerOperand();
    wholeLoads_.erase(&load);
    if (isUniform(&load)) {
        llvm::LoadInst* copy = builder_.CreateAlignedLoad(load.getType(), first(pointer), load.getAlign(),
                                                          load.isVolatile(), load.getName());
        copy->setAtomic(load.getOrdering(), load.getSyncScopeID());
        copy->copyMetadata(load, {llvm::LLVMContext::MD_invariant_load});
        auto parts = partsOf(load.getType(), layout_);
        if (parts.size() == 1 && load.getType()->isSingleValueType() && !load.getType()->isVectorTy())
            return defineFirst(&load, copy);
        AllLanes lanes;
        for (const Part& part : parts) {
            Value* address = builder_.CreateConstGEP1_64(builder_.getInt8Ty(), first(pointer), part.offset);
            lanes.push_back(
                {builder_.CreateAlignedLoad(part.type, address, llvm::commonAlignment(load.getAlign(), part.offset)),
                 nullptr});
        }
        copy->eraseFromParent();
        return define(&load, std::move(lanes));
    }
    if (load.isAtomic()) return laneByLane(load);
    bool invariant = load.hasMetadata(llvm::LLVMContext::MD_invariant_load);
    AllLanes lanes;
    auto parts = partsOf(load.getType(), layout_);
    if (unsigned step = interleaving(pointer, parts)) return define(&load, loadInterleaved(load, parts, step));
    for (const Part& part : parts) {
        lanes.push_back(
            {nullptr, loadPart(pointer, part, llvm::commonAlignment(load.getAlign(), part.offset), invariant)});
    }
    define(&load, std::move(lanes));
}

void Widener::store(llvm::StoreInst& store) {
    Value *pointer = store.getPointerOperand(), *value = store.getValueOperand();
    if (store.isAtomic() && !isUniform(pointer)) return laneByLane(store);
    bool onePlace = isUniform(pointer) && !privateMemory_.interleaved(pointer);
    unsigned index = 0;
    auto parts = partsOf(value->getType(), layout_);
    if (unsigned step = interleaving(pointer, parts)) {
        if (!storePacked(store, step)) storeInterleaved(store, parts, step);
        return;
    }
    if (isNarrowScatter(store)) return laneByLane(store);
    for (const Part& part : parts) {
        llvm::Align align = llvm::commonAlignment(store.getAlign(), part.offset);
        if (onePlace) {
            // Lanes that store to one place at once: any of them may win.
            Value* winner = isUniform(value) ? first(value, index) : lastActive(wide(value, index));
            Value* address = builder_.CreateConstGEP1_64(builder_.getInt8Ty(), first(pointer), part.offset);
            llvm::StoreInst* made = builder_.CreateAlignedStore(winner, address, align, store.isVolatile());
            made->setAtomic(store.getOrdering(), store.getSyncScopeID());
        } else {
            storePart(wide(value, index), pointer, part, align);
        }
        ++index;
    }
}

Value* Widener::loadPart(Value* pointer, const Part& part, llvm::Align align, bool invariant) {
    // A truth value is a byte in memory; a vector of them would be bits.
    bool isBit = part.type->isIntegerTy(1);
    llvm::Type* type = isBit ? builder_.getInt8Ty() : part.type;
    std::uint64_t size = layout_.getTypeStoreSize(type).getFixedValue();
    llvm::VectorType* vector = wideType(type);
    Value* made = nullptr;
    if (const PrivateVariable* inner = privateMemory_.interleaved(pointer)) {
        if (isUniform(pointer)) {
            Value* address = builder_.CreateConstGEP1_64(builder_.getInt8Ty(), first(pointer), part.offset * width_);
            made = builder_.CreateAlignedLoad(vector, address, llvm::Align(inner->elementSize));
        } else {
            Value* own = builder_.CreateGEP(builder_.getInt8Ty(), offset(wide(pointer), part.offset * width_),
                                            steps(builder_.getInt64Ty(), std::int64_t(size)));
            made = builder_.CreateMaskedGather(vector, own, llvm::Align(inner->elementSize), mask_);
        }
    } else if (shape(pointer).isAffine() && shape(pointer).stride == std::int64_t(size)) {
        made = builder_.CreateMaskedLoad(vector, offset(first(pointer), part.offset), align, mask_);
    } else if (size == 1 || (size == 2 && align >= llvm::Align(2))) {
        made = gatherFromWords(offset(wide(pointer), part.offset), type);
    } else {
        made = builder_.CreateMaskedGather(vector, offset(wide(pointer), part.offset), align, mask_);
    }
    if (invariant) {
        if (auto* access = llvm::dyn_cast<llvm::CallInst>(made)) {
            access->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(scalar_.getContext(), {}));
        }
    }
    return isBit ? builder_.CreateTrunc(made, wideType(part.type)) : made;
}

/// Processors gather whole words: takes the aligned word around each byte or halfword, which is in the same page, and
/// shifts.
Value* Widener::gatherFromWords(Value* pointers, llvm::Type* type) {
    llvm::Type *word = wideType(builder_.getInt32Ty()), *place = wideType(builder_.getInt64Ty());
    Value* address = builder_.CreatePtrToInt(pointers, place);
    Value* aligned = builder_.CreateIntToPtr(
        builder_.CreateAnd(address, llvm::ConstantInt::get(place, ~std::uint64_t(3))), pointers->getType());
    Value* bits =
        builder_.CreateShl(builder_.CreateAnd(builder_.CreateTrunc(address, word), llvm::ConstantInt::get(word, 3)), 3);
    Value* words = builder_.CreateMaskedGather(word, aligned, llvm::Align(4), mask_);
    Value* low = builder_.CreateTrunc(builder_.CreateLShr(words, bits),
                                      wideType(builder_.getIntNTy(type->getScalarSizeInBits())));
    return builder_.CreateBitCast(low, wideType(type));
}

void Widener::storePart(Value* value, Value* pointer, const Part& part, llvm::Align align) {
    if (part.type->isIntegerTy(1)) value = builder_.CreateZExt(value, wideType(builder_.getInt8Ty()));
    std::uint64_t size = layout_.getTypeStoreSize(part.type).getFixedValue();
    if (const PrivateVariable* inner = privateMemory_.interleaved(pointer)) {
        llvm::Align elementAlign(inner->elementSize);
        if (isUniform(pointer)) {
            Value* address = builder_.CreateConstGEP1_64(builder_.getInt8Ty(), first(pointer), part.offset * width_);
            builder_.CreateMaskedStore(value, address, elementAlign, mask_);
        } else {
            Value* own = builder_.CreateGEP(builder_.getInt8Ty(), offset(wide(pointer), part.offset * width_),
                                            steps(builder_.getInt64Ty(), std::int64_t(size)));
            builder_.CreateMaskedScatter(value, own, elementAlign, mask_);
        }
    } else if (shape(pointer).isAffine() && shape(pointer).stride == std::int64_t(size)) {
        builder_.CreateMaskedStore(value, offset(first(pointer), part.offset), align, mask_);
    } else {
        builder_.CreateMaskedScatter(value, offset(wide(pointer), part.offset), align, mask_);
    }
}

/// Bytes or halfwords here and there, which no processor scatters.
bool Widener::isNarrowScatter(llvm::StoreInst& store) const {
    Value* pointer = store.getPointerOperand();
    auto parts = partsOf(store.getValueOperand()->getType(), layout_);
    std::uint64_t size = layout_.getTypeStoreSize(parts.front().type).getFixedValue();
    bool besideEachOther = shape(pointer).isAffine() && shape(pointer).stride == std::int64_t(size);
    return parts.size() == 1 && size < 4 && !isUniform(pointer) && !besideEachOther &&
           !privateMemory_.interleaved(pointer) && interleaving(pointer, parts) == 0;
}

/// Lanes lie side by side with few elements between them (a float4 of each, a pixel's red): the distance from lane to
/// lane in elements, 0 where that is not so. One access of the whole stretch and shuffles then take the place of a
/// gather.
unsigned Widener::interleaving(Value* pointer, llvm::ArrayRef<Part> parts) const {
    Shape of = shape(pointer);
    if (!of.isAffine() || of.stride < 0 || privateMemory_.interleaved(pointer)) return 0;
    llvm::Type* type = parts.front().type;
    std::uint64_t size = layout_.getTypeStoreSize(type).getFixedValue();
    if (type->isIntegerTy(1) || type->isPointerTy() || of.stride % std::int64_t(size) != 0) return 0;
    unsigned step = unsigned(of.stride / std::int64_t(size));
    if (step < 2 || step > 4 || parts.size() > step) return 0;
    for (unsigned index = 0; index < parts.size(); ++index) {
        if (parts[index].type != type || parts[index].offset != index * size) return 0;
    }
    return step;
}

/// The lanes' mask over `step` elements a lane, of which the first `count` are wanted.
Value* Widener::interleavedMask(unsigned count, unsigned step) {
    llvm::SmallVector<int, 128> from;
    for (unsigned index = 0; index < width_ * step; ++index)
        from.push_back(index % step < count ? int(index / step) : int(width_));
    return builder_.CreateShuffleVector(mask_, llvm::Constant::getNullValue(mask_->getType()), from);
}

Widener::AllLanes Widener::loadInterleaved(llvm::LoadInst& load, llvm::ArrayRef<Part> parts, unsigned step) {
    llvm::Type* whole = llvm::FixedVectorType::get(parts.front().type, width_ * step);
    llvm::CallInst* all = builder_.CreateMaskedLoad(whole, first(load.getPointerOperand()), load.getAlign(),
                                                    interleavedMask(unsigned(parts.size()), step));
    all->copyMetadata(load, {llvm::LLVMContext::MD_invariant_load});
    if (parts.size() == step) wholeLoads_[&load] = all;
    AllLanes lanes;
    for (unsigned part = 0; part < parts.size(); ++part) {
        llvm::SmallVector<int, 32> from;
        for (unsigned lane = 0; lane < width_; ++lane) from.push_back(int(lane * step + part));
        lanes.push_back({nullptr, builder_.CreateShuffleVector(all, from)});
    }
    return lanes;
}

void Widener::storeInterleaved(llvm::StoreInst& store, llvm::ArrayRef<Part> parts, unsigned step) {
    // Puts the parts behind one another, then picks in the order of memory.
    Value* all = nullptr;
    for (unsigned part = 0; part < parts.size(); ++part) {
        Value* lanes = wide(store.getValueOperand(), part);
        llvm::SmallVector<int, 128> widened, both;
        for (unsigned index = 0; index < width_ * step; ++index) {
            widened.push_back(index < width_ ? int(index) : -1);
            bool isNew = index >= part * width_ && index < (part + 1) * width_;
            both.push_back(isNew ? int(width_ * step + index - part * width_) : int(index));
        }
        lanes = builder_.CreateShuffleVector(lanes, widened);
        all = all ? builder_.CreateShuffleVector(all, lanes, both) : lanes;
    }
    llvm::SmallVector<int, 128> order;
    for (unsigned index = 0; index < width_ * step; ++index) {
        unsigned part = index % step;
        order.push_back(part < parts.size() ? int(part * width_ + index / step) : -1);
    }
    all = builder_.CreateShuffleVector(all, order);
    builder_.CreateMaskedStore(all, first(store.getPointerOperand()), store.getAlign(),
                               interleavedMask(unsigned(parts.size()), step));
}

Value* Widener::offset(Value* pointer, std::uint64_t bytes) {
    return bytes ? builder_.CreateGEP(builder_.getInt8Ty(), pointer, builder_.getInt64(bytes)) : pointer;
}

Value* Widener::lastActive(Value* lanes) {
    Value* bits = builder_.CreateBitCast(mask_, builder_.getIntNTy(width_));
    Value* before = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, bits, builder_.getTrue());
    Value* lane = builder_.CreateSub(llvm::ConstantInt::get(bits->getType(), width_ - 1), before);
    return builder_.CreateExtractElement(lanes, lane);
}

}  // namespace metal_host
