// SPDX-License-Identifier: MIT
//
// The host processor as a Metal target: the stages from one kernel's IR to a shared object, in order.

#include <kernel_abi.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Pass.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/X86TargetParser.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "../../stage_clock.hpp"
#include "../target.hpp"
#include "kernel_entry.hpp"
#include "lower_context.hpp"
#include "lower_memory.hpp"
#include "lower_stage.hpp"
#include "machine_code.hpp"
#include "missing_arithmetic.hpp"
#include "most_steps.hpp"
#include "notes.hpp"
#include "prepare.hpp"
#include "program_lines.hpp"
#include "shared_routines.hpp"
#include "split_at_barriers.hpp"
#include "strip_function.hpp"
#include "widen.hpp"

namespace metal_compiler {
namespace {

using namespace metal_host;

/// The developer's view of the stages, from the environment: MTLPY_PRINT_IR=widen (a stage's name, or `all`) prints the
/// IR after it; and their times.
class Stages {
public:
    Stages() {
        if (const char* stage = std::getenv("MTLPY_PRINT_IR")) print_ = stage;
        if (clock_.timesPasses()) llvm::TimePassesIsEnabled = true;
    }

    void start() { clock_.start(); }

    void finish(const char* stage, const llvm::Module& module) {
        clock_.finish(stage);
        if (print_ == stage || print_ == "all") llvm::errs() << "; ---- after " << stage << "\n" << module;
        clock_.start();
    }

private:
    std::string print_;
    StageClock clock_;
};

/// What each processor of 64 bits has; LLVM's lists leave it out.
bool isOfAll(llvm::StringRef feature) {
    return feature == "64bit" || feature == "sse2";
}

llvm::StringMap<bool> featuresOf(const char* processor) {
    llvm::SmallVector<llvm::StringRef, 64> named;  // without those that others imply
    llvm::X86::getFeaturesForCPU(processor, named);
    llvm::StringMap<bool> features;
    for (llvm::StringRef feature : named) {
        features[feature] = true;
        llvm::X86::updateImpliedFeatures(feature, true, features);
    }
    return features;
}

class HostTarget : public Target {
public:
    explicit HostTarget(const char* older) {
        llvm::InitializeNativeTarget();
        llvm::InitializeNativeTargetAsmPrinter();
        triple_ = llvm::sys::getProcessTriple();
        cpu_ = llvm::sys::getHostCPUName();
        auto available = llvm::sys::getHostCPUFeatures();
        if (older) {
            if (llvm::X86::parseArchX86(older, /*Only64Bit=*/true) == llvm::X86::CK_None)
                llvm::reportFatalUsageError(llvm::Twine("there is no processor called '") + older + "'");
            cpu_ = older;
            const llvm::StringMap<bool> has = featuresOf(older);
            for (auto& feature : available) feature.second &= isOfAll(feature.first()) || has.lookup(feature.first());
        }
        std::vector<std::string> names;
        for (const auto& feature : available) {
            names.emplace_back(1, feature.second ? '+' : '-').append(feature.first());
        }
        std::sort(names.begin(), names.end());
        features_ = llvm::join(names, ",");
        hasAvx512_ = available.lookup("avx512f") && available.lookup("avx512bw") && available.lookup("avx512vl") &&
                     available.lookup("avx512dq");
        const bool isArm = available.contains("neon");
        arithmetic_ = {.halves = available.lookup("avx512fp16") || available.lookup("fullfp16"),
                       .multiplyAdds = isArm || available.lookup("fma")};
        machine_ = makeMachine(triple_, cpu_, features_);
    }

    std::string triple() const override { return triple_; }
    std::string cpu() const override { return cpu_; }
    std::string features() const override { return features_; }
    std::string dataLayout() const override { return machine_->createDataLayout().getStringRepresentation(); }

    GenerateResult generate(std::unique_ptr<llvm::Module> module, const GenerateRequest& request) override {
        GenerateResult result;
        if (llvm::Error error = generate(*module, request, result)) {
            result.ok = false;
            result.log = request.name + ": " + llvm::toString(std::move(error));
        }
        return result;
    }

private:
    unsigned registerBits() const {
        return hasAvx512_ ? 512 : llvm::StringRef(features_).contains("+avx2,") ? 256 : 128;
    }
    unsigned defaultWidth() const { return hasAvx512_ ? 32 : 16; }

    llvm::Error generate(llvm::Module& module, const GenerateRequest& request, GenerateResult& result) {
        unsigned width = request.laneWidth ? request.laneWidth : defaultWidth();
        if (width != 8 && width != 16 && width != 32) {
            return llvm::createStringError("lane width is " + llvm::Twine(width) + ", the host has 8, 16 and 32");
        }
        if (!module.getFunction(request.entry))
            return llvm::createStringError("there is no function '" + request.entry + "' in the library");
        module.setTargetTriple(llvm::Triple(triple_));
        module.setDataLayout(machine_->createDataLayout());
        std::optional<Notes> noted;
        if (request.explain != protocol::Explain::no) {
            noted.emplace(result.explanation, request.explain == protocol::Explain::counts, module.getContext());
        }
        Notes* notes = noted ? &*noted : nullptr;
        Stages stages = stages_;
        stages.start();

        llvm::Function& entry = *module.getFunction(request.entry);
        const bool isFragment = entry.getFnAttribute("metal-entry").getValueAsString() == "fragment";
        if (llvm::Error error = inlineAll(module, request.entry, *machine_, /*hasDerivatives=*/isFragment,
                                          /*keepsLines=*/notes != nullptr, {request.textures, request.samplers}))
            return error;
        if (notes) keepProgramLines(entry, request.name, *notes);
        stages.finish("inline", module);
        for (llvm::Function& function : module) {
            if (function.getName().starts_with(routinePrefix)) setAttributes(function);
            if (function.isDeclaration() || !isVisibleFunction(function)) continue;
            setAttributes(function);
            if (llvm::Error error = prepareVisibleFunction(function)) return error;
        }
        llvm::Expected<StageFacts> stage = lowerStage(entry);
        if (!stage) return stage.takeError();
        if (!request.laneWidth && asksForSimdgroups(entry)) width = metal_simdgroup_width;
        llvm::Expected<Context> context = lowerContext(entry, request.laneMapping, width);
        if (!context) return context.takeError();
        if (llvm::Error error = checkThreadgroupMemory(context->threadgroupMemory)) return error;
        llvm::Function& thread = *context->function;
        setAttributes(thread);
        if (notes) notes->heedLoops(true);
        optimiseThread(thread, *machine_);
        if (notes) notes->heedLoops(false);
        metal_kernel_info info{};
        lowerArguments(thread, info.used_slots);
        exportMostSteps(module, mostSteps(thread));
        stages.finish("thread", module);
        if (llvm::Error error = check(module, "before widening")) return error;

        llvm::Expected<Widened> widened = widen(thread, width, notes);
        if (!widened) return widened.takeError();
        if (llvm::Error error = checkPrivateMemory(widened->scratch / width, maxThreadMemory, "a thread")) return error;
        thread.eraseFromParent();
        stages.finish("widen", module);
        if (llvm::Error error = check(module, "after widening")) return error;
        for (llvm::Function& function : module) {
            if (function.getName().starts_with(stripRoutinePrefix)) optimiseStrip(function, *machine_);
        }
        optimiseStrip(*widened->function, *machine_);
        stages.finish("strip", module);

        info.abi_version = metal_kernel_abi_version;
        info.static_threadgroup_memory = std::uint32_t(context->threadgroupMemory);
        info.scratch_size = widened->scratch;
        info.lane_mapping = request.laneMapping;
        info.lane_width = width;
        info.max_total_threads = metal_max_threads_per_threadgroup;
        if (request.maxTotalThreads) info.max_total_threads = std::min(request.maxTotalThreads, info.max_total_threads);
        info.uses_barrier = context->usesBarrier;
        info.uses_simdgroup = context->usesSimdgroup;
        info.stage = stage->stage;
        info.fragment_uses = stage->fragmentUses;
        info.uses_log = context->usesLog;
        llvm::Function* fullGroup = nullptr;
        if (context->usesBarrier) {
            llvm::Function& strip = *widened->function;
            if (strip.getInstructionCount() <= fullGroupLimit) {
                llvm::ValueToValueMapTy map;
                // Both stay the lines of one function of the program: LLVM would make the copy another.
                llvm::DISubprogram* lines = strip.getSubprogram();
                strip.setSubprogram(nullptr);
                fullGroup = llvm::CloneFunction(&strip, map);
                strip.setSubprogram(lines);
                splitAtBarriers(*fullGroup, info, widened->scratch, GroupForm::full, notes);
            }
            info.scratch_size = fullGroup ? splitAtBarriers(strip, info, widened->scratch, GroupForm::small)
                                          : splitAtBarriers(strip, info, widened->scratch, GroupForm::any, notes);
            if (llvm::Error error = checkPrivateMemory(info.scratch_size, maxGroupMemory, "a threadgroup"))
                return error;
            stages.finish("barriers", module);
            if (llvm::Error error = check(module, "after splitting at barriers")) return error;
        }
        makeThreadgroupAtomicsPlain(module);
        makeKernelEntry(*widened->function, context->usesBarrier, fullGroup, info);
        if (notes) {
            notes->finishCounters(module);
            result.explanation.laneWidth = width;
            result.explanation.registerBits = registerBits();
        }
        stages.finish("entry", module);
        optimiseKernel(module, *machine_);
        replaceMissingArithmetic(module, arithmetic_);
        stages.finish("kernel", module);
        if (notes) placeLoops(*module.getFunction(METAL_KERNEL_SYMBOL));
        if (llvm::Error error = check(module, "before code generation")) return error;
        return output(module, request.output, stages, result);
    }

    // Of private arrays that are not in registers. A worker owns what a threadgroup needs for as long as it lives.
    static constexpr std::uint64_t maxThreadMemory = std::uint64_t{1} << 20, maxGroupMemory = std::uint64_t{1} << 29;

    // Instructions of a strip up to which groups of full strips have code of their own.
    static constexpr unsigned fullGroupLimit = 500;

    static llvm::Error checkThreadgroupMemory(std::uint64_t bytes) {
        if (bytes <= metal_max_threadgroup_memory) return llvm::Error::success();
        return llvm::createStringError("threadgroup memory size (" + llvm::Twine(bytes) +
                                       ") exceeds the maximum threadgroup memory allowed (" +
                                       llvm::Twine(metal_max_threadgroup_memory) + ")");
    }
    static llvm::Error checkPrivateMemory(std::uint64_t bytes, std::uint64_t allowed, const char* whose) {
        if (bytes <= allowed) return llvm::Error::success();
        return llvm::createStringError("private memory size of " + llvm::Twine(whose) + " (" + llvm::Twine(bytes) +
                                       ") exceeds the maximum private memory allowed (" + llvm::Twine(allowed) + ")");
    }

    llvm::Error output(llvm::Module& module, protocol::Output kind, Stages& stages, GenerateResult& result) {
        result.ok = true;
        if (kind == protocol::Output::ir) {
            llvm::raw_string_ostream(result.text) << module;
            return llvm::Error::success();
        }
        bool isText = kind == protocol::Output::assembly;
        auto code =
            emit(module, *machine_, isText ? llvm::CodeGenFileType::AssemblyFile : llvm::CodeGenFileType::ObjectFile);
        stages.finish("code", module);
        if (isText) {
            result.text.assign(code.begin(), code.end());
            return llvm::Error::success();
        }
        auto object = linkShared(code);
        if (!object) return object.takeError();
        result.object = std::move(*object);
        stages.finish("link", module);
        return llvm::Error::success();
    }

    void setAttributes(llvm::Function& function) const {
        function.addFnAttr("target-cpu", cpu_);
        function.addFnAttr("target-features", features_);
        if (hasAvx512_) {
            function.addFnAttr("prefer-vector-width", "512");
            function.addFnAttr("min-legal-vector-width", "512");
        }
        // Else registers that are spilled lie across two cache lines: the code generator learns too late of them.
        unsigned bytes = hasAvx512_ ? 64 : 32;
        function.addFnAttr(llvm::Attribute::getWithStackAlignment(function.getContext(), llvm::Align(bytes)));
        function.addFnAttr("no-builtins");  // no loop becomes a call of a C library
        function.addFnAttr(llvm::Attribute::NoUnwind);
    }

    static llvm::Error check(const llvm::Module& module, const char* when) {
        std::string message;
        llvm::raw_string_ostream stream(message);
        if (!llvm::verifyModule(module, &stream)) return llvm::Error::success();
        return llvm::createStringError(llvm::Twine("internal error of the host target, invalid code ") + when + ": " +
                                       message);
    }

    std::string triple_, cpu_, features_;
    bool hasAvx512_ = false;
    Arithmetic arithmetic_;
    std::unique_ptr<llvm::TargetMachine> machine_;
    Stages stages_;
};

}  // namespace

std::unique_ptr<Target> makeHostTarget(const char* older) {
    if (!older) older = std::getenv("MTLPY_PROCESSOR");
    if (older && *older == '\0') older = nullptr;
    return std::make_unique<HostTarget>(older);
}

}  // namespace metal_compiler
