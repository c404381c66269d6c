// SPDX-License-Identifier: MIT

#include "fold_stage_facts.hpp"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Local.h>

namespace metal_host {

namespace {

/// Replaces all calls of a function; gives the functions that made them.
llvm::SmallSetVector<llvm::Function*, 8> answer(llvm::Module& module, llvm::StringRef name, llvm::Constant* answer) {
    llvm::SmallSetVector<llvm::Function*, 8> askers;
    llvm::Function* question = module.getFunction(name);
    if (!question) return askers;
    while (!question->use_empty()) {
        auto* call = llvm::cast<llvm::CallInst>(question->user_back());
        askers.insert(call->getFunction());
        call->replaceAllUsesWith(answer);
        call->eraseFromParent();
    }
    question->eraseFromParent();
    return askers;
}

}  // namespace

void foldStageFacts(llvm::Module& module, bool hasDerivatives) {
    llvm::LLVMContext& context = module.getContext();
    for (llvm::Function* asker :
         answer(module, "__metal_has_derivatives", llvm::ConstantInt::getBool(context, hasDerivatives))) {
        for (llvm::BasicBlock& block : *asker) llvm::ConstantFoldTerminator(&block);
        llvm::removeUnreachableBlocks(*asker);
    }
    if (hasDerivatives) return;
    for (const char* derivative : {"__metal_dfdx_f32", "__metal_dfdy_f32"})
        answer(module, derivative, llvm::ConstantFP::get(llvm::Type::getFloatTy(context), 0));
}

}  // namespace metal_host
