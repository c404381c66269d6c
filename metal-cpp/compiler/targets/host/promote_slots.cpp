// SPDX-License-Identifier: MIT

#include "promote_slots.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/ValueHandle.h>

#include <vector>

namespace metal_host {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::LoadInst;
using llvm::PHINode;
using llvm::StoreInst;
using llvm::Value;

/// The reads and writes of one variable, block by block, in order.
using Accesses = llvm::SmallVector<Instruction*, 8>;
/// Every block's place in an order where loops apart what leads to a block comes before it.
using Positions = llvm::DenseMap<const BasicBlock*, unsigned>;

class Promoter {
public:
    Promoter(llvm::AllocaInst& slot, const Positions& positions, const llvm::DominatorTree& dominators)
        : slot_(slot), type_(slot.getAllocatedType()), positions_(positions), dominators_(dominators) {}

    void run(const Accesses& accesses) {
        readInBlocks(accesses);
        if (Value* only = onlyWritten()) {
            for (LoadInst* load : wanting_) known_.emplace_back(load, only);
        } else {
            findRegion();
            for (BasicBlock* block : region_) enter(block);
            for (PHINode* phi : open_) fill(*phi);
            for (LoadInst* load : wanting_) known_.emplace_back(load, atStart_.lookup(load->getParent()));
        }
        for (auto& [load, value] : known_) {
            Value* yields = value;
            load->replaceAllUsesWith(yields == load ? poison() : yields);
        }
        dropTrivialPhis();
        for (Instruction* access : accesses) access->eraseFromParent();
        slot_.eraseFromParent();
    }

private:
    Value* poison() const { return llvm::PoisonValue::get(type_); }

    void readInBlocks(const Accesses& accesses) {
        const BasicBlock* block = nullptr;
        Value* current = nullptr;
        for (Instruction* access : accesses) {
            if (access->getParent() != block) current = nullptr;
            block = access->getParent();
            if (auto* store = llvm::dyn_cast<StoreInst>(access)) {
                atEnd_[store->getParent()] = current = store->getValueOperand();
                continue;
            }
            auto* load = llvm::cast<LoadInst>(access);
            if (current) {
                known_.emplace_back(load, current);
            } else {
                wanting_.push_back(load);
                current = load;
            }
        }
    }

    /// What is written in one place that comes before each read, in every round of a loop; null if it is not so.
    Value* onlyWritten() const {
        const BasicBlock* place = nullptr;
        Value* only = nullptr;
        for (auto& [block, value] : atEnd_) {
            if (llvm::isa<llvm::PoisonValue>(value)) continue;
            if (only) return nullptr;
            place = block;
            only = value;
        }
        auto follows = [&](const LoadInst* load) { return dominators_.properlyDominates(place, load->getParent()); };
        return only && llvm::all_of(wanting_, follows) ? only : nullptr;
    }

    /// The blocks at whose start the variable is still to be read.
    void findRegion() {
        for (LoadInst* load : wanting_) {
            if (atStart_.try_emplace(load->getParent(), nullptr).second) region_.push_back(load->getParent());
        }
        for (std::size_t next = 0; next < region_.size(); ++next) {
            for (BasicBlock* before : llvm::predecessors(region_[next])) {
                if (!atEnd_.contains(before) && atStart_.try_emplace(before, nullptr).second) region_.push_back(before);
            }
        }
        llvm::sort(region_, [this](const BasicBlock* left, const BasicBlock* right) {
            return positions_.lookup(left) < positions_.lookup(right);
        });
    }

    /// Null: not known yet.
    Value* leaving(const BasicBlock* block) const {
        auto found = atEnd_.find(block);
        return found != atEnd_.end() ? found->second : atStart_.lookup(block);
    }

    void enter(BasicBlock* block) {
        Value* common = nullptr;
        bool differ = false;
        for (const BasicBlock* before : llvm::predecessors(block)) differ |= !join(common, leaving(before));
        if (!differ && (!common || reaches(*common, block))) {
            atStart_[block] = common ? common : poison();
            return;
        }
        PHINode* phi = PHINode::Create(type_, 2, slot_.getName());
        phi->insertBefore(block->begin());
        atStart_[block] = phi;
        open_.push_back(phi);
    }

    /// Takes one more value into what all have in common, poison aside; false when there is no such thing.
    static bool join(Value*& common, Value* value) {
        if (!value) return false;
        if (llvm::isa<llvm::PoisonValue>(value) || value == common) return true;
        if (common) return false;
        common = value;
        return true;
    }

    bool reaches(const Value& value, const BasicBlock* block) const {
        auto* instruction = llvm::dyn_cast<Instruction>(&value);
        return !instruction || dominators_.properlyDominates(instruction->getParent(), block);
    }

    void fill(PHINode& phi) {
        for (BasicBlock* before : llvm::predecessors(phi.getParent())) phi.addIncoming(leaving(before), before);
    }

    /// Those at loops in which the variable is not written.
    void dropTrivialPhis() {
        for (bool changed = true; changed;) {
            changed = false;
            for (PHINode*& phi : open_) {
                Value* only = phi ? onlyValue(*phi) : nullptr;
                if (!only) continue;
                phi->replaceAllUsesWith(only);
                phi->eraseFromParent();
                phi = nullptr;
                changed = true;
            }
        }
    }

    Value* onlyValue(PHINode& phi) const {
        Value* common = nullptr;
        for (Value* value : phi.incoming_values()) {
            if (value != &phi && !join(common, value)) return nullptr;
        }
        if (!common) return poison();
        return reaches(*common, phi.getParent()) ? common : nullptr;
    }

    llvm::AllocaInst& slot_;
    llvm::Type* type_;
    const Positions& positions_;
    const llvm::DominatorTree& dominators_;
    llvm::DenseMap<const BasicBlock*, Value*> atStart_, atEnd_;  // of the region; where the variable is written
    std::vector<BasicBlock*> region_;
    std::vector<LoadInst*> wanting_;  // reads of what comes from other blocks
    // What each read yields. That may be another read: the handle follows when that is replaced.
    std::vector<std::pair<LoadInst*, llvm::WeakTrackingVH>> known_;
    std::vector<PHINode*> open_;
};

}  // namespace

void promoteSlots(llvm::Function& function, llvm::ArrayRef<llvm::AllocaInst*> slots,
                  const llvm::DominatorTree& dominators) {
    Positions positions;
    for (const BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function))
        positions.try_emplace(block, positions.size());
    llvm::DenseMap<const Value*, Accesses> accesses;
    for (llvm::AllocaInst* slot : slots) accesses.try_emplace(slot);
    for (BasicBlock& block : function) {
        for (Instruction& instruction : block) {
            const Value* place = llvm::getLoadStorePointerOperand(&instruction);
            if (!place) continue;
            if (auto found = accesses.find(place); found != accesses.end()) found->second.push_back(&instruction);
        }
    }
    for (llvm::AllocaInst* slot : slots) Promoter(*slot, positions, dominators).run(accesses.find(slot)->second);
}

}  // namespace metal_host
