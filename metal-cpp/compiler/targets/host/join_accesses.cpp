// SPDX-License-Identifier: MIT

#include "join_accesses.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <vector>

namespace metal_host {
namespace {

using llvm::Value;

constexpr std::size_t mostElements = 4;

struct Access {
    llvm::Instruction* instruction;
    std::int64_t offset;  // in bytes from the base
};

class Joiner {
public:
    explicit Joiner(llvm::BasicBlock& block) : layout_(block.getDataLayout()) {
        std::vector<llvm::Instruction*> instructions;
        for (llvm::Instruction& instruction : block) instructions.push_back(&instruction);
        for (llvm::Instruction* instruction : instructions) visit(*instruction);
        joinLoads();
        joinStores();
    }

private:
    using Key = std::pair<Value*, llvm::Type*>;  // base, element

    void visit(llvm::Instruction& instruction) {
        if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
            joinStores();  // it may read what they write
            if (load->isSimple()) add(loads_, *load, load->getPointerOperand(), load->getType());
        } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
            joinLoads();
            Value* base = nullptr;
            std::int64_t offset = 0;
            llvm::Type* type = store->getValueOperand()->getType();
            bool joinable = store->isSimple() && locate(store->getPointerOperand(), type, base, offset);
            if (!joinable || storeKey_ != Key(base, type) ||
                std::any_of(stores_.begin(), stores_.end(),
                            [&](const Access& known) { return known.offset == offset; })) {
                joinStores();
            }
            if (!joinable) return;
            storeKey_ = {base, type};
            stores_.push_back({store, offset});
        } else if (instruction.mayReadOrWriteMemory()) {
            joinLoads();
            joinStores();
        }
    }

    bool locate(Value* pointer, llvm::Type* type, Value*& base, std::int64_t& offset) const {
        bool isElement = (type->isIntegerTy() && !type->isIntegerTy(1)) || type->isFloatingPointTy();
        if (!isElement || llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer))) return false;
        llvm::APInt bytes(layout_.getIndexTypeSizeInBits(pointer->getType()), 0);
        base = pointer->stripAndAccumulateConstantOffsets(layout_, bytes, true);
        offset = bytes.getSExtValue();
        return base->getType() == pointer->getType();
    }

    void add(llvm::MapVector<Key, std::vector<Access>>& groups, llvm::Instruction& instruction, Value* pointer,
             llvm::Type* type) const {
        Value* base = nullptr;
        std::int64_t offset = 0;
        if (locate(pointer, type, base, offset)) groups[{base, type}].push_back({&instruction, offset});
    }

    /// Calls `join` with each run of two to four neighbours.
    template <class Join>
    void forRuns(std::vector<Access> accesses, llvm::Type* type, Join join) const {
        if (accesses.size() < 2) return;
        std::stable_sort(accesses.begin(), accesses.end(),
                         [](const Access& a, const Access& b) { return a.offset < b.offset; });
        auto size = std::int64_t(layout_.getTypeStoreSize(type).getFixedValue());
        for (std::size_t first = 0; first < accesses.size();) {
            std::size_t end = first + 1;
            while (end < accesses.size() && end - first < mostElements &&
                   accesses[end].offset == accesses[end - 1].offset + size)
                ++end;
            if (end - first > 1) join(llvm::ArrayRef(accesses).slice(first, end - first));
            first = end;
        }
    }

    Value* address(llvm::IRBuilder<>& builder, Value* base, std::int64_t offset) const {
        return offset ? builder.CreateGEP(builder.getInt8Ty(), base, builder.getInt64(std::uint64_t(offset))) : base;
    }

    void joinLoads() {
        for (auto& [key, accesses] : loads_) {
            forRuns(accesses, key.second, [&, base = key.first, type = key.second](llvm::ArrayRef<Access> run) {
                llvm::Instruction* earliest = run.front().instruction;
                bool invariant = true;
                for (const Access& access : run) {
                    if (access.instruction->comesBefore(earliest)) earliest = access.instruction;
                    invariant &= access.instruction->hasMetadata(llvm::LLVMContext::MD_invariant_load);
                }
                llvm::IRBuilder<> builder(earliest);
                llvm::Align align = llvm::cast<llvm::LoadInst>(run.front().instruction)->getAlign();
                llvm::LoadInst* all = builder.CreateAlignedLoad(llvm::FixedVectorType::get(type, unsigned(run.size())),
                                                                address(builder, base, run.front().offset), align);
                if (invariant)
                    all->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(all->getContext(), {}));
                for (std::size_t index = 0; index < run.size(); ++index) {
                    run[index].instruction->replaceAllUsesWith(builder.CreateExtractElement(all, index));
                }
                for (const Access& access : run) access.instruction->eraseFromParent();
            });
        }
        loads_.clear();
    }

    void joinStores() {
        forRuns(stores_, storeKey_.second, [&](llvm::ArrayRef<Access> run) {
            llvm::Instruction* latest = run.front().instruction;
            for (const Access& access : run) {
                if (latest->comesBefore(access.instruction)) latest = access.instruction;
            }
            llvm::IRBuilder<> builder(latest);
            Value* all = llvm::PoisonValue::get(llvm::FixedVectorType::get(storeKey_.second, unsigned(run.size())));
            for (std::size_t index = 0; index < run.size(); ++index) {
                all = builder.CreateInsertElement(
                    all, llvm::cast<llvm::StoreInst>(run[index].instruction)->getValueOperand(), index);
            }
            llvm::Align align = llvm::cast<llvm::StoreInst>(run.front().instruction)->getAlign();
            builder.CreateAlignedStore(all, address(builder, storeKey_.first, run.front().offset), align);
            for (const Access& access : run) access.instruction->eraseFromParent();
        });
        stores_.clear();
        storeKey_ = {};
    }

    const llvm::DataLayout& layout_;
    llvm::MapVector<Key, std::vector<Access>> loads_;
    std::vector<Access> stores_;
    Key storeKey_{};
};

}  // namespace

void joinAccesses(llvm::Function& function) {
    for (llvm::BasicBlock& block : function) Joiner joiner(block);
}

}  // namespace metal_host
