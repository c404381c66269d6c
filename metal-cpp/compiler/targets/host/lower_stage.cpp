// SPDX-License-Identifier: MIT

#include "lower_stage.hpp"

#include <kernel_abi.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <vector>

namespace metal_host {
namespace {

using llvm::Value;

/// StageScalar::Type of the front end.
enum Scalar : unsigned { f32, f16, bf16, boolean, i8, u8, i16, u16, i32, u32 };

class Stage {
public:
    explicit Stage(llvm::Function& entry)
        : function_(entry), module_(*entry.getParent()), builder_(entry.getContext()) {
        llvm::StringRef kind = entry.getFnAttribute("metal-entry").getValueAsString();
        facts_.stage = kind == "vertex"     ? metal_stage_vertex
                       : kind == "fragment" ? metal_stage_fragment
                                            : metal_stage_kernel;
        entry.getFnAttribute("metal-control-points").getValueAsString().getAsInteger(10, controlPoints_);
        hasSampleMask_ = !entry.getFnAttribute("metal-sample-mask").getValueAsString().getAsInteger(10, sampleMask_);
    }

    llvm::Expected<StageFacts> run() {
        std::vector<llvm::CallInst*> calls;
        for (llvm::Instruction& instruction : llvm::instructions(function_)) {
            auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
            if (call && call->getCalledFunction() && call->getCalledFunction()->isDeclaration()) calls.push_back(call);
        }
        if (isFragment()) guardWrites();
        for (llvm::CallInst* call : calls) lower(*call);
        if (coverage_) finishCoverage();
        if (!problem_.empty()) return llvm::createStringError(problem_);
        return facts_;
    }

private:
    bool isFragment() const { return facts_.stage == metal_stage_fragment; }

    void lower(llvm::CallInst& call) {
        llvm::StringRef name = call.getCalledFunction()->getName();
        builder_.SetInsertPoint(&call);
        Value* made = nullptr;
        if (name == "__metal_stage_input") {
            input(call);
        } else if (name == "__metal_stage_output") {
            output(call);
        } else if (name == "__metal_discard_fragment") {
            if (!isFragment()) return fail("discard_fragment() is called outside a fragment function");
            facts_.fragmentUses |= metal_fragment_discards | metal_fragment_asks_coverage;
            builder_.CreateStore(builder_.getInt32(0), coverage());
        } else if (name == "__metal_is_helper_thread") {
            made = isFragment() ? isHelper() : builder_.getFalse();
        } else if (name == "__metal_sample_count") {
            if (!isFragment()) return fail("get_num_samples() is called outside a fragment function");
            made = constantLoad(builder_.getInt32Ty(), stage(), offsetof(metal_stage, sample_count));
        } else if (name == "__metal_covered_samples") {
            if (!isFragment()) return fail("an interpolant is used outside a fragment function");
            facts_.fragmentUses |= metal_fragment_asks_coverage;
            made = builder_.CreateAlignedLoad(builder_.getInt32Ty(), element(field(offsetof(metal_stage, coverage))),
                                              llvm::Align(4));
        } else if (name == "__metal_sample_position") {
            if (!isFragment()) return fail("get_sample_position() is called outside a fragment function");
            Value* place = builder_.CreateAdd(builder_.CreateShl(call.getArgOperand(0), 1), call.getArgOperand(1));
            Value* address = builder_.CreateGEP(builder_.getFloatTy(), field(offsetof(metal_stage, sample_positions)),
                                                builder_.CreateZExt(place, builder_.getInt64Ty()));
            made = builder_.CreateLoad(builder_.getFloatTy(), address);
        } else if (name == "__metal_control_point_count") {
            made = llvm::ConstantInt::get(call.getType(), controlPoints_);
        } else if (name.starts_with(derivativePrefix)) {
            // Between the threads of a kernel there is no screen to derive by.
            if (isFragment()) {
                facts_.fragmentUses |= metal_fragment_uses_quads;
                call.addFnAttr(llvm::Attribute::Convergent);
                return;
            }
            made = llvm::Constant::getNullValue(call.getType());
        } else {
            if (isFragment() && name.starts_with("__metal_quad_")) facts_.fragmentUses |= metal_fragment_uses_quads;
            return;
        }
        if (made) call.replaceAllUsesWith(made);
        call.eraseFromParent();
    }

    Value* stage() {
        return builder_.CreateCall(
            module_.getOrInsertFunction(stageIntrinsic, llvm::FunctionType::get(builder_.getPtrTy(), false)));
    }

    Value* field(std::uint64_t offset) { return constantLoad(builder_.getPtrTy(), stage(), offset); }

    Value* constantLoad(llvm::Type* type, Value* base, std::uint64_t offset) {
        llvm::LoadInst* load =
            builder_.CreateLoad(type, builder_.CreateConstGEP1_64(builder_.getInt8Ty(), base, offset));
        load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(module_.getContext(), {}));
        return load;
    }

    Value* query(unsigned kind, unsigned dimension) {
        llvm::Type* number = builder_.getInt32Ty();
        auto callee =
            module_.getOrInsertFunction("__metal_index", llvm::FunctionType::get(number, {number, number}, false));
        return builder_.CreateCall(callee, {builder_.getInt32(kind), builder_.getInt32(dimension)});
    }

    /// Which invocation this thread is.
    Value* invocation() {
        constexpr unsigned positionInGrid = 0, threadsPerGrid = 4, gridOrigin = 14;
        auto position = [&](unsigned dimension) {
            Value* place = query(positionInGrid, dimension);
            return isStage() ? place : builder_.CreateSub(place, query(gridOrigin, dimension));
        };
        Value* x = position(0);
        if (isStage()) return x;
        Value* row = builder_.CreateAdd(builder_.CreateMul(position(2), query(threadsPerGrid, 1)), position(1));
        return builder_.CreateAdd(builder_.CreateMul(row, query(threadsPerGrid, 0)), x);
    }
    bool isStage() const { return facts_.stage != metal_stage_kernel; }

    Value* element(Value* column) {
        return builder_.CreateGEP(builder_.getInt32Ty(), column,
                                  builder_.CreateZExt(invocation(), builder_.getInt64Ty()));
    }

    bool readOperands(llvm::CallInst& call, std::uint64_t& column, unsigned& scalar) {
        auto* columnNumber = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(1));
        auto* type = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(2));
        if (!columnNumber || !type) return fail("a stage value's column or type is no constant"), false;
        column = columnNumber->getZExtValue();
        scalar = unsigned(type->getZExtValue());
        return true;
    }

    llvm::Type* typeOf(unsigned scalar) {
        switch (scalar) {
            case f32:
                return builder_.getFloatTy();
            case f16:
                return builder_.getHalfTy();
            case bf16:
                return builder_.getBFloatTy();
            case boolean:
            case i8:
            case u8:
                return builder_.getInt8Ty();
            case i16:
            case u16:
                return builder_.getInt16Ty();
            default:
                return builder_.getInt32Ty();
        }
    }
    static bool isFloat(unsigned scalar) { return scalar <= bf16; }
    static bool isSigned(unsigned scalar) { return scalar == i8 || scalar == i16; }

    void input(llvm::CallInst& call) {
        std::uint64_t column = 0;
        unsigned scalar = 0;
        if (!readOperands(call, column, scalar)) return;
        Value* address =
            element(constantLoad(builder_.getPtrTy(), field(offsetof(metal_stage, inputs)), column * sizeof(void*)));
        llvm::Type* wide = isFloat(scalar) ? builder_.getFloatTy() : builder_.getInt32Ty();
        llvm::LoadInst* load = builder_.CreateAlignedLoad(wide, address, llvm::Align(4));
        load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(module_.getContext(), {}));
        Value* value = load;
        if (scalar == boolean) {
            value = builder_.CreateZExt(builder_.CreateIsNotNull(value), builder_.getInt8Ty());
        } else if (isFloat(scalar)) {
            value = builder_.CreateFPTrunc(value, typeOf(scalar));
        } else {
            value = builder_.CreateTrunc(value, typeOf(scalar));
        }
        builder_.CreateAlignedStore(value, call.getArgOperand(0), llvm::Align(1));
    }

    void output(llvm::CallInst& call) {
        std::uint64_t column = 0;
        unsigned scalar = 0;
        if (!readOperands(call, column, scalar)) return;
        Value* value = builder_.CreateAlignedLoad(typeOf(scalar), call.getArgOperand(0), llvm::Align(1));
        if (scalar == boolean) value = builder_.CreateAnd(value, 1);
        if (isFloat(scalar)) {
            value = builder_.CreateFPExt(value, builder_.getFloatTy());
        } else {
            value = builder_.CreateIntCast(value, builder_.getInt32Ty(), isSigned(scalar));
        }
        Value* address =
            element(constantLoad(builder_.getPtrTy(), field(offsetof(metal_stage, outputs)), column * sizeof(void*)));
        builder_.CreateAlignedStore(value, address, llvm::Align(4));
        if (!hasSampleMask_ || column != sampleMask_) return;
        facts_.fragmentUses |= metal_fragment_discards | metal_fragment_asks_coverage;
        Value* rest = builder_.CreateLoad(builder_.getInt32Ty(), coverage());
        builder_.CreateStore(builder_.CreateAnd(rest, value), coverage());
    }

    // ---- Coverage ----

    llvm::AllocaInst* coverage() {
        if (coverage_) return coverage_;
        llvm::IRBuilderBase::InsertPointGuard guard(builder_);
        builder_.SetInsertPoint(&*function_.getEntryBlock().getFirstInsertionPt());
        coverage_ = builder_.CreateAlloca(builder_.getInt32Ty(), nullptr, "coverage");
        Value* address = element(field(offsetof(metal_stage, coverage)));
        builder_.CreateStore(builder_.CreateAlignedLoad(builder_.getInt32Ty(), address, llvm::Align(4)), coverage_);
        return coverage_;
    }

    Value* isHelper() {
        facts_.fragmentUses |= metal_fragment_asks_coverage;
        llvm::AllocaInst* variable = coverage();
        return builder_.CreateIsNull(builder_.CreateLoad(builder_.getInt32Ty(), variable));
    }

    void finishCoverage() {
        for (llvm::BasicBlock& block : function_) {
            auto* end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator());
            if (!end) continue;
            builder_.SetInsertPoint(end);
            Value* rest = builder_.CreateLoad(builder_.getInt32Ty(), coverage_);
            builder_.CreateAlignedStore(rest, element(field(offsetof(metal_stage, remaining_coverage))),
                                        llvm::Align(4));
        }
    }

    /// Helpers and discarded fragments leave no trace in memory. Private variables they do write: their neighbours'
    /// derivatives depend on them.
    void guardWrites() {
        std::vector<llvm::Instruction*> writes;
        for (llvm::Instruction& instruction : llvm::instructions(function_)) {
            if (writesShared(instruction)) writes.push_back(&instruction);
        }
        for (llvm::Instruction* write : writes) {
            facts_.fragmentUses |= metal_fragment_writes_memory;
            builder_.SetInsertPoint(write);
            Value* lives = builder_.CreateNot(isHelper());
            llvm::Instruction* then = llvm::SplitBlockAndInsertIfThen(lives, write->getIterator(), false);
            llvm::BasicBlock *skipped = then->getParent()->getSinglePredecessor(), *after = write->getParent();
            write->moveBefore(then->getIterator());
            if (write->use_empty()) continue;
            builder_.SetInsertPoint(after, after->begin());
            llvm::PHINode* result = builder_.CreatePHI(write->getType(), 2);
            write->replaceAllUsesWith(result);
            result->addIncoming(write, then->getParent());
            result->addIncoming(llvm::Constant::getNullValue(write->getType()), skipped);
        }
    }

    static bool isPrivate(const Value* pointer) {
        return llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer));
    }

    bool writesShared(const llvm::Instruction& instruction) {
        if (const Value* pointer = written(instruction)) return !isPrivate(pointer);
        auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        if (!call || call->onlyReadsMemory() || llvm::isa<llvm::IntrinsicInst>(call)) return false;
        const llvm::Function* callee = call->getCalledFunction();
        if (!callee) return true;
        if (callee->isDeclaration()) return false;  // an intrinsic of ours
        const Writes& writes = writesOf(*callee);
        return writes.elsewhere || std::any_of(writes.parameters.begin(), writes.parameters.end(),
                                               [&](unsigned index) { return !isPrivate(call->getArgOperand(index)); });
    }

    static const Value* written(const llvm::Instruction& instruction) {
        if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) return store->getPointerOperand();
        if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) return update->getPointerOperand();
        if (auto* swap = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) return swap->getPointerOperand();
        if (auto* memory = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) return memory->getRawDest();
        return nullptr;
    }

    /// Where a function that is not inlined writes: through which parameters, or elsewhere.
    struct Writes {
        std::set<unsigned> parameters;
        bool elsewhere = false;
    };
    const Writes& writesOf(const llvm::Function& function) {
        const auto [known, isNew] = writes_.try_emplace(&function);
        Writes& writes = known->second;
        if (!isNew) return writes;
        const auto note = [&](const Value* pointer) {
            const Value* object = llvm::getUnderlyingObject(pointer);
            if (auto* parameter = llvm::dyn_cast<llvm::Argument>(object)) {
                writes.parameters.insert(parameter->getArgNo());
            } else if (!llvm::isa<llvm::AllocaInst>(object)) {
                writes.elsewhere = true;
            }
        };
        for (const llvm::Instruction& instruction : llvm::instructions(function)) {
            if (const Value* pointer = written(instruction)) note(pointer);
            auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
            if (!call || call->onlyReadsMemory() || llvm::isa<llvm::IntrinsicInst>(call)) continue;
            if (!call->getCalledFunction()) {
                writes.elsewhere = true;
                continue;
            }
            const Writes& inner = writesOf(*call->getCalledFunction());
            writes.elsewhere |= inner.elsewhere;
            for (const unsigned index : inner.parameters) note(call->getArgOperand(index));
        }
        return writes;
    }

    void fail(const llvm::Twine& message) {
        if (problem_.empty()) problem_ = message.str();
    }

    llvm::Function& function_;
    llvm::Module& module_;
    llvm::IRBuilder<> builder_;
    unsigned controlPoints_ = 0;
    bool hasSampleMask_ = false;
    std::uint64_t sampleMask_ = 0;  ///< the output column of [[sample_mask]]
    llvm::AllocaInst* coverage_ = nullptr;
    std::map<const llvm::Function*, Writes> writes_;
    StageFacts facts_;
    std::string problem_;
};

}  // namespace

llvm::Expected<StageFacts> lowerStage(llvm::Function& entry) {
    return Stage(entry).run();
}

}  // namespace metal_host
