// SPDX-License-Identifier: MIT

#include "strip_frame.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace metal_host {
namespace {

/// More instructions than this are not run again to save a load.
constexpr std::size_t recipeLimit = 8;

/// The blocks at whose start `value` is still wanted.
llvm::SmallPtrSet<llvm::BasicBlock*, 16> liveBlocks(llvm::Instruction* value) {
    llvm::SmallPtrSet<llvm::BasicBlock*, 16> live;
    std::vector<llvm::BasicBlock*> open;
    auto wantAtEnd = [&](llvm::BasicBlock* block) {
        if (block != value->getParent() && live.insert(block).second) open.push_back(block);
    };
    for (llvm::Use& use : value->uses()) {
        auto* user = llvm::cast<llvm::Instruction>(use.getUser());
        if (auto* phi = llvm::dyn_cast<llvm::PHINode>(user)) {
            wantAtEnd(phi->getIncomingBlock(use));
        } else {
            wantAtEnd(user->getParent());
        }
    }
    while (!open.empty()) {
        llvm::BasicBlock* block = open.back();
        open.pop_back();
        for (llvm::BasicBlock* predecessor : llvm::predecessors(block)) wantAtEnd(predecessor);
    }
    return live;
}

}  // namespace

StripFrame::StripFrame(llvm::Function& function, llvm::ArrayRef<llvm::BasicBlock*> resumptions,
                       const std::function<bool(const llvm::Value*)>& isShared)
    : function_(function), layout_(function.getDataLayout()) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
        auto* memory = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
        if (!memory) continue;
        memory_.emplace_back(memory, reserve(memory->getAllocationSize(layout_)->getFixedValue(), memory->getAlign()));
    }
    memorySize_ = size_;
    findKept(resumptions);
    for (Kept& kept : kept_) {
        llvm::Type* type = kept.value->getType();
        kept.variable = variable(type, kept.value->getName());
        std::vector<llvm::Instruction*> recipe;
        if (findRecipe(kept.value, recipe)) {
            kept.isComputedAgain = true;
            for (std::size_t index = 0; index < resumptions.size(); ++index) {
                if (kept.liveAt[index]) computeAgain(kept, recipe, resumptions[index]);
            }
        } else if (isShared(kept.value)) {
            kept.agreed = variable(type, kept.value->getName() + ".agreed");
            kept.next = variable(type, kept.value->getName() + ".next");
        } else {
            bool isMask = type->getScalarType()->isIntegerTy(1);
            kept.size = layout_.getTypeAllocSize(type).getFixedValue();
            kept.offset = reserve(kept.size, isMask ? llvm::Align(8) : layout_.getPrefTypeAlign(type));
        }
    }
    size_ = llvm::alignTo(size_, 64);
    // Recipes refer to the values themselves, so all are written before any value is replaced.
    for (Kept& kept : kept_) demote(kept);
}

std::uint64_t StripFrame::reserve(std::uint64_t bytes, llvm::Align align) {
    std::uint64_t offset = llvm::alignTo(size_, align);
    size_ = offset + bytes;
    return offset;
}

llvm::AllocaInst* StripFrame::variable(llvm::Type* type, const llvm::Twine& name) {
    llvm::BasicBlock& entry = function_.getEntryBlock();
    return new llvm::AllocaInst(type, layout_.getAllocaAddrSpace(), name, entry.begin());
}

void StripFrame::findKept(llvm::ArrayRef<llvm::BasicBlock*> resumptions) {
    for (llvm::Instruction& instruction : llvm::instructions(function_)) {
        if (instruction.getType()->isVoidTy() || instruction.use_empty() || llvm::isa<llvm::AllocaInst>(instruction))
            continue;
        auto live = liveBlocks(&instruction);
        if (live.empty()) continue;
        Kept kept;
        kept.value = &instruction;
        for (llvm::BasicBlock* resumption : resumptions) kept.liveAt.push_back(live.contains(resumption));
        if (llvm::is_contained(kept.liveAt, true)) kept_.push_back(std::move(kept));
    }
}

/// Lists instructions that make `value` from parameters and constants alone, operands first.
bool StripFrame::findRecipe(llvm::Instruction* value, std::vector<llvm::Instruction*>& recipe) const {
    if (llvm::is_contained(recipe, value)) return true;
    bool isCheap = llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::CmpInst, llvm::GetElementPtrInst,
                             llvm::InsertElementInst, llvm::ShuffleVectorInst, llvm::FreezeInst>(value) &&
                   !value->isIntDivRem();
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(value))
        isCheap = load->hasMetadata(llvm::LLVMContext::MD_invariant_load);
    if (!isCheap) return false;
    for (llvm::Value* operand : value->operands()) {
        auto* before = llvm::dyn_cast<llvm::Instruction>(operand);
        if (before && !findRecipe(before, recipe)) return false;
    }
    recipe.push_back(value);
    return recipe.size() <= recipeLimit;
}

void StripFrame::demote(Kept& kept) {
    std::vector<llvm::Use*> uses;
    for (llvm::Use& use : kept.value->uses()) uses.push_back(&use);
    for (llvm::Use* use : uses) {
        auto* user = llvm::cast<llvm::Instruction>(use->getUser());
        auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
        if (!phi && user->getParent() == kept.value->getParent()) continue;
        llvm::IRBuilder<> builder(phi ? phi->getIncomingBlock(*use)->getTerminator() : user);
        llvm::Value* read = builder.CreateLoad(kept.value->getType(), kept.variable);
        if (!phi) {
            use->set(read);
            continue;
        }
        // A block that comes twice brings one value.
        llvm::BasicBlock* from = phi->getIncomingBlock(*use);
        for (unsigned index = 0; index < phi->getNumIncomingValues(); ++index) {
            if (phi->getIncomingBlock(index) == from && phi->getIncomingValue(index) == kept.value)
                phi->setIncomingValue(index, read);
        }
    }
    llvm::Instruction* value = kept.value;
    auto behind =
        llvm::isa<llvm::PHINode>(value) ? value->getParent()->getFirstInsertionPt() : std::next(value->getIterator());
    llvm::IRBuilder<> builder(value->getParent(), behind);
    kept.definition = builder.CreateStore(value, kept.variable);
}

void StripFrame::place(llvm::IRBuilder<>& builder, llvm::Value* frame) {
    for (auto& [memory, offset] : memory_) {
        std::vector<llvm::Instruction*> marks;
        for (llvm::User* user : memory->users()) {
            if (llvm::isa<llvm::LifetimeIntrinsic>(user)) marks.push_back(llvm::cast<llvm::Instruction>(user));
        }
        for (llvm::Instruction* mark : marks) mark->eraseFromParent();
        memory->replaceAllUsesWith(address(builder, frame, offset));
        memory->eraseFromParent();
    }
    for (Kept& kept : kept_) {
        if (kept.isComputedAgain || kept.agreed) continue;
        llvm::IRBuilder<> behind(kept.definition->getNextNode());
        behind.CreateStore(kept.value, address(behind, frame, kept.offset));
    }
}

llvm::Value* StripFrame::address(llvm::IRBuilder<>& builder, llvm::Value* frame, std::uint64_t offset) {
    return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), frame, offset);
}

void StripFrame::computeAgain(Kept& kept, llvm::ArrayRef<llvm::Instruction*> recipe, llvm::BasicBlock* resumption) {
    llvm::IRBuilder<> builder(resumption, resumption->getFirstInsertionPt());
    llvm::DenseMap<llvm::Value*, llvm::Value*> again;
    llvm::Value* value = nullptr;
    for (llvm::Instruction* step : recipe) {
        llvm::Instruction* copy = step->clone();
        for (llvm::Use& operand : copy->operands()) {
            if (llvm::Value* known = again.lookup(operand.get())) operand.set(known);
        }
        again[step] = value = builder.Insert(copy);
    }
    builder.CreateStore(value, kept.variable);
}

void StripFrame::save(llvm::IRBuilder<>& builder, unsigned index) {
    for (Kept& kept : kept_) {
        if (!kept.liveAt[index] || !kept.next) continue;
        builder.CreateStore(builder.CreateLoad(kept.value->getType(), kept.variable), kept.next);
    }
}

StripFrame::Cost StripFrame::costOf(unsigned index) const {
    Cost cost;
    for (const Kept& kept : kept_) {
        if (!kept.liveAt[index] || kept.isComputedAgain || kept.agreed) continue;
        ++cost.values;
        cost.bytes += kept.size;
    }
    return {cost.values + memory_.size(), cost.bytes + memorySize_};
}

void StripFrame::restore(llvm::IRBuilder<>& builder, unsigned index, llvm::Value* frame) {
    for (Kept& kept : kept_) {
        if (!kept.liveAt[index] || kept.isComputedAgain) continue;
        llvm::Value* place = kept.agreed ? kept.agreed : address(builder, frame, kept.offset);
        builder.CreateStore(builder.CreateLoad(kept.value->getType(), place), kept.variable);
    }
}

void StripFrame::agree(llvm::IRBuilder<>& builder) {
    for (Kept& kept : kept_) {
        if (kept.agreed) builder.CreateStore(builder.CreateLoad(kept.value->getType(), kept.next), kept.agreed);
    }
}

}  // namespace metal_host
