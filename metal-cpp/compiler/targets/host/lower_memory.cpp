// SPDX-License-Identifier: MIT

#include "lower_memory.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

#include <vector>

namespace metal_host {
namespace {

using llvm::Value;

constexpr std::uint64_t unrolledElements = 32;

/// The scalar that a private variable consists of, so that its accesses stay whole elements (private_memory.hpp).
std::uint64_t scalarSize(Value* pointer, const llvm::DataLayout& layout) {
    auto* variable = llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer));
    if (!variable) return 0;
    llvm::Type* type = variable->getAllocatedType();
    while (type->isAggregateType() || type->isVectorTy()) {
        if (type->isStructTy() && type->getStructNumElements() == 0) return 0;
        type = type->isStructTy() ? type->getStructElementType(0) : type->getContainedType(0);
    }
    return layout.getTypeStoreSize(type).getFixedValue();
}

class Expansion {
public:
    explicit Expansion(llvm::MemIntrinsic& call) : call_(call), builder_(&call) {
        const llvm::DataLayout& layout = call.getDataLayout();
        auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(&call);
        auto* length = llvm::dyn_cast<llvm::ConstantInt>(call.getLength());
        std::uint64_t wish = scalarSize(call.getDest(), layout);
        if (transfer && !wish) wish = scalarSize(transfer->getSource(), layout);
        element_ = wish ? wish : 4;
        align_ = call.getDestAlign().valueOrOne();
        if (transfer) align_ = std::min(align_, transfer->getSourceAlign().valueOrOne());
        while (element_ > 1 && (!length || length->getZExtValue() % element_ || (!wish && align_.value() < element_)))
            element_ /= 2;
        if (!llvm::isPowerOf2_64(element_) || element_ > 8) element_ = 1;
        type_ = builder_.getIntNTy(unsigned(element_ * 8));
    }

    void run() {
        auto* length = llvm::dyn_cast<llvm::ConstantInt>(call_.getLength());
        if (length && length->getZExtValue() / element_ <= unrolledElements) {
            unrolled(length->getZExtValue() / element_);
        } else {
            Value* count = builder_.CreateUDiv(builder_.CreateZExtOrTrunc(call_.getLength(), builder_.getInt64Ty()),
                                               builder_.getInt64(element_));
            if (llvm::isa<llvm::MemMoveInst>(call_)) {
                backwardOrForward(count);
            } else {
                loop(count, &call_, false);
            }
        }
        call_.eraseFromParent();
    }

private:
    Value* read(Value* index) {
        if (auto* fill = llvm::dyn_cast<llvm::MemSetInst>(&call_)) {
            Value* byte = builder_.CreateZExt(fill->getValue(), type_);
            std::uint64_t ones = 0;
            for (std::uint64_t at = 0; at < element_; ++at) ones |= std::uint64_t(1) << (8 * at);
            return builder_.CreateMul(byte, llvm::ConstantInt::get(type_, ones));
        }
        Value* source = llvm::cast<llvm::MemTransferInst>(call_).getSource();
        return builder_.CreateAlignedLoad(type_, builder_.CreateGEP(type_, source, index),
                                          llvm::commonAlignment(align_, element_));
    }

    void write(Value* value, Value* index) {
        builder_.CreateAlignedStore(value, builder_.CreateGEP(type_, call_.getDest(), index),
                                    llvm::commonAlignment(align_, element_));
    }

    void unrolled(std::uint64_t count) {
        std::vector<Value*> values;  // all are read before any is written: source and destination may overlap
        for (std::uint64_t index = 0; index < count; ++index) values.push_back(read(builder_.getInt64(index)));
        for (std::uint64_t index = 0; index < count; ++index) write(values[index], builder_.getInt64(index));
    }

    void loop(Value* count, llvm::Instruction* before, bool backward) {
        builder_.SetInsertPoint(before);
        llvm::Instruction* body = llvm::SplitBlockAndInsertIfThen(builder_.CreateIsNotNull(count), before, false);
        llvm::BasicBlock *head = body->getParent(), *after = body->getSuccessor(0);
        llvm::BasicBlock* round = llvm::BasicBlock::Create(call_.getContext(), "copy", call_.getFunction(), after);
        body->setSuccessor(0, round);
        builder_.SetInsertPoint(round);
        llvm::PHINode* index = builder_.CreatePHI(builder_.getInt64Ty(), 2);
        Value* next = builder_.CreateAdd(index, builder_.getInt64(1));
        Value* at = backward ? builder_.CreateSub(count, next) : index;
        write(read(at), at);
        index->addIncoming(builder_.getInt64(0), head);
        index->addIncoming(next, round);
        builder_.CreateCondBr(builder_.CreateICmpULT(next, count), round, after);
    }

    void backwardOrForward(Value* count) {
        auto& move = llvm::cast<llvm::MemMoveInst>(call_);
        Value* to = builder_.CreatePtrToInt(move.getDest(), builder_.getInt64Ty());
        Value* from = builder_.CreatePtrToInt(move.getSource(), builder_.getInt64Ty());
        llvm::Instruction *forward = nullptr, *backward = nullptr;
        llvm::SplitBlockAndInsertIfThenElse(builder_.CreateICmpULT(to, from), &call_, &forward, &backward);
        loop(count, forward, false);
        loop(count, backward, true);
    }

    llvm::MemIntrinsic& call_;
    llvm::IRBuilder<> builder_;
    std::uint64_t element_ = 4;
    llvm::Align align_;
    llvm::Type* type_ = nullptr;
};

/// Size of the equal pieces that an integer's bytes are taken apart into; 0 when it can stay whole.
unsigned pieceOf(llvm::Type* type) {
    if (!type->isIntegerTy() || type->getIntegerBitWidth() % 8 != 0) return 0;
    const unsigned bytes = type->getIntegerBitWidth() / 8;
    return llvm::isPowerOf2_32(bytes) ? 0 : bytes & -bytes;
}

/// Calls `access` with each piece's address, alignment and place in the integer.
template <class Access>
void forPieces(llvm::IRBuilder<>& builder, llvm::Type* type, Value* pointer, llvm::Align align, Access access) {
    const unsigned piece = pieceOf(type);
    for (unsigned at = 0; at < type->getIntegerBitWidth() / 8; at += piece)
        access(builder.CreateConstGEP1_64(builder.getInt8Ty(), pointer, at), llvm::commonAlignment(align, at), 8 * at);
}

void splitLoad(llvm::LoadInst& load) {
    llvm::IRBuilder<> builder(&load);
    llvm::Type *type = load.getType(), *pieceType = builder.getIntNTy(8 * pieceOf(type));
    Value* whole = llvm::ConstantInt::get(type, 0);
    forPieces(builder, type, load.getPointerOperand(), load.getAlign(),
              [&](Value* address, llvm::Align align, unsigned bit) {
                  llvm::LoadInst* piece = builder.CreateAlignedLoad(pieceType, address, align, load.isVolatile());
                  piece->copyMetadata(load, {llvm::LLVMContext::MD_invariant_load});
                  whole = builder.CreateOr(whole, builder.CreateShl(builder.CreateZExt(piece, type), bit));
              });
    load.replaceAllUsesWith(whole);
    load.eraseFromParent();
}

void splitStore(llvm::StoreInst& store) {
    llvm::IRBuilder<> builder(&store);
    Value* whole = store.getValueOperand();
    llvm::Type *type = whole->getType(), *pieceType = builder.getIntNTy(8 * pieceOf(type));
    forPieces(builder, type, store.getPointerOperand(), store.getAlign(),
              [&](Value* address, llvm::Align align, unsigned bit) {
                  Value* piece = builder.CreateTrunc(builder.CreateLShr(whole, bit), pieceType);
                  builder.CreateAlignedStore(piece, address, align, store.isVolatile());
              });
    store.eraseFromParent();
}

}  // namespace

bool splitOddIntegers(llvm::Function& function) {
    std::vector<llvm::LoadInst*> loads;
    std::vector<llvm::StoreInst*> stores;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
        if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && pieceOf(load->getType()))
            loads.push_back(load);
        if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
            store && pieceOf(store->getValueOperand()->getType()))
            stores.push_back(store);
    }
    for (llvm::LoadInst* load : loads) splitLoad(*load);
    for (llvm::StoreInst* store : stores) splitStore(*store);
    return !loads.empty() || !stores.empty();
}

void makeThreadgroupAtomicsPlain(llvm::Module& module) {
    constexpr unsigned threadgroup = 3;
    for (llvm::Function& function : module) {
        for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
            if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
                if (update->getPointerAddressSpace() == threadgroup) llvm::lowerAtomicRMWInst(update);
            } else if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
                if (exchange->getPointerAddressSpace() == threadgroup) llvm::lowerAtomicCmpXchgInst(exchange);
            }
        }
    }
}

void expandMemoryIntrinsics(llvm::Function& function) {
    std::vector<llvm::MemIntrinsic*> calls;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
        if (auto* call = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) calls.push_back(call);
    }
    for (llvm::MemIntrinsic* call : calls) Expansion(*call).run();
}

}  // namespace metal_host
