// SPDX-License-Identifier: MIT

#include "kernel_entry.hpp"

#include <llvm/IR/Module.h>

#include <array>
#include <cstddef>

#include "loop_builder.hpp"
#include "strip_function.hpp"

namespace metal_host {
namespace {

using llvm::Value;
using Triple = std::array<Value*, 3>;

/// A kernel of more instructions has one copy of its code, for full and partial strips alike.
constexpr unsigned copyLimit = 200;

class Entry {
public:
    Entry(llvm::Function& strip, bool wholeGroup, llvm::Function* fullGroup, const metal_kernel_info& info)
        : module_(*strip.getParent()),
          strip_(strip),
          fullGroup_(fullGroup),
          wholeGroup_(wholeGroup),
          info_(info),
          builder_(strip.getContext()) {}

    void run() {
        llvm::Type *pointer = builder_.getPtrTy(), *wide = builder_.getInt64Ty();
        auto* type = llvm::FunctionType::get(builder_.getVoidTy(), {pointer, wide, wide, pointer, pointer}, false);
        kernel_ = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, METAL_KERNEL_SYMBOL, module_);
        kernel_->copyAttributesFrom(&strip_);
        kernel_->setSubprogram(strip_.getSubprogram());  // whose code it becomes
        strip_.setSubprogram(nullptr);
        kernel_->setLinkage(llvm::GlobalValue::ExternalLinkage);
        kernel_->removeFnAttr(llvm::Attribute::AlwaysInline);
        strip_.addFnAttr(llvm::Attribute::AlwaysInline);
        if (fullGroup_) fullGroup_->addFnAttr(llvm::Attribute::AlwaysInline);
        static constexpr const char* names[] = {"launch", "first", "count", "threadgroup", "scratch"};
        for (unsigned index = 0; index < 5; ++index) kernel_->getArg(index)->setName(names[index]);
        for (unsigned index : {0, 3, 4}) kernel_->addParamAttr(index, llvm::Attribute::NoAlias);
        for (unsigned index : {3, 4})
            kernel_->addParamAttr(index, llvm::Attribute::getWithAlignment(module_.getContext(), llvm::Align(64)));

        builder_.SetInsertPoint(llvm::BasicBlock::Create(module_.getContext(), "entry", kernel_));
        threads_ = launchTriple(offsetof(metal_launch, threads_per_threadgroup));
        grid_ = launchTriple(offsetof(metal_launch, threads_per_grid));
        groups_ = launchTriple(offsetof(metal_launch, threadgroups_per_grid));
        Value* begin = kernel_->getArg(1);
        buildLoop(builder_, begin, builder_.CreateAdd(begin, kernel_->getArg(2)), builder_.getInt64(1), "group",
                  [this](Value* number) { group(number); });
        builder_.CreateRetVoid();
        makeInfo();
    }

private:
    Triple launchTriple(std::uint64_t offset) {
        Triple triple;
        for (unsigned dimension = 0; dimension < 3; ++dimension) {
            Value* address = builder_.CreateConstGEP1_64(builder_.getInt8Ty(), kernel_->getArg(0),
                                                         offset + dimension * sizeof(std::uint32_t));
            llvm::LoadInst* load = builder_.CreateLoad(builder_.getInt32Ty(), address);
            load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(module_.getContext(), {}));
            triple[dimension] = load;
        }
        return triple;
    }

    void group(Value* number) {
        llvm::Type* wide = builder_.getInt64Ty();
        auto widen = [&](Value* value) { return builder_.CreateZExt(value, wide); };
        Value* row = builder_.CreateUDiv(number, widen(groups_[0]));
        Value* narrow[3] = {builder_.CreateURem(number, widen(groups_[0])), builder_.CreateURem(row, widen(groups_[1])),
                            builder_.CreateUDiv(row, widen(groups_[1]))};
        arguments_ = {kernel_->getArg(0), kernel_->getArg(3), kernel_->getArg(4)};
        arguments_.resize(stripParameterCount, builder_.getInt32(0));
        Triple size;
        for (unsigned dimension = 0; dimension < 3; ++dimension) {
            Value* place = builder_.CreateTrunc(narrow[dimension], builder_.getInt32Ty());
            // The grid's last group may be smaller.
            Value* left = builder_.CreateSub(grid_[dimension], builder_.CreateMul(place, threads_[dimension]));
            size[dimension] = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, threads_[dimension], left);
            arguments_[stripGroupX + dimension] = place;
            arguments_[stripSizeX + dimension] = size[dimension];
        }
        if (wholeGroup_) {
            wholeGroup(size);
        } else if (info_.lane_mapping == metal_lanes_in_row) {
            rows(size);
        } else {
            strips(builder_.CreateMul(builder_.CreateMul(size[0], size[1]), size[2]), builder_.getInt32(0));
        }
    }

    void wholeGroup(const Triple& size) {
        if (!fullGroup_) {
            builder_.CreateCall(&strip_, arguments_);
            return;
        }
        Value* line = size[0];
        if (info_.lane_mapping != metal_lanes_in_row)
            line = builder_.CreateMul(builder_.CreateMul(line, size[1]), size[2]);
        auto block = [&](const char* name) { return llvm::BasicBlock::Create(module_.getContext(), name, kernel_); };
        llvm::BasicBlock *full = block("full"), *partial = block("partial"), *after = block("group.done");
        builder_.CreateCondBr(builder_.CreateIsNull(builder_.CreateAnd(line, info_.lane_width - 1)), full, partial);
        for (auto [start, function] : {std::pair(full, fullGroup_), std::pair(partial, &strip_)}) {
            builder_.SetInsertPoint(start);
            builder_.CreateCall(function, arguments_);
            builder_.CreateBr(after);
        }
        builder_.SetInsertPoint(after);
    }

    void rows(const Triple& size) {
        Value *zero = builder_.getInt32(0), *one = builder_.getInt32(1);
        buildLoop(builder_, zero, size[2], one, "z", [&](Value* z) {
            buildLoop(builder_, zero, size[1], one, "y", [&](Value* y) {
                arguments_[stripY] = y;
                arguments_[stripZ] = z;
                Value* before = builder_.CreateMul(builder_.CreateAdd(builder_.CreateMul(z, size[1]), y), size[0]);
                strips(size[0], before);
            });
        });
    }

    /// The strips of `threads` threads in a line; `before` threads of the group come earlier.
    void strips(Value* threads, Value* before) {
        Value* width = builder_.getInt32(info_.lane_width);
        auto call = [&](Value* x, Value* count) {
            arguments_[stripX] = x;
            arguments_[stripFirst] = builder_.CreateAdd(before, x);
            arguments_[stripCount] = count;
            builder_.CreateCall(&strip_, arguments_);
        };
        Value* full = builder_.CreateAnd(threads, -std::uint64_t(info_.lane_width));
        if (strip_.getInstructionCount() > copyLimit) {
            buildLoop(builder_, builder_.getInt32(0), threads, width, "strip", [&](Value* x) {
                call(x, builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, width, builder_.CreateSub(threads, x)));
            });
            return;
        }
        buildLoop(builder_, builder_.getInt32(0), full, width, "strip", [&](Value* x) { call(x, width); });
        llvm::Function* function = kernel_;
        llvm::BasicBlock* tail = llvm::BasicBlock::Create(module_.getContext(), "tail", function);
        llvm::BasicBlock* after = llvm::BasicBlock::Create(module_.getContext(), "tail.end", function);
        builder_.CreateCondBr(builder_.CreateICmpULT(full, threads), tail, after);
        builder_.SetInsertPoint(tail);
        call(full, builder_.CreateSub(threads, full));
        builder_.CreateBr(after);
        builder_.SetInsertPoint(after);
    }

    void makeInfo() {
        auto number = [&](std::uint32_t value) { return builder_.getInt32(value); };
        llvm::Constant* fields[] = {number(info_.abi_version),
                                    number(info_.static_threadgroup_memory),
                                    builder_.getInt64(info_.scratch_size),
                                    number(info_.lane_mapping),
                                    number(info_.lane_width),
                                    number(info_.max_total_threads),
                                    number(info_.uses_barrier),
                                    number(info_.uses_simdgroup),
                                    number(info_.stage),
                                    number(info_.fragment_uses),
                                    llvm::ConstantDataArray::get(module_.getContext(), info_.used_slots),
                                    number(info_.uses_log)};
        llvm::Constant* record = llvm::ConstantStruct::getAnon(module_.getContext(), fields);
        new llvm::GlobalVariable(module_, record->getType(), true, llvm::GlobalValue::ExternalLinkage, record,
                                 METAL_KERNEL_INFO_SYMBOL);
    }

    llvm::Module& module_;
    llvm::Function& strip_;
    llvm::Function* fullGroup_;
    bool wholeGroup_;
    const metal_kernel_info& info_;
    llvm::IRBuilder<> builder_;
    llvm::Function* kernel_ = nullptr;
    Triple threads_, grid_, groups_;
    llvm::SmallVector<Value*, stripParameterCount> arguments_;
};

}  // namespace

void makeKernelEntry(llvm::Function& strip, bool wholeGroup, llvm::Function* fullGroup, const metal_kernel_info& info) {
    Entry(strip, wholeGroup, fullGroup, info).run();
}

}  // namespace metal_host
