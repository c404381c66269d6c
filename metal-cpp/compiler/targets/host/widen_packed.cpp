// SPDX-License-Identifier: MIT
//
// Vectors of each thread that lie in memory one after the other, and whose elements all go through the same arithmetic,
// stay in the order of memory: no element needs to know which lane it belongs to.
//
//   y[i] = a * x[i] + y[i], of float4:   one vector of 4 W floats, loaded, computed with and stored as it is

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include "widener.hpp"

namespace metal_host {

using llvm::ArrayRef;
using llvm::Instruction;
using llvm::Value;

namespace {

constexpr unsigned deepest = 16;
using Parts = llvm::SmallVector<Value*, 4>;

/// The elements of a vector that is put together one by one; none if it is made otherwise.
Parts elementsOf(Value* vector) {
    auto* type = llvm::dyn_cast<llvm::FixedVectorType>(vector->getType());
    Parts elements(type ? type->getNumElements() : 0, nullptr);
    while (auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(vector)) {
        auto* index = llvm::dyn_cast<llvm::ConstantInt>(insert->getOperand(2));
        if (!index || index->getZExtValue() >= elements.size()) return {};
        Value*& element = elements[index->getZExtValue()];
        if (!element) element = insert->getOperand(1);
        vector = insert->getOperand(0);
    }
    return llvm::is_contained(elements, nullptr) ? Parts() : elements;
}

bool isElementwise(const Instruction& operation) {
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(&operation)) {
        // All operands of one type: none that stays a scalar.
        llvm::Intrinsic::ID id = call->getIntrinsicID();
        return llvm::isTriviallyVectorizable(id) &&
               llvm::all_of(call->args(), [&](const llvm::Use& use) { return use->getType() == call->getType(); });
    }
    return llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator, llvm::CastInst>(operation) && !operation.isIntDivRem();
}

Parts operandsOf(ArrayRef<Value*> parts, unsigned index) {
    Parts operands;
    for (Value* part : parts) operands.push_back(llvm::cast<Instruction>(part)->getOperand(index));
    return operands;
}

unsigned operandCount(const Instruction& operation) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(&operation);
    return call ? call->arg_size() : operation.getNumOperands();
}

}  // namespace

/// What was loaded in one piece, if the parts are its elements in order.
Value* Widener::loadedWhole(ArrayRef<Value*> parts) const {
    Value* whole = nullptr;
    for (unsigned index = 0; index < parts.size(); ++index) {
        auto* extract = llvm::dyn_cast<llvm::ExtractElementInst>(parts[index]);
        auto* number = extract ? llvm::dyn_cast<llvm::ConstantInt>(extract->getIndexOperand()) : nullptr;
        if (!number || !number->equalsInt(index) || (whole && extract->getVectorOperand() != whole)) return nullptr;
        whole = extract->getVectorOperand();
    }
    auto found = wholeLoads_.find(whole);
    bool fits = found != wholeLoads_.end() && llvm::cast<Instruction>(whole)->getParent() == current_ &&
                llvm::cast<llvm::FixedVectorType>(whole->getType())->getNumElements() == parts.size();
    return fits ? found->second : nullptr;
}

bool Widener::canPack(ArrayRef<Value*> parts, unsigned depth) {
    if (llvm::all_of(parts, [this](Value* part) { return isUniform(part); }) || loadedWhole(parts)) return true;
    auto* model = llvm::dyn_cast<Instruction>(parts.front());
    if (depth > deepest || !model || !isElementwise(*model)) return false;
    for (Value* part : parts) {
        auto* operation = llvm::dyn_cast<Instruction>(part);
        if (!operation || !operation->isSameOperationAs(model) || operation->getParent() != current_ ||
            !operation->hasOneUse())
            return false;
        if (llvm::isa<llvm::CallInst>(operation) && llvm::cast<llvm::CallInst>(operation)->getIntrinsicID() !=
                                                        llvm::cast<llvm::CallInst>(model)->getIntrinsicID())
            return false;
    }
    for (unsigned index = 0; index < operandCount(*model); ++index) {
        if (!canPack(operandsOf(parts, index), depth + 1)) return false;
    }
    return true;
}

/// The parts of all lanes in the order of memory.
Value* Widener::packed(ArrayRef<Value*> parts) {
    unsigned count = unsigned(parts.size());
    if (Value* whole = loadedWhole(parts)) return whole;
    if (llvm::all_of(parts, [this](Value* part) { return isUniform(part); })) {
        if (llvm::all_equal(parts)) return builder_.CreateVectorSplat(width_ * count, first(parts.front()));
        Value* one = llvm::PoisonValue::get(llvm::FixedVectorType::get(parts.front()->getType(), count));
        for (unsigned index = 0; index < count; ++index)
            one = builder_.CreateInsertElement(one, first(parts[index]), index);
        llvm::SmallVector<int, 128> again;
        for (unsigned index = 0; index < width_ * count; ++index) again.push_back(int(index % count));
        return builder_.CreateShuffleVector(one, again);
    }
    auto& model = *llvm::cast<Instruction>(parts.front());
    llvm::SmallVector<Value*, 3> operands;
    for (unsigned index = 0; index < operandCount(model); ++index) operands.push_back(packed(operandsOf(parts, index)));
    llvm::Type* type = llvm::FixedVectorType::get(model.getType(), width_ * count);
    Instruction* made = nullptr;
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(&model)) {
        made = llvm::cast<Instruction>(builder_.CreateIntrinsic(type, call->getIntrinsicID(), operands));
        if (llvm::isa<llvm::FPMathOperator>(made)) made->copyFastMathFlags(&model);
    } else {
        made = model.clone();
        made->dropUnknownNonDebugMetadata();
        made->mutateType(type);
        for (unsigned index = 0; index < operands.size(); ++index) made->setOperand(index, operands[index]);
        builder_.Insert(made);
    }
    for (Value* part : parts) made->andIRFlags(part);
    return made;
}

/// Stores all lanes' vectors as they lie, if what is stored allows that.
bool Widener::storePacked(llvm::StoreInst& store, unsigned step) {
    Parts parts = elementsOf(store.getValueOperand());
    if (parts.size() != step || !canPack(parts, 0)) return false;
    builder_.CreateMaskedStore(packed(parts), first(store.getPointerOperand()), store.getAlign(),
                               interleavedMask(step, step));
    return true;
}

}  // namespace metal_host
