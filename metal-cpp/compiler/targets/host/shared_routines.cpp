// SPDX-License-Identifier: MIT

#include "shared_routines.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <tuple>
#include <vector>

#include "strip_function.hpp"

namespace metal_host {
namespace {

using llvm::Value;

// Uses of samplers in a kernel up to which each is inlined, so that the passes see it among what surrounds it.
constexpr std::size_t fewUses = 4;

// Operands of the library's sampling functions (SAMPLING_PLACE).
constexpr unsigned kindOperand = 1, samplerOperand = 2;

struct Uses {
    llvm::Function* callee;
    Value* kind;
    Value* sampler;  // null where it is no constant
    std::vector<llvm::CallInst*> calls;
};

std::vector<Uses> usesIn(llvm::Function& entry) {
    std::vector<Uses> found;
    for (llvm::Instruction& instruction : llvm::instructions(entry)) {
        auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
        if (!callee || !mayBeShared(*callee)) continue;
        Value* kind = call->getArgOperand(kindOperand);
        Value* sampler = call->getArgOperand(samplerOperand);
        if (!llvm::isa<llvm::Constant>(sampler)) sampler = nullptr;
        auto known = llvm::find_if(found, [&](const Uses& uses) {
            return std::tie(uses.callee, uses.kind, uses.sampler) == std::tie(callee, kind, sampler);
        });
        if (known == found.end()) known = found.insert(found.end(), {callee, kind, sampler, {}});
        known->calls.push_back(call);
    }
    return found;
}

/// The constant that all the calls have as this operand, or null.
llvm::Constant* commonConstant(const Uses& uses, unsigned operand) {
    auto* constant = llvm::dyn_cast<llvm::Constant>(uses.calls.front()->getArgOperand(operand));
    const bool isCommon =
        llvm::all_of(uses.calls, [&](const llvm::CallInst* call) { return call->getArgOperand(operand) == constant; });
    return isCommon ? constant : nullptr;
}

void share(const Uses& uses) {
    llvm::ValueToValueMapTy constants;  // these parameters the copy is made without
    std::vector<unsigned> rest;
    for (llvm::Argument& parameter : uses.callee->args()) {
        if (llvm::Constant* constant = commonConstant(uses, parameter.getArgNo())) {
            constants[&parameter] = constant;
        } else {
            rest.push_back(parameter.getArgNo());
        }
    }
    llvm::Function* routine = llvm::CloneFunction(uses.callee, constants);
    routine->setName(routinePrefix + uses.callee->getName());
    routine->setOnlyReadsMemory();
    routine->setDoesNotThrow();
    routine->setWillReturn();
    for (llvm::CallInst* call : uses.calls) {
        llvm::SmallVector<Value*, 16> operands;
        for (const unsigned index : rest) operands.push_back(call->getArgOperand(index));
        auto* made = llvm::CallInst::Create(routine->getFunctionType(), routine, operands, "", call->getIterator());
        made->takeName(call);
        made->setDebugLoc(call->getDebugLoc());
        call->replaceAllUsesWith(made);
        call->eraseFromParent();
    }
}

}  // namespace

bool mayBeShared(const llvm::Function& function) {
    return function.getName().starts_with("__metal_texture_sample_") && function.arg_size() > samplerOperand;
}

void shareRoutines(llvm::Function& entry) {
    const std::vector<Uses> all = usesIn(entry);
    std::size_t count = 0;
    for (const Uses& uses : all) count += uses.calls.size();
    if (count > fewUses) {
        for (const Uses& uses : all) {
            if (uses.calls.size() > 1) share(uses);
        }
    }
    for (llvm::Function& function : *entry.getParent()) {
        if (function.isDeclaration() || !mayBeShared(function)) continue;
        function.removeFnAttr(llvm::Attribute::NoInline);
        function.addFnAttr(llvm::Attribute::AlwaysInline);
    }
}

bool canBeWidened(const llvm::Function& routine) {
    const auto isFine = [](const llvm::Instruction& instruction) {
        auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        if (call && !llvm::isa<llvm::IntrinsicInst>(call))
            return call->getCalledFunction() && call->getCalledFunction()->getName().starts_with(slowFunctionPrefix);
        return !llvm::isa<llvm::AllocaInst>(instruction) && !instruction.mayWriteToMemory();
    };
    return llvm::all_of(llvm::instructions(routine), isFine);
}

}  // namespace metal_host
