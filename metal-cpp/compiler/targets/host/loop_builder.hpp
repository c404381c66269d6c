// SPDX-License-Identifier: MIT

#pragma once

#include <llvm/IR/IRBuilder.h>

namespace metal_host {

/// for (index = begin; index < end; index += step) body(index), unsigned; `builder` goes on behind it.
template <class Body>
void buildLoop(llvm::IRBuilder<>& builder, llvm::Value* begin, llvm::Value* end, llvm::Value* step, const char* name,
               Body body) {
    llvm::Function* function = builder.GetInsertBlock()->getParent();
    llvm::LLVMContext& context = function->getContext();
    llvm::BasicBlock* head = llvm::BasicBlock::Create(context, name, function);
    llvm::BasicBlock* inside = llvm::BasicBlock::Create(context, llvm::Twine(name) + ".body", function);
    llvm::BasicBlock* after = llvm::BasicBlock::Create(context, llvm::Twine(name) + ".end", function);
    llvm::BasicBlock* before = builder.GetInsertBlock();
    builder.CreateBr(head);
    builder.SetInsertPoint(head);
    llvm::PHINode* index = builder.CreatePHI(begin->getType(), 2, name);
    index->addIncoming(begin, before);
    builder.CreateCondBr(builder.CreateICmpULT(index, end), inside, after);
    builder.SetInsertPoint(inside);
    body(index);
    index->addIncoming(builder.CreateNUWAdd(index, step), builder.GetInsertBlock());
    builder.CreateBr(head);
    builder.SetInsertPoint(after);
}

}  // namespace metal_host
