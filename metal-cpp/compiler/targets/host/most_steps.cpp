// SPDX-License-Identifier: MIT

#include "most_steps.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <kernel_steps.hpp>

#include <algorithm>

#include "shared_routines.hpp"

namespace metal_host {
namespace {

// A declared function is one of the target's own (an exchange, a barrier, an atomic), which all end.
constexpr std::uint64_t stepsOfCall = 32;
constexpr std::uint64_t bytesOfStep = 8;  // of memcpy and the like

class Steps {
public:
    explicit Steps(llvm::Function& function)
        : function_(function),
          libraryFacts_(function.getParent()->getTargetTriple()),
          library_(libraryFacts_),
          assumptions_(function),
          dominators_(function),
          loops_(dominators_),
          evolution_(function, library_, assumptions_, dominators_, loops_) {}

    std::uint32_t count() {
        std::uint64_t all = 1;
        for (llvm::BasicBlock& block : function_) {
            const std::uint64_t once = stepsOf(block), rounds = roundsOf(loops_.getLoopFor(&block));
            if (once == 0 || rounds == 0) return 0;
            all += once * rounds;
            if (all > UINT32_MAX) return 0;
        }
        return static_cast<std::uint32_t>(all);
    }

private:
    std::uint64_t stepsOf(llvm::BasicBlock& block) {
        std::uint64_t steps = 0;
        for (llvm::Instruction& instruction : block) {
            ++steps;
            auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
            if (call == nullptr) continue;
            llvm::Function* callee = call->getCalledFunction();
            if (callee == nullptr) return 0;
            if (!callee->isDeclaration()) {
                const std::uint64_t inside = stepsOfRoutine(*callee);
                if (inside == 0) return 0;
                steps += inside;
            } else if (!callee->isIntrinsic()) {
                steps += stepsOfCall;
            } else if (const auto* memory = llvm::dyn_cast<llvm::AnyMemIntrinsic>(call)) {
                const auto* bytes = llvm::dyn_cast<llvm::ConstantInt>(memory->getLength());
                if (bytes == nullptr || bytes->getValue().ugt(UINT32_MAX)) return 0;
                steps += bytes->getZExtValue() / bytesOfStep;
            }
        }
        return steps;
    }

    std::uint64_t stepsOfRoutine(llvm::Function& callee) {
        if (!callee.getName().starts_with(routinePrefix)) return 0;
        const auto [known, isNew] = routines_.try_emplace(&callee, 0);
        if (isNew) known->second = mostSteps(callee);
        return known->second;
    }

    std::uint64_t roundsOf(const llvm::Loop* loop) {
        if (loop == nullptr) return 1;
        const auto known = rounds_.find(loop);
        if (known != rounds_.end()) return known->second;
        const std::uint64_t outer = roundsOf(loop->getParentLoop());
        const std::uint64_t own = outer == 0 ? 0 : evolution_.getSmallConstantMaxTripCount(loop);
        const std::uint64_t rounds = own > UINT32_MAX / std::max<std::uint64_t>(outer, 1) ? 0 : own * outer;
        rounds_[loop] = rounds;
        return rounds;
    }

    llvm::Function& function_;
    llvm::TargetLibraryInfoImpl libraryFacts_;
    llvm::TargetLibraryInfo library_;
    llvm::AssumptionCache assumptions_;
    llvm::DominatorTree dominators_;
    llvm::LoopInfo loops_;
    llvm::ScalarEvolution evolution_;
    llvm::DenseMap<const llvm::Loop*, std::uint64_t> rounds_;
    llvm::DenseMap<const llvm::Function*, std::uint32_t> routines_;
};

}  // namespace

std::uint32_t mostSteps(llvm::Function& function) {
    return Steps(function).count();
}

void exportMostSteps(llvm::Module& module, std::uint32_t steps) {
    llvm::Type* type = llvm::Type::getInt32Ty(module.getContext());
    new llvm::GlobalVariable(module, type, true, llvm::GlobalValue::ExternalLinkage,
                             llvm::ConstantInt::get(type, steps), METAL_KERNEL_MOST_STEPS_SYMBOL);
}

}  // namespace metal_host
