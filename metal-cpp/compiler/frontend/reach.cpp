// SPDX-License-Identifier: MIT
#include "frontend/reach.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace metal_compiler {
namespace {

// Everything that a value's operands name, constants looked through.
template <class Visit>
void forEachGlobal(const llvm::User& user, const Visit& visit) {
    for (const llvm::Use& operand : user.operands()) {
        if (auto* global = llvm::dyn_cast<llvm::GlobalValue>(operand.get())) {
            visit(const_cast<llvm::GlobalValue*>(global));
        } else if (const auto* constant = llvm::dyn_cast<llvm::ConstantExpr>(operand.get())) {
            forEachGlobal(*constant, visit);
        } else if (const auto* aggregate = llvm::dyn_cast<llvm::ConstantAggregate>(operand.get())) {
            forEachGlobal(*aggregate, visit);
        }
    }
}

}  // namespace

std::vector<llvm::Function*> constructorsOf(llvm::Module& module) {
    std::vector<llvm::Function*> found;
    const llvm::GlobalVariable* list = module.getGlobalVariable("llvm.global_ctors");
    if (list == nullptr || !list->hasInitializer()) return found;
    const auto* entries = llvm::dyn_cast<llvm::ConstantArray>(list->getInitializer());
    if (entries == nullptr) return found;
    for (const llvm::Use& entry : entries->operands()) {
        auto* function =
            llvm::dyn_cast<llvm::Function>(llvm::cast<llvm::ConstantStruct>(entry)->getOperand(1)->stripPointerCasts());
        if (function != nullptr) found.push_back(function);
    }
    return found;
}

const std::vector<llvm::GlobalValue*>& References::of(const llvm::GlobalValue* value) {
    const auto [known, isNew] = known_.try_emplace(value);
    if (!isNew) return known->second;
    llvm::SmallSetVector<llvm::GlobalValue*, 16> names;
    const auto visit = [&](llvm::GlobalValue* next) { names.insert(next); };
    if (const auto* function = llvm::dyn_cast<llvm::Function>(value)) {
        for (const llvm::Instruction& instruction : llvm::instructions(function)) forEachGlobal(instruction, visit);
    } else {
        forEachGlobal(*value, visit);
    }
    return known->second = std::vector<llvm::GlobalValue*>(names.begin(), names.end());
}

Reach::Reach(References& references, llvm::Function* entry) : references_(references) {
    add(entry);
    do {
        drain();
        for (llvm::Function* constructor : references_.constructors()) {
            llvm::SmallPtrSet<const llvm::Function*, 8> seen;
            if (!reached_.contains(constructor) && namesReached(*constructor, seen)) add(constructor);
        }
    } while (!waiting_.empty());
}

void Reach::add(llvm::GlobalValue* value) {
    if (reached_.insert(value).second) waiting_.push_back(value);
}

void Reach::drain() {
    while (!waiting_.empty()) {
        llvm::GlobalValue* value = waiting_.back();
        waiting_.pop_back();
        for (llvm::GlobalValue* next : references_.of(value)) add(next);
    }
}

bool Reach::namesReached(const llvm::Function& function, llvm::SmallPtrSetImpl<const llvm::Function*>& seen) const {
    if (!seen.insert(&function).second) return false;
    return llvm::any_of(references_.of(&function), [&](const llvm::GlobalValue* value) {
        const auto* callee = llvm::dyn_cast<llvm::Function>(value);
        if (callee == nullptr) return reached_.contains(value);
        return callee->hasInternalLinkage() && namesReached(*callee, seen);
    });
}

}  // namespace metal_compiler
