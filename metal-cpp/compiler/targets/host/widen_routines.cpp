// SPDX-License-Identifier: MIT
//
// Calls of routines (shared_routines.hpp), and routines in their widened form: what differs between lanes comes and
// goes as vectors, behind the mask of the lanes that call.

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "shared_routines.hpp"
#include "widener.hpp"

namespace metal_host {

using llvm::Value;

void Widener::routine(llvm::CallInst& call) {
    llvm::SmallVector<Value*, 16> operands;
    if (isUniform(&call)) {
        for (Value* operand : call.args()) operands.push_back(first(operand));
        llvm::SmallVector<Value*, 4> results;
        takeApart(builder_.CreateCall(call.getCalledFunction(), operands), results);
        AllLanes lanes;
        for (Value* result : results) lanes.push_back({result, nullptr});
        return define(&call, std::move(lanes));
    }
    std::string differs;
    operands.push_back(mask_);
    for (Value* operand : call.args()) {
        differs += isUniform(operand) ? '0' : '1';
        operands.push_back(isUniform(operand) ? first(operand) : wide(operand));
    }
    llvm::Function* callee = stripForm(*call.getCalledFunction(), differs);
    if (!callee) return;
    Value* results = builder_.CreateCall(callee, operands);
    AllLanes lanes;
    for (unsigned part = 0; part < partsOf(call.getType(), layout_).size(); ++part)
        lanes.push_back({nullptr, builder_.CreateExtractValue(results, part)});
    define(&call, std::move(lanes));
}

/// The routine for lanes whose arguments differ where `differs` has a 1.
llvm::Function* Widener::stripForm(llvm::Function& routine, llvm::StringRef differs) {
    llvm::Module& module = *routine.getParent();
    const std::string name = (stripRoutinePrefix + differs + "_" + routine.getName()).str();
    if (llvm::Function* made = module.getFunction(name)) return made;
    llvm::ValueToValueMapTy map;
    llvm::Function* copy = llvm::CloneFunction(&routine, map);
    for (unsigned index = 0; index < differs.size(); ++index) {
        if (differs[index] == '1')
            copy->addParamAttr(index, llvm::Attribute::get(copy->getContext(), differsAttribute));
    }
    llvm::Expected<Widened> widened = widen(*copy, width_);
    copy->eraseFromParent();
    if (!widened) return fail(llvm::toString(widened.takeError())), nullptr;
    widened->function->setName(name);
    return widened->function;
}

llvm::FunctionType* Widener::stripType(const llvm::Function& scalar, unsigned width) {
    if (scalar.getReturnType()->isVoidTy()) return scalar.getFunctionType();
    llvm::LLVMContext& context = scalar.getContext();
    llvm::SmallVector<llvm::Type*, 4> results;
    for (const Part& part : partsOf(scalar.getReturnType(), scalar.getDataLayout()))
        results.push_back(llvm::FixedVectorType::get(part.type, width));
    llvm::SmallVector<llvm::Type*, 16> parameters = {llvm::FixedVectorType::get(llvm::Type::getInt1Ty(context), width)};
    for (const llvm::Argument& parameter : scalar.args()) {
        llvm::Type* type = parameter.getType();
        parameters.push_back(parameter.hasAttribute(differsAttribute) ? llvm::FixedVectorType::get(type, width) : type);
    }
    return llvm::FunctionType::get(llvm::StructType::get(context, results), parameters, false);
}

void Widener::takeRoutineParameters() {
    active_ = function_->getArg(0);
    for (llvm::Argument& parameter : scalar_.args()) {
        Value* taken = function_->getArg(parameter.getArgNo() + 1);
        const bool differs = parameter.hasAttribute(differsAttribute);
        fixed_[&parameter] = {{differs ? nullptr : taken, differs ? taken : nullptr}};
    }
}

/// At the one place where a routine ends: all lanes are there.
void Widener::returnResults(Value* whole) {
    Value* results = llvm::PoisonValue::get(function_->getReturnType());
    for (unsigned part = 0; part < function_->getReturnType()->getStructNumElements(); ++part)
        results = builder_.CreateInsertValue(results, wide(whole, part), part);
    builder_.CreateRet(results);
}

}  // namespace metal_host
