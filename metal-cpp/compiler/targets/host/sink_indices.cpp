// SPDX-License-Identifier: MIT

#include "sink_indices.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <vector>

namespace metal_host {

namespace {

/// A copy of `value` at `place` when it is of the kind and in another block; else itself.
template <class Kind>
llvm::Value* copied(llvm::Value* value, llvm::Instruction& place) {
    auto* instruction = llvm::dyn_cast<Kind>(value);
    if (!instruction || instruction->getParent() == place.getParent()) return value;
    llvm::Instruction* copy = instruction->clone();
    copy->insertBefore(place.getIterator());
    return copy;
}

void sink(llvm::IntrinsicInst& access, unsigned operand) {
    auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(access.getArgOperand(operand));
    if (!address || !address->getType()->isVectorTy()) return;
    const bool isElsewhere = llvm::any_of(address->indices(), [&](llvm::Value* index) {
        auto* extension = llvm::dyn_cast<llvm::SExtInst>(index);
        return extension && extension->getParent() != access.getParent();
    });
    if (!isElsewhere) return;
    llvm::Instruction* own = address->clone();
    own->insertBefore(access.getIterator());
    for (llvm::Use& use : own->operands()) use.set(copied<llvm::SExtInst>(use.get(), *own));
    access.setArgOperand(operand, own);
    if (address->use_empty()) address->eraseFromParent();
}

}  // namespace

void sinkIndices(llvm::Function& function) {
    std::vector<llvm::IntrinsicInst*> gathers, scatters;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
        auto* access = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
        if (!access) continue;
        if (access->getIntrinsicID() == llvm::Intrinsic::masked_gather) gathers.push_back(access);
        if (access->getIntrinsicID() == llvm::Intrinsic::masked_scatter) scatters.push_back(access);
    }
    for (llvm::IntrinsicInst* access : gathers) sink(*access, 0);
    for (llvm::IntrinsicInst* access : scatters) sink(*access, 1);
}

}  // namespace metal_host
