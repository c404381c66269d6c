// SPDX-License-Identifier: MIT
#include "frontend/initial_values.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Evaluator.h>

#include <algorithm>
#include <map>
#include <vector>

namespace metal_compiler {
namespace {

// Of a value that any pipeline waits for.
constexpr unsigned mostCalls = 4096, mostInstructions = 1 << 17;

// Everything into one function. False when there is no end to it.
bool inlineCalls(llvm::Function& function) {
    std::vector<llvm::CallBase*> calls;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
        if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) calls.push_back(call);
    }
    for (unsigned count = 0; !calls.empty();) {
        llvm::CallBase* call = calls.back();
        calls.pop_back();
        const llvm::Function* callee = call->getCalledFunction();
        if (callee == nullptr || callee->isDeclaration()) continue;
        if (++count > mostCalls || function.getInstructionCount() > mostInstructions) return false;
        llvm::InlineFunctionInfo info;
        if (!llvm::InlineFunction(*call, info).isSuccess()) return false;
        calls.insert(calls.end(), info.InlinedCallSites.begin(), info.InlinedCallSites.end());
    }
    return true;
}

void unrollAll(llvm::Function& function) {
    llvm::LLVMContext& context = function.getContext();
    llvm::DominatorTree dominators(function);
    const llvm::LoopInfo loops(dominators);
    for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
        llvm::MDNode* wish = llvm::MDNode::get(context, llvm::MDString::get(context, "llvm.loop.unroll.full"));
        llvm::MDNode* id = llvm::MDNode::getDistinct(context, {nullptr, wish});
        id->replaceOperandWith(0, id);
        loop->setLoopID(id);
    }
}

// What is left is stores of constants, unless the function asks for what only the running program has.
void fold(llvm::Function& function) {
    llvm::LoopAnalysisManager loops;
    llvm::FunctionAnalysisManager functions;
    llvm::CGSCCAnalysisManager components;
    llvm::ModuleAnalysisManager modules;
    llvm::PassBuilder builder;
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
    llvm::FunctionPassManager passes;
    passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    passes.addPass(llvm::EarlyCSEPass());
    passes.addPass(llvm::InstCombinePass());
    passes.addPass(llvm::SimplifyCFGPass());
    passes.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LoopRotatePass()));
    passes.addPass(llvm::LoopUnrollPass());
    passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    passes.addPass(llvm::GVNPass());
    passes.addPass(llvm::InstCombinePass());
    passes.addPass(llvm::SimplifyCFGPass());
    unrollAll(function);
    passes.run(function, functions);
}

// The other way than constantFromBytes. False for what has an address in it.
bool writeBytes(llvm::Constant* value, std::uint8_t* bytes, const llvm::DataLayout& layout) {
    llvm::Type* type = value->getType();
    if (llvm::isa<llvm::UndefValue>(value) || value->isNullValue()) {
        std::fill_n(bytes, layout.getTypeStoreSize(type), std::uint8_t(0));
        return true;
    }
    if (type->isAggregateType() || type->isVectorTy()) {
        auto* structure = llvm::dyn_cast<llvm::StructType>(type);
        const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
        const unsigned count = structure != nullptr ? structure->getNumElements()
                               : vector != nullptr  ? vector->getNumElements()
                                                    : static_cast<unsigned>(type->getArrayNumElements());
        for (unsigned i = 0; i < count; ++i) {
            llvm::Constant* element = value->getAggregateElement(i);
            if (element == nullptr) return false;
            const std::uint64_t offset =
                structure != nullptr ? layout.getStructLayout(structure)->getElementOffset(i).getFixedValue()
                : vector != nullptr  ? i * layout.getTypeStoreSize(element->getType()).getFixedValue()
                                     : i * layout.getTypeAllocSize(element->getType()).getFixedValue();
            if (!writeBytes(element, bytes + offset, layout)) return false;
        }
        return true;
    }
    llvm::APInt bits;
    if (const auto* integer = llvm::dyn_cast<llvm::ConstantInt>(value)) {
        bits = integer->getValue();
    } else if (const auto* number = llvm::dyn_cast<llvm::ConstantFP>(value)) {
        bits = number->getValueAPF().bitcastToAPInt();
    } else {
        return false;
    }
    const unsigned size = static_cast<unsigned>(layout.getTypeStoreSize(type));
    bits = bits.zext(size * 8);
    for (unsigned i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(bits.extractBitsAsZExtValue(8, i * 8));
    return true;
}

// For stores that LLVM's evaluator does not take: several members at once.
bool evaluateStores(llvm::Function& initializer) {
    const llvm::DataLayout& layout = initializer.getDataLayout();
    if (initializer.size() != 1) return false;
    std::map<llvm::GlobalVariable*, std::vector<std::uint8_t>> images;
    for (llvm::Instruction& instruction : initializer.front()) {
        if (llvm::isa<llvm::IntrinsicInst>(instruction) || llvm::isa<llvm::ReturnInst>(instruction)) continue;
        auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
        auto* value = store != nullptr ? llvm::dyn_cast<llvm::Constant>(store->getValueOperand()) : nullptr;
        if (value == nullptr) return false;
        llvm::APInt offset(layout.getIndexTypeSizeInBits(store->getPointerOperandType()), 0);
        auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(const_cast<llvm::Value*>(
            store->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true)));
        if (variable == nullptr || !variable->hasInitializer()) return false;
        auto [image, isNew] = images.try_emplace(variable, layout.getTypeAllocSize(variable->getValueType()));
        if (isNew && !writeBytes(variable->getInitializer(), image->second.data(), layout)) return false;
        if (offset.isNegative() ||
            offset.getZExtValue() + layout.getTypeStoreSize(value->getType()) > image->second.size() ||
            !writeBytes(value, image->second.data() + offset.getZExtValue(), layout))
            return false;
    }
    for (const auto& [variable, image] : images) {
        llvm::Constant* value = constantFromBytes(variable->getValueType(), image.data(), layout);
        if (value == nullptr) return false;
        variable->setInitializer(value);
        variable->setConstant(true);
    }
    return true;
}

bool evaluate(llvm::Function& initializer) {
    initializer.removeFnAttr(llvm::Attribute::OptimizeNone);
    if (!inlineCalls(initializer)) return false;
    fold(initializer);
    llvm::Evaluator evaluator(initializer.getDataLayout(), /*TLI=*/nullptr);
    llvm::Constant* result = nullptr;
    if (!evaluator.EvaluateFunction(&initializer, result, llvm::SmallVector<llvm::Constant*, 0>()))
        return evaluateStores(initializer);
    for (const auto& [variable, value] : evaluator.getMutatedInitializers()) {
        variable->setInitializer(value);
        variable->setConstant(true);  // for those that follow from it
    }
    return true;
}

}  // namespace

llvm::Constant* constantFromBytes(llvm::Type* type, const std::uint8_t* bytes, const llvm::DataLayout& layout) {
    if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
        const std::uint64_t stride = layout.getTypeAllocSize(array->getElementType());
        llvm::SmallVector<llvm::Constant*, 4> elements;
        for (std::uint64_t i = 0; i < array->getNumElements(); ++i) {
            elements.push_back(constantFromBytes(array->getElementType(), bytes + i * stride, layout));
        }
        return llvm::ConstantArray::get(array, elements);
    }
    if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
        llvm::SmallVector<llvm::Constant*, 4> members;
        for (unsigned i = 0; i < structure->getNumElements(); ++i) {
            const std::uint64_t offset = layout.getStructLayout(structure)->getElementOffset(i);
            members.push_back(constantFromBytes(structure->getElementType(i), bytes + offset, layout));
        }
        return llvm::ConstantStruct::get(structure, members);
    }
    if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
        llvm::SmallVector<llvm::Constant*, 4> elements;
        const std::uint64_t stride = layout.getTypeStoreSize(vector->getElementType());
        for (unsigned i = 0; i < vector->getNumElements(); ++i) {
            elements.push_back(constantFromBytes(vector->getElementType(), bytes + i * stride, layout));
        }
        return llvm::ConstantVector::get(elements);
    }
    const unsigned size = static_cast<unsigned>(layout.getTypeStoreSize(type));
    llvm::APInt value(size * 8, 0);
    for (unsigned i = 0; i < size; ++i) value |= llvm::APInt(size * 8, bytes[i]) << (i * 8);
    if (type->isIntegerTy()) return llvm::ConstantInt::get(type, value.trunc(type->getIntegerBitWidth()));
    if (type->isFloatingPointTy()) {
        return llvm::ConstantFP::get(
            type, llvm::APFloat(type->getFltSemantics(), value.trunc(type->getPrimitiveSizeInBits())));
    }
    return nullptr;
}

bool runConstructor(llvm::Function& constructor) {
    // Clang's calls one function for each variable.
    for (llvm::Instruction& instruction : llvm::instructions(constructor)) {
        if (llvm::isa<llvm::ReturnInst>(instruction)) return true;
        auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        llvm::Function* callee = call != nullptr ? call->getCalledFunction() : nullptr;
        if (callee == nullptr || callee->isDeclaration() || !callee->arg_empty()) break;
        if (!evaluate(*callee)) return false;
    }
    return evaluate(constructor);
}

}  // namespace metal_compiler
