// SPDX-License-Identifier: MIT

#include "prepare.hpp"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SCCIterator.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/IR/PassTimingInfo.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Pass.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/DeadStoreElimination.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/InferAddressSpaces.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopDeletion.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/LowerExpectIntrinsic.h>
#include <llvm/Transforms/Scalar/Reassociate.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/Scalarizer.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Scalar/TailRecursionElimination.h>
#include <llvm/Transforms/Utils/FixIrreducible.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>
#include <llvm/Transforms/Utils/UnifyFunctionExitNodes.h>

#include "fold_stage_facts.hpp"
#include "guard_arithmetic.hpp"
#include "join_accesses.hpp"
#include "lower_bitcasts.hpp"
#include "lower_memory.hpp"
#include "runtime_library.hpp"
#include "shared_routines.hpp"
#include "sink_indices.hpp"
#include "strip_function.hpp"

namespace metal_host {
namespace {

/// LLVM's pass and analysis managers for one run.
class Passes {
public:
    explicit Passes(llvm::TargetMachine& machine)
        : builder_(&machine, llvm::PipelineTuningOptions(), std::nullopt, &callbacks_) {
        if (llvm::TimePassesIsEnabled) times_.registerCallbacks(callbacks_);
        builder_.registerModuleAnalyses(modules_);
        builder_.registerCGSCCAnalyses(graphs_);
        builder_.registerFunctionAnalyses(functions_);
        builder_.registerLoopAnalyses(loops_);
        builder_.crossRegisterProxies(loops_, functions_, graphs_, modules_);
    }

    void run(llvm::Function& function, llvm::FunctionPassManager& passes) { passes.run(function, functions_); }
    void run(llvm::Module& module, llvm::ModulePassManager& passes) { passes.run(module, modules_); }
    /// What was found out of a function that was then changed by hand.
    void forget() {
        loops_.clear();
        functions_.clear();
    }

private:
    llvm::PassInstrumentationCallbacks callbacks_;
    llvm::TimePassesHandler times_{llvm::TimePassesIsEnabled};
    llvm::PassBuilder builder_;
    llvm::LoopAnalysisManager loops_;
    llvm::FunctionAnalysisManager functions_;
    llvm::CGSCCAnalysisManager graphs_;
    llvm::ModuleAnalysisManager modules_;
};

void addCleanUp(llvm::FunctionPassManager& passes) {
    passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    passes.addPass(llvm::EarlyCSEPass(true));
    passes.addPass(llvm::InstCombinePass());
    passes.addPass(llvm::SimplifyCFGPass());
}

void addLoopPasses(llvm::FunctionPassManager& passes, bool unroll) {
    llvm::LoopPassManager rotate;
    rotate.addPass(llvm::LoopRotatePass());
    rotate.addPass(llvm::LICMPass(llvm::LICMOptions()));
    passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(rotate), true));
    passes.addPass(llvm::InstCombinePass());
    passes.addPass(llvm::SimplifyCFGPass());
    llvm::LoopPassManager simplify;
    simplify.addPass(llvm::IndVarSimplifyPass());
    simplify.addPass(llvm::LoopDeletionPass());
    if (unroll) simplify.addPass(llvm::LoopFullUnrollPass(2));
    passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(simplify), false));
}

bool callsItself(llvm::Function& function) {
    return llvm::any_of(function.users(), [&](llvm::User* user) {
        auto* call = llvm::dyn_cast<llvm::CallBase>(user);
        return call != nullptr && call->getFunction() == &function;
    });
}

/// A function that calls itself as the last thing it does becomes a loop.
void makeLoopsOfTailCalls(llvm::Module& module, llvm::TargetMachine& machine) {
    Passes passes(machine);
    llvm::FunctionPassManager run;
    run.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    run.addPass(llvm::EarlyCSEPass());
    run.addPass(llvm::SimplifyCFGPass());
    run.addPass(llvm::TailCallElimPass());
    for (llvm::Function& function : module) {
        if (!function.isDeclaration() && callsItself(function)) passes.run(function, run);
    }
}

/// `unreachable` ends threads for which the source's behaviour is undefined: they return.
void returnWhereUnreachable(llvm::Function& function) {
    for (llvm::BasicBlock& block : function) {
        llvm::Instruction* end = block.getTerminator();
        if (!llvm::isa<llvm::UnreachableInst>(end)) continue;
        llvm::Type* type = function.getReturnType();
        llvm::ReturnInst::Create(function.getContext(), type->isVoidTy() ? nullptr : llvm::Constant::getNullValue(type),
                                 end->getIterator());
        end->eraseFromParent();
    }
}

/// What `constant` memory holds does not change while a kernel runs.
void markConstantLoads(llvm::Function& function) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
        auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
        if (!load || load->getPointerAddressSpace() != 6 || load->isVolatile()) continue;
        load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(function.getContext(), {}));
    }
}

/// Functions in a cycle of calls. The module's functions then stand in an order where each comes after those it calls:
/// the inliner goes through them in order, so each body is put into its callers once, with all that it calls inside.
llvm::DenseSet<const llvm::Function*> functionsThatRecurse(llvm::Module& module) {
    llvm::DenseSet<const llvm::Function*> found;
    llvm::CallGraph calls(module);
    auto& functions = module.getFunctionList();
    for (auto component = llvm::scc_begin(&calls); !component.isAtEnd(); ++component) {
        for (const llvm::CallGraphNode* node : *component) {
            llvm::Function* function = node->getFunction();
            if (function == nullptr || function->isDeclaration()) continue;
            if (component.hasCycle()) found.insert(function);
            functions.splice(functions.end(), functions, function->getIterator());
        }
    }
    return found;
}

/// Whether a call is left of a function that is to be inlined. (Its address may stay, in a table of functions.)
bool callsInlinable(const llvm::Module& module) {
    for (const llvm::Function& function : module) {
        if (function.isDeclaration() || !function.hasFnAttribute(llvm::Attribute::AlwaysInline)) continue;
        for (const llvm::User* user : function.users()) {
            const auto* call = llvm::dyn_cast<llvm::CallBase>(user);
            if (call != nullptr && call->getCalledFunction() == &function) return true;
        }
    }
    return false;
}

/// Whether the module names something that the run-time library defines.
bool asksForRuntime(const llvm::Module& module) {
    static const llvm::StringSet<> defined = [] {
        llvm::StringSet<> names;
        llvm::LLVMContext context;
        auto library = llvm::getLazyBitcodeModule(runtimeBitcode(), context);
        if (!library) {
            llvm::consumeError(library.takeError());
            return names;
        }
        for (const llvm::GlobalValue& value : (*library)->global_values()) {
            if (!value.isDeclaration()) names.insert(value.getName());
        }
        return names;
    }();
    return llvm::any_of(module.global_values(), [](const llvm::GlobalValue& value) {
        return value.isDeclaration() && defined.contains(value.getName());
    });
}

llvm::Error linkRuntime(llvm::Module& module) {
    if (!asksForRuntime(module)) return llvm::Error::success();
    auto library = llvm::getLazyBitcodeModule(runtimeBitcode(), module.getContext());
    if (!library) return library.takeError();
    (*library)->setTargetTriple(module.getTargetTriple());
    (*library)->setDataLayout(module.getDataLayout());
    if (llvm::Linker::linkModules(module, std::move(*library), llvm::Linker::LinkOnlyNeeded))
        return llvm::createStringError("the run-time library cannot be linked to the kernel");
    return llvm::Error::success();
}

}  // namespace

llvm::Error inlineAll(llvm::Module& module, llvm::StringRef entry, llvm::TargetMachine& machine, bool hasDerivatives,
                      bool keepsLines, const BoundResources& bound) {
    // The passes that follow want to see what becomes of each place in the source, and of what is known of a resource.
    const bool shares = !keepsLines && bound.empty();
    foldStageFacts(module, hasDerivatives);
    if (llvm::Error error = linkRuntime(module)) return error;
    if (!keepsLines) llvm::StripDebugInfo(module);
    makeLoopsOfTailCalls(module, machine);
    const auto cycles = functionsThatRecurse(module);
    for (llvm::Function& function : module) {
        if (function.isDeclaration()) continue;
        function.removeFnAttr(llvm::Attribute::NoInline);
        function.removeFnAttr(llvm::Attribute::OptimizeNone);
        for (llvm::StringRef kind : {"target-cpu", "target-features", "tune-cpu"}) function.removeFnAttr(kind);
        guardArithmetic(function);
        if (function.getName() == entry || isVisibleFunction(function)) {
            function.setLinkage(llvm::GlobalValue::ExternalLinkage);
            function.setVisibility(llvm::GlobalValue::DefaultVisibility);
            continue;
        }
        function.setLinkage(llvm::GlobalValue::InternalLinkage);
        function.setComdat(nullptr);
        // Called by one lane after the other, each with a stack to recurse on.
        if (cycles.contains(&function)) function.setName(slowFunctionPrefix + function.getName());
        bool isSlow = function.getName().starts_with(slowFunctionPrefix);
        const bool waits = shares && mayBeShared(function);
        if (waits) function.removeFnAttr(llvm::Attribute::AlwaysInline);
        function.addFnAttr(isSlow || waits ? llvm::Attribute::NoInline : llvm::Attribute::AlwaysInline);
    }
    for (llvm::GlobalVariable& variable : module.globals()) {
        variable.setComdat(nullptr);
        if (!variable.isDeclaration() && !variable.hasAppendingLinkage())
            variable.setLinkage(llvm::GlobalValue::InternalLinkage);
    }
    Passes passes(machine);
    llvm::ModulePassManager small;
    small.addPass(llvm::GlobalDCEPass());
    llvm::FunctionPassManager registers;
    registers.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
    registers.addPass(llvm::EarlyCSEPass());
    small.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(registers)));
    passes.run(module, small);  // before a body is copied, rather than in each copy
    llvm::ModulePassManager run;
    run.addPass(llvm::AlwaysInlinerPass(false));
    run.addPass(llvm::GlobalDCEPass());
    // Arguments of the intrinsics become the constants that they are.
    llvm::FunctionPassManager simplify;
    simplify.addPass(llvm::LowerExpectIntrinsicPass());  // [[likely]]
    simplify.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    simplify.addPass(llvm::EarlyCSEPass());
    run.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(simplify)));
    passes.run(module, run);
    // A pointer to a function that was an argument is known by now: what it points at can follow.
    const auto inlineTheRest = [&] {
        for (int round = 0; round < 8 && callsInlinable(module); ++round) passes.run(module, run);
    };
    inlineTheRest();
    if (shares) {
        shareRoutines(*module.getFunction(entry));
        for (llvm::Function& function : module) {
            if (!function.getName().starts_with(routinePrefix)) continue;
            optimiseThread(function, machine);
            if (canBeWidened(function)) continue;
            function.removeFnAttr(llvm::Attribute::NoInline);
            function.addFnAttr(llvm::Attribute::AlwaysInline);
        }
        inlineTheRest();
    }
    if (bound.empty() || !foldBoundResources(*module.getFunction(entry), bound)) return llvm::Error::success();
    llvm::ModulePassManager drop;  // the code of other formats, and what other samplers would do
    llvm::FunctionPassManager fold;
    fold.addPass(llvm::EarlyCSEPass());
    fold.addPass(llvm::InstCombinePass());
    fold.addPass(llvm::SimplifyCFGPass());
    drop.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(fold)));
    passes.run(module, drop);
    llvm::Expected<bool> linked = linkKnownTexels(*module.getFunction(entry));
    if (!linked) return linked.takeError();
    if (*linked) passes.run(module, run);
    return llvm::Error::success();
}

llvm::Error prepareVisibleFunction(llvm::Function& function) {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
        auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
        if (!callee || !callee->isDeclaration() || callee->isIntrinsic()) continue;
        if (callee->getName() == "__metal_is_helper_thread") {
            call->replaceAllUsesWith(llvm::ConstantInt::getFalse(function.getContext()));
            call->eraseFromParent();
            continue;
        }
        return llvm::createStringError("a visible function that is called through a table asks for " +
                                       callee->getName().drop_while([](char c) { return c == '_'; }) +
                                       ", which threads of a pipeline do only in its own function");
    }
    expandMemoryIntrinsics(function);
    return llvm::Error::success();
}

void optimiseThread(llvm::Function& function, llvm::TargetMachine& machine) {
    Passes passes(machine);
    llvm::FunctionPassManager early;
    early.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    early.addPass(llvm::InferAddressSpacesPass(0));
    passes.run(function, early);
    markConstantLoads(function);

    llvm::FunctionPassManager simplify;
    addCleanUp(simplify);
    addLoopPasses(simplify, true);
    addCleanUp(simplify);
    simplify.addPass(llvm::GVNPass());
    simplify.addPass(llvm::DSEPass());
    simplify.addPass(llvm::InstCombinePass());
    simplify.addPass(llvm::SimplifyCFGPass());
    simplify.addPass(llvm::ADCEPass());
    passes.run(function, simplify);

    expandMemoryIntrinsics(function);
    returnWhereUnreachable(function);
    passes.forget();
    llvm::FunctionPassManager form;
    llvm::ScalarizerPassOptions scalarise;
    scalarise.ScalarizeLoadStore = true;
    form.addPass(llvm::ScalarizerPass(scalarise));
    form.addPass(llvm::EarlyCSEPass());
    form.addPass(llvm::ADCEPass());
    passes.run(function, form);
    if (splitOddIntegers(function)) {
        llvm::FunctionPassManager tidy;
        tidy.addPass(llvm::InstCombinePass());
        tidy.addPass(llvm::ADCEPass());
        passes.run(function, tidy);
    }
    lowerBitcasts(function);
    joinAccesses(function);

    form = llvm::FunctionPassManager();
    form.addPass(llvm::LowerSwitchPass());
    form.addPass(llvm::UnifyFunctionExitNodesPass());
    form.addPass(llvm::FixIrreduciblePass());
    form.addPass(llvm::LoopSimplifyPass());
    form.addPass(llvm::LCSSAPass());
    passes.run(function, form);
}

void optimiseStrip(llvm::Function& function, llvm::TargetMachine& machine) {
    Passes passes(machine);
    llvm::FunctionPassManager simplify;
    addCleanUp(simplify);
    simplify.addPass(llvm::ADCEPass());
    simplify.addPass(llvm::LowerSwitchPass());
    simplify.addPass(llvm::UnifyFunctionExitNodesPass());
    simplify.addPass(llvm::FixIrreduciblePass());
    simplify.addPass(llvm::LoopSimplifyPass());
    simplify.addPass(llvm::LCSSAPass());
    passes.run(function, simplify);
}

void optimiseKernel(llvm::Module& module, llvm::TargetMachine& machine) {
    Passes passes(machine);
    llvm::ModulePassManager run;
    run.addPass(llvm::AlwaysInlinerPass(false));
    run.addPass(llvm::GlobalDCEPass());
    llvm::FunctionPassManager simplify;
    addCleanUp(simplify);
    addLoopPasses(simplify, false);
    addCleanUp(simplify);
    simplify.addPass(llvm::GVNPass());
    simplify.addPass(llvm::DSEPass());
    llvm::LoopPassManager hoist;
    hoist.addPass(llvm::LICMPass(llvm::LICMOptions()));
    simplify.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(hoist), true));
    simplify.addPass(llvm::InstCombinePass());
    simplify.addPass(llvm::SimplifyCFGPass());
    simplify.addPass(llvm::ADCEPass());
    run.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(simplify)));
    run.addPass(llvm::GlobalDCEPass());
    passes.run(module, run);
    for (llvm::Function& function : module) sinkIndices(function);
}

}  // namespace metal_host
