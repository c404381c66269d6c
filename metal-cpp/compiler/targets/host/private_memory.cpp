// SPDX-License-Identifier: MIT

#include "private_memory.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <vector>

#include "parts.hpp"

namespace metal_host {
namespace {

/// All that is done with one variable's address.
class Accesses {
public:
    explicit Accesses(llvm::AllocaInst& variable) : layout_(variable.getDataLayout()) {
        follow(&variable);
        for (std::size_t next = 0; next < order_.size() && whole_; ++next) {
            for (llvm::User* user : order_[next]->users()) use(order_[next], llvm::cast<llvm::Instruction>(user));
        }
        for (llvm::Instruction* merge : merges_) {
            for (llvm::Value* operand : merge->operands()) {
                bool condition = llvm::isa<llvm::SelectInst>(merge) && operand == merge->getOperand(0);
                if (!condition && !pointers_.contains(operand)) whole_ = false;
            }
        }
        for (std::uint64_t step : steps_) whole_ = whole_ && elementSize_ && step % elementSize_ == 0;
    }

    std::uint64_t elementSize() const { return whole_ ? elementSize_ : 0; }
    const std::vector<llvm::Value*>& pointers() const { return order_; }

private:
    void follow(llvm::Value* pointer) {
        if (pointers_.insert(pointer).second) order_.push_back(pointer);
    }

    void use(llvm::Value* pointer, llvm::Instruction* user) {
        if (auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) {
            access(load->getType(), load->isSimple());
        } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
            access(store->getValueOperand()->getType(), store->isSimple() && store->getValueOperand() != pointer);
        } else if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
            for (auto step = llvm::gep_type_begin(address); step != llvm::gep_type_end(address); ++step) {
                if (llvm::StructType* type = step.getStructTypeOrNull()) {
                    auto field = llvm::cast<llvm::ConstantInt>(step.getOperand())->getZExtValue();
                    steps_.push_back(layout_.getStructLayout(type)->getElementOffset(field));
                } else if (auto* number = llvm::dyn_cast<llvm::ConstantInt>(step.getOperand())) {
                    steps_.push_back(number->getSExtValue() * step.getSequentialElementStride(layout_).getFixedValue());
                } else {
                    steps_.push_back(step.getSequentialElementStride(layout_).getFixedValue());
                }
            }
            follow(address);
        } else if (llvm::isa<llvm::PHINode, llvm::SelectInst>(user)) {
            merges_.push_back(user);
            follow(user);
        } else if (llvm::isa<llvm::AddrSpaceCastInst>(user)) {
            follow(user);
        } else if (!llvm::isa<llvm::LifetimeIntrinsic>(user)) {
            whole_ = false;
        }
    }

    void access(llvm::Type* type, bool simple) {
        whole_ = whole_ && simple;
        for (const Part& part : partsOf(type, layout_)) {
            std::uint64_t size = layout_.getTypeStoreSize(part.type).getFixedValue();
            if (!elementSize_) elementSize_ = size;
            whole_ = whole_ && size == elementSize_ && llvm::isPowerOf2_64(size);
            steps_.push_back(part.offset);
        }
    }

    const llvm::DataLayout& layout_;
    bool whole_ = true;
    std::uint64_t elementSize_ = 0;
    std::vector<std::uint64_t> steps_;
    std::vector<llvm::Value*> order_;
    llvm::SmallPtrSet<llvm::Value*, 16> pointers_;
    std::vector<llvm::Instruction*> merges_;
};

}  // namespace

PrivateMemory::PrivateMemory(llvm::Function& function) {
    const llvm::DataLayout& layout = function.getDataLayout();
    for (llvm::Instruction& instruction : function.getEntryBlock()) {
        auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
        if (!variable) continue;
        Accesses accesses(*variable);
        PrivateVariable& facts = variables_[variable];
        facts.align = std::max(variable->getAlign(), llvm::Align(4));
        std::uint64_t size = variable->getAllocationSize(layout)->getFixedValue();
        facts.elementSize = accesses.elementSize();
        facts.size = llvm::alignTo(std::max<std::uint64_t>(size, 1),
                                   facts.elementSize ? llvm::Align(facts.elementSize) : facts.align);
        if (!facts.elementSize) continue;
        for (llvm::Value* pointer : accesses.pointers()) pointers_[pointer] = variable;
    }
}

const PrivateVariable* PrivateMemory::interleaved(const llvm::Value* pointer) const {
    auto found = pointers_.find(pointer);
    return found == pointers_.end() ? nullptr : &variable(found->second);
}

}  // namespace metal_host
