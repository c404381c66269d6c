// SPDX-License-Identifier: MIT

#include "lower_context.hpp"

#include <kernel_abi.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ReplaceConstant.h>

#include <cstddef>
#include <map>
#include <vector>

#include "lower_stage.hpp"
#include "strip_function.hpp"

namespace metal_host {
namespace {

using llvm::Value;

/// First argument of __metal_index.
enum Index : unsigned {
    threadPositionInGrid,
    threadgroupPositionInGrid,
    threadPositionInThreadgroup,
    threadsPerThreadgroup,
    threadsPerGrid,
    threadgroupsPerGrid,
    threadIndexInThreadgroup,
    threadIndexInSimdgroup,
    simdgroupIndexInThreadgroup,
    simdgroupsPerThreadgroup,
    threadsPerSimdgroup,
    dispatchThreadsPerThreadgroup,
    threadIndexInQuadgroup,
    quadgroupIndexInThreadgroup,
    gridOrigin,
    quadgroupsPerThreadgroup,
    dispatchSimdgroupsPerThreadgroup,
    dispatchQuadgroupsPerThreadgroup,
    gridSize,
};

constexpr unsigned quadgroupWidth = 4;

bool isExchange(llvm::StringRef name) {
    return name.starts_with(simdPrefix) || name.starts_with(quadPrefix);
}

constexpr const char* argumentIntrinsic = "__metal_argument";

}  // namespace

bool asksForSimdgroups(const llvm::Function& entry) {
    for (const llvm::Instruction& instruction : llvm::instructions(entry)) {
        auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        if (!call || !call->getCalledFunction()) continue;
        llvm::StringRef name = call->getCalledFunction()->getName();
        if (isExchange(name) || name == simdgroupBarrier) return true;
        auto* kind = name == "__metal_index" ? llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(0)) : nullptr;
        if (kind && (kind->equalsInt(threadIndexInSimdgroup) || kind->equalsInt(simdgroupIndexInThreadgroup)))
            return true;
    }
    return false;
}

namespace {

class Lowering {
public:
    Lowering(llvm::Function& entry, unsigned laneMapping, unsigned width)
        : module_(*entry.getParent()), mapping_(laneMapping), width_(width), builder_(entry.getContext()) {
        llvm::Function* strip = llvm::Function::Create(stripFunctionType(entry.getContext()),
                                                       llvm::GlobalValue::InternalLinkage, "", module_);
        strip->takeName(&entry);
        strip->copyAttributesFrom(&entry);
        strip->setSubprogram(entry.getSubprogram());
        strip->setLinkage(llvm::GlobalValue::InternalLinkage);
        strip->splice(strip->begin(), &entry);
        static constexpr const char* names[] = {"launch",  "threadgroup", "scratch", "group.x", "group.y",
                                                "group.z", "size.x",      "size.y",  "size.z",  "x",
                                                "y",       "z",           "first",   "count"};
        for (unsigned index = 0; index < stripParameterCount; ++index) strip->getArg(index)->setName(names[index]);
        // What of it is read under a condition may be read before.
        strip->addDereferenceableParamAttr(stripLaunch, sizeof(metal_launch));
        strip->addParamAttr(stripLaunch,
                            llvm::Attribute::getWithAlignment(strip->getContext(), llvm::Align(alignof(metal_launch))));
        entry.eraseFromParent();
        context_.function = strip;
        rowsAreSimdgroups_ = width == metal_simdgroup_width && asksForSimdgroups(*strip);
        start_ = &*strip->getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
    }

    llvm::Expected<Context> run() {
        placeThreadgroupVariables();
        std::vector<llvm::CallInst*> calls;
        for (llvm::Instruction& instruction : llvm::instructions(*context_.function)) {
            auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
            if (call && call->getCalledFunction()) calls.push_back(call);
        }
        for (llvm::CallInst* call : calls) lower(*call);
        if (!problem_.empty()) return llvm::createStringError(problem_);
        return context_;
    }

private:
    void lower(llvm::CallInst& call) {
        llvm::StringRef name = call.getCalledFunction()->getName();
        if (name == threadgroupBarrier || name == simdgroupBarrier) {
            // In step only while a SIMD-group is one strip; else its barrier is the group's.
            bool simd = name == simdgroupBarrier;
            context_.usesSimdgroup |= simd;
            context_.usesBarrier |= !simd || width_ != metal_simdgroup_width;
            if (simd && width_ != metal_simdgroup_width) {
                call.setCalledFunction(module_.getOrInsertFunction(threadgroupBarrier, call.getFunctionType()));
            }
            for (auto kind : {llvm::Attribute::Convergent, llvm::Attribute::NoMerge, llvm::Attribute::NoDuplicate})
                call.addFnAttr(kind);
            return;
        }
        if (isExchange(name)) {
            context_.usesSimdgroup = true;
            call.addFnAttr(llvm::Attribute::Convergent);
            return;
        }
        builder_.SetInsertPoint(&call);
        Value* made = nullptr;
        if (name == "__metal_index") {
            made = index(call);
        } else if (name == stageIntrinsic) {
            made = launchField(builder_.getPtrTy(), offsetof(metal_launch, stage));
        } else if (name == argumentIntrinsic) {
            made = argument(call);
        } else if (name == "__metal_threadgroup_argument") {
            Value* bytes = builder_.CreatePtrToInt(argument(call), builder_.getInt64Ty());
            Value* memory = builder_.CreateAddrSpaceCast(parameter(stripThreadgroupMemory), call.getType());
            made = builder_.CreateGEP(builder_.getInt8Ty(), memory, bytes);
        }
        if (name == "__metal_log_buffer") {
            context_.usesLog = true;
            made = launchField(builder_.getPtrTy(), offsetof(metal_launch, log));
        }
        if (!made) return;
        call.replaceAllUsesWith(made);
        call.eraseFromParent();
    }

    Value* parameter(unsigned index) { return context_.function->getArg(index); }

    /// A field of the launch record, which nothing changes while the kernel runs.
    Value* launchField(llvm::Type* type, std::uint64_t offset) {
        return constantLoad(type, parameter(stripLaunch), offset);
    }

    Value* constantLoad(llvm::Type* type, Value* base, std::uint64_t offset) {
        llvm::LoadInst* load =
            builder_.CreateLoad(type, builder_.CreateConstGEP1_64(builder_.getInt8Ty(), base, offset));
        load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(module_.getContext(), {}));
        return load;
    }

    Value* argument(llvm::CallInst& call) {
        Value* slot = call.getArgOperand(0);
        if (!llvm::isa<llvm::ConstantInt>(slot)) return problem_ = "an argument's slot is no constant", nullptr;
        auto* type = llvm::FunctionType::get(builder_.getPtrTy(), {builder_.getInt32Ty()}, false);
        llvm::FunctionCallee callee = module_.getOrInsertFunction(argumentIntrinsic, type);
        auto* function = llvm::cast<llvm::Function>(callee.getCallee());
        function->setDoesNotAccessMemory();
        for (auto kind : {llvm::Attribute::NoUnwind, llvm::Attribute::WillReturn, llvm::Attribute::Speculatable})
            function->addFnAttr(kind);
        return builder_.CreateCall(callee, slot);
    }

    Value* triple(std::uint64_t offset, unsigned dimension) {
        return launchField(builder_.getInt32Ty(), offset + dimension * sizeof(std::uint32_t));
    }

    Value* dispatchSize(unsigned dimension) {
        return triple(offsetof(metal_launch, threads_per_threadgroup), dimension);
    }

    /// How many groups of `width` threads it takes for a threadgroup of this size.
    template <class Size>
    Value* groupsOf(unsigned width, Size size) {
        Value* threads = builder_.CreateMul(builder_.CreateMul(size(0), size(1)), size(2));
        return builder_.CreateUDiv(builder_.CreateAdd(threads, builder_.getInt32(width - 1)), builder_.getInt32(width));
    }

    Value* lane() {
        llvm::FunctionCallee callee = module_.getOrInsertFunction(laneIntrinsic, laneType());
        llvm::cast<llvm::Function>(callee.getCallee())->setDoesNotAccessMemory();
        llvm::CallInst* call = builder_.CreateCall(callee);
        call->addRangeRetAttr(llvm::ConstantRange(llvm::APInt(32, 0), llvm::APInt(32, width_)));
        return call;
    }

    /// A number that is a multiple of the strip's width; said so that it is known.
    Value* strips(Value* number) { return builder_.CreateAnd(number, -std::uint64_t(width_)); }

    Value* withLane(Value* firstOfStrip) {
        Value* made = builder_.CreateOr(strips(firstOfStrip), lane());
        llvm::cast<llvm::PossiblyDisjointInst>(made)->setIsDisjoint(true);
        return made;
    }

    llvm::FunctionType* laneType() { return llvm::FunctionType::get(builder_.getInt32Ty(), false); }

    /// Rows that are SIMD-groups, and threads in order, start their strips at multiples of the width.
    Value* threadIndex() {
        bool isAligned = mapping_ == metal_lanes_linear || rowsAreSimdgroups_;
        Value* first = parameter(stripFirst);
        return isAligned ? withLane(first) : builder_.CreateNUWAdd(first, lane());
    }

    Value* threadPosition(unsigned dimension) {
        if (mapping_ == metal_lanes_in_row) {
            Value* first = parameter(stripX + dimension);
            return dimension == 0 ? withLane(first) : first;
        }
        Value* index = threadIndex();
        if (dimension > 0) index = builder_.CreateUDiv(index, parameter(stripSizeX));
        if (dimension > 1) return builder_.CreateUDiv(index, parameter(stripSizeY));
        return builder_.CreateURem(index, parameter(stripSizeX + dimension));
    }

    Value* index(llvm::CallInst& call) {
        auto* kind = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0));
        auto* dimension = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(1));
        if (!kind || !dimension || dimension->getZExtValue() > 2)
            return problem_ = "an index's kind or dimension is no constant", nullptr;
        return index(unsigned(kind->getZExtValue()), unsigned(dimension->getZExtValue()));
    }

    Value* index(unsigned kind, unsigned dimension) {
        bool wholeSimdgroups = width_ == metal_simdgroup_width;
        context_.usesSimdgroup |= kind == threadIndexInSimdgroup || kind == simdgroupIndexInThreadgroup;
        switch (kind) {
            case threadPositionInGrid: {
                Value* group = builder_.CreateMul(parameter(stripGroupX + dimension),
                                                  triple(offsetof(metal_launch, threads_per_threadgroup), dimension));
                Value* first = builder_.CreateAdd(triple(offsetof(metal_launch, grid_origin), dimension), group);
                return builder_.CreateNUWAdd(first, threadPosition(dimension));
            }
            case threadgroupPositionInGrid:
                return parameter(stripGroupX + dimension);
            case threadPositionInThreadgroup:
                return threadPosition(dimension);
            case threadsPerThreadgroup:
                return parameter(stripSizeX + dimension);
            case threadsPerGrid:
                return triple(offsetof(metal_launch, threads_per_grid), dimension);
            case threadgroupsPerGrid:
                return triple(offsetof(metal_launch, threadgroups_per_grid), dimension);
            case threadIndexInThreadgroup:
                return threadIndex();
            // A strip of 32 lanes is a SIMD-group: in a row of a multiple of 32 threads, too.
            case threadIndexInSimdgroup:
                return wholeSimdgroups ? lane() : builder_.CreateAnd(threadIndex(), metal_simdgroup_width - 1);
            case simdgroupIndexInThreadgroup:
                return builder_.CreateLShr(wholeSimdgroups ? parameter(stripFirst) : threadIndex(), 5);
            case simdgroupsPerThreadgroup:
                return groupsOf(metal_simdgroup_width, [this](unsigned d) { return parameter(stripSizeX + d); });
            case quadgroupsPerThreadgroup:
                return groupsOf(quadgroupWidth, [this](unsigned d) { return parameter(stripSizeX + d); });
            case dispatchSimdgroupsPerThreadgroup:
                return groupsOf(metal_simdgroup_width, [this](unsigned d) { return dispatchSize(d); });
            case dispatchQuadgroupsPerThreadgroup:
                return groupsOf(quadgroupWidth, [this](unsigned d) { return dispatchSize(d); });
            case threadsPerSimdgroup:
                return builder_.getInt32(metal_simdgroup_width);
            case dispatchThreadsPerThreadgroup:
                return dispatchSize(dimension);
            case threadIndexInQuadgroup:
                return builder_.CreateAnd(threadIndex(), 3);
            case quadgroupIndexInThreadgroup:
                return builder_.CreateLShr(threadIndex(), 2);
            case gridOrigin:
                return triple(offsetof(metal_launch, grid_origin), dimension);
            case gridSize:
                return triple(offsetof(metal_launch, grid_size), dimension);
            default:
                return problem_ = "__metal_index of an unknown kind", nullptr;
        }
    }

    /// One after the other at the start of the worker's threadgroup memory; used ones only.
    void placeThreadgroupVariables() {
        const llvm::DataLayout& layout = module_.getDataLayout();
        builder_.SetInsertPoint(start_);
        for (llvm::GlobalVariable& variable : module_.globals()) {
            if (variable.getAddressSpace() != 3 || variable.use_empty()) continue;
            llvm::Constant* name = &variable;
            llvm::convertUsersOfConstantsToInstructions(name, context_.function);
            if (variable.use_empty()) continue;
            llvm::Align align =
                std::max(variable.getAlign().valueOrOne(), layout.getABITypeAlign(variable.getValueType()));
            context_.threadgroupMemory = llvm::alignTo(context_.threadgroupMemory, align);
            Value* memory = builder_.CreateAddrSpaceCast(parameter(stripThreadgroupMemory), variable.getType());
            Value* place = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), memory, context_.threadgroupMemory,
                                                               variable.getName());
            context_.threadgroupMemory += layout.getTypeAllocSize(variable.getValueType());
            variable.replaceUsesWithIf(place, [this](llvm::Use& use) {
                auto* user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
                return user && user->getFunction() == context_.function;
            });
        }
        context_.threadgroupMemory = llvm::alignTo(context_.threadgroupMemory, 16);
    }

    llvm::Module& module_;
    unsigned mapping_, width_;
    bool rowsAreSimdgroups_ = false;
    llvm::IRBuilder<> builder_;
    llvm::Instruction* start_ = nullptr;
    Context context_;
    std::string problem_;
};

}  // namespace

llvm::Expected<Context> lowerContext(llvm::Function& entry, unsigned laneMapping, unsigned width) {
    return Lowering(entry, laneMapping, width).run();
}

void lowerArguments(llvm::Function& thread, llvm::MutableArrayRef<std::uint64_t> usedSlots) {
    llvm::IRBuilder<> builder(&*thread.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    const auto load = [&](Value* base, std::uint64_t offset) {
        Value* place = builder.CreateConstGEP1_64(builder.getInt8Ty(), base, offset);
        llvm::LoadInst* loaded = builder.CreateLoad(builder.getPtrTy(), place);
        loaded->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(thread.getContext(), {}));
        return loaded;
    };
    std::map<std::uint64_t, Value*> loaded;
    Value* all = nullptr;
    std::vector<llvm::CallInst*> calls;  // the builder stands before the first of them, perhaps
    for (llvm::Instruction& instruction : llvm::instructions(thread)) {
        auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        if (call && call->getCalledFunction() && call->getCalledFunction()->getName() == argumentIntrinsic)
            calls.push_back(call);
    }
    for (llvm::CallInst* call : calls) {
        const std::uint64_t slot = llvm::cast<llvm::ConstantInt>(call->getArgOperand(0))->getZExtValue();
        if (slot / 64 < usedSlots.size()) usedSlots[slot / 64] |= std::uint64_t(1) << slot % 64;
        if (!all) all = load(thread.getArg(stripLaunch), offsetof(metal_launch, arguments));
        Value*& value = loaded[slot];
        if (!value) value = load(all, slot * sizeof(void*));
        call->replaceAllUsesWith(value);
    }
    for (llvm::CallInst* call : calls) call->eraseFromParent();
}

}  // namespace metal_host
