// SPDX-License-Identifier: MIT

#include "notes.hpp"

#include <kernel_abi.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>

#include <memory>
#include <optional>

namespace metal_host {
namespace {

using protocol::FindingKind;

/// Fewer do not matter: addresses that a loop reads again, numbers that the loops over threadgroups and strips keep.
constexpr std::uint64_t fewInLoop = 8, fewInKernel = 64;

/// LLVM's remarks as findings. Places are lines of the program, as those of the code are.
class RemarkReader : public llvm::DiagnosticHandler {
public:
    explicit RemarkReader(Notes& notes) : notes_(notes) {}

    bool isAnyRemarkEnabled() const override { return true; }
    bool isAnalysisRemarkEnabled(llvm::StringRef) const override { return false; }
    bool isPassedOptRemarkEnabled(llvm::StringRef) const override { return false; }
    bool isMissedOptRemarkEnabled(llvm::StringRef pass) const override {
        return pass == "regalloc" || (pass == "licm" && notes_.heedsLoops());
    }

    bool handleDiagnostics(const llvm::DiagnosticInfo& information) override {
        const auto* remark = llvm::dyn_cast<llvm::DiagnosticInfoOptimizationBase>(&information);
        if (!remark) return false;
        llvm::StringRef name = remark->getRemarkName();
        if (name == "LoadWithLoopInvariantAddressInvalidated") {
            if (remark->isLocationAvailable() && !isShared(*remark)) findingOf(FindingKind::reload, *remark);
        } else if (name == "LoopSpillReloadCopies" || name == "SpillReloadCopies") {
            spill(*remark, name == "LoopSpillReloadCopies");
        }
        return true;
    }

private:
    protocol::Finding& findingOf(FindingKind kind, const llvm::DiagnosticInfoOptimizationBase& remark) {
        llvm::StringRef file;
        unsigned line = 0, column = 0;
        if (remark.isLocationAvailable()) remark.getLocation(file, line, column);
        protocol::Explanation& explanation = notes_.explanation();
        for (protocol::Finding& finding : explanation.findings) {
            if (finding.kind == kind && finding.line == line && finding.file == file) return finding;
        }
        protocol::Finding& made = explanation.findings.emplace_back();
        made.kind = kind;
        made.file = file.str();
        made.line = line;
        made.column = column;
        return made;
    }

    /// Whether what is loaded is threadgroup memory, which threads have in order to change it for one another.
    static bool isShared(const llvm::DiagnosticInfoOptimizationBase& remark) {
        const auto* code = llvm::dyn_cast<llvm::DiagnosticInfoIROptimization>(&remark);
        const auto* block = code ? llvm::dyn_cast_or_null<llvm::BasicBlock>(code->getCodeRegion()) : nullptr;
        llvm::StringRef file;
        unsigned line = 0, column = 0;
        remark.getLocation(file, line, column);
        return block && llvm::any_of(*block, [&](const llvm::Instruction& instruction) {
                   const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
                   return load && load->getPointerAddressSpace() == 3 && load->getDebugLoc() &&
                          load->getDebugLoc().getLine() == line && load->getDebugLoc().getCol() == column;
               });
    }

    /// Of a loop's inner ones, too. The loops over threads that the passes made are no lines of the program.
    void spill(const llvm::DiagnosticInfoOptimizationBase& remark, bool isLoop) {
        std::uint64_t reads = 0, writes = 0;
        for (const auto& argument : remark.getArgs()) {
            llvm::StringRef key = argument.Key;
            std::uint64_t number = 0;
            if (llvm::StringRef(argument.Val).getAsInteger(10, number)) continue;
            if (key == "NumReloads" || key == "NumFoldedReloads") reads += number;
            if (key == "NumSpills" || key == "NumFoldedSpills") writes += number;
        }
        llvm::StringRef file;
        unsigned line = 0, column = 0;
        if (remark.isLocationAvailable()) remark.getLocation(file, line, column);
        if (reads + writes < (isLoop ? fewInLoop : fewInKernel)) return;
        if (isLoop ? line == 0 || isKnown(reads, writes) : isKnown()) return;
        protocol::Finding& finding = findingOf(FindingKind::spill, remark);
        // The same loop may be there several times: for full strips and for the last one.
        finding.reads = std::max(finding.reads, reads);
        finding.writes = std::max(finding.writes, writes);
        finding.reason = isLoop ? "loop" : "kernel";
    }

    /// Whether there is such a finding, of a loop inside this one or of any.
    bool isKnown(std::optional<std::uint64_t> reads = {}, std::optional<std::uint64_t> writes = {}) const {
        return llvm::any_of(notes_.explanation().findings, [&](const protocol::Finding& finding) {
            return finding.kind == FindingKind::spill && (!reads || finding.reads == *reads) &&
                   (!writes || finding.writes == *writes);
        });
    }

    Notes& notes_;
};

}  // namespace

std::string fileOf(const llvm::DebugLoc& place) {
    return place ? place->getFilename().str() : std::string();
}

Notes::Notes(protocol::Explanation& explanation, bool counts, llvm::LLVMContext& context)
    : explanation_(explanation), counts_(counts), context_(context) {
    context.setDiagnosticHandler(std::make_unique<RemarkReader>(*this));
}

Notes::~Notes() {
    context_.setDiagnosticHandler(std::make_unique<llvm::DiagnosticHandler>());
}

std::size_t Notes::add(FindingKind kind, const llvm::DebugLoc& place, llvm::StringRef subject, llvm::StringRef reason) {
    const unsigned line = place ? place.getLine() : 0, column = place ? place.getCol() : 0;
    auto [entry, isNew] = known_.try_emplace(Key(kind, fileOf(place), line, column, subject.str(), reason.str()),
                                             explanation_.findings.size());
    if (isNew) {
        protocol::Finding& made = explanation_.findings.emplace_back();
        made.kind = kind;
        made.file = fileOf(place);
        made.line = line;
        made.column = column;
        made.subject = subject.str();
        made.reason = reason.str();
    }
    return entry->second;
}

void Notes::addLine(const llvm::DebugLoc& place, LineUse use) {
    if (!place || place.getLine() == 0) return;
    auto [entry, isNew] = lines_.try_emplace({fileOf(place), place.getLine()}, explanation_.lines.size());
    if (isNew) {
        protocol::LineCode& made = explanation_.lines.emplace_back();
        made.file = fileOf(place);
        made.line = place.getLine();
    }
    protocol::LineCode& line = explanation_.lines[entry->second];
    ++(use == LineUse::vector ? line.vector : use == LineUse::uniform ? line.uniform : line.scalar);
}

std::size_t Notes::textureIsGeneral(const llvm::DebugLoc& place, llvm::StringRef operation) {
    const unsigned line = place ? place.getLine() : 0;
    std::size_t found = explanation_.findings.size();
    for (std::size_t number = 0; number < explanation_.findings.size(); ++number) {
        protocol::Finding& finding = explanation_.findings[number];
        // Places of two calls that were joined are one line's, or none's.
        if (finding.kind != FindingKind::texture || (line != 0 && finding.line != line)) continue;
        finding.reason = "general";
        found = std::min(found, number);
    }
    return found < explanation_.findings.size() ? found : add(FindingKind::texture, place, operation, "general");
}

void Notes::count(llvm::IRBuilder<>& builder, std::size_t number, llvm::Value* mask) {
    if (!counts_) return;
    llvm::Module& module = *builder.GetInsertBlock()->getModule();
    llvm::Type* wide = builder.getInt64Ty();
    if (!counters_) {
        counters_ = new llvm::GlobalVariable(module, llvm::ArrayType::get(wide, 0), false,
                                             llvm::GlobalValue::ExternalLinkage, nullptr, "metal.counters");
    }
    std::uint32_t& counter = explanation_.findings[number].counter;
    if (counter == protocol::noNumber) {
        counter = explanation_.counterCount;
        explanation_.counterCount += 2;
    }
    const unsigned lanes = llvm::cast<llvm::FixedVectorType>(mask->getType())->getNumElements();
    llvm::Value* bits = builder.CreateBitCast(mask, builder.getIntNTy(lanes));
    llvm::Value* threads = builder.CreateZExt(builder.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, bits), wide);
    const auto increase = [&](std::uint32_t index, llvm::Value* by) {
        builder.CreateAtomicRMW(llvm::AtomicRMWInst::Add, builder.CreateConstInBoundsGEP1_64(wide, counters_, index),
                                by, llvm::Align(8), llvm::AtomicOrdering::Monotonic);
    };
    increase(counter, builder.getInt64(1));
    increase(counter + 1, threads);
}

void Notes::finishCounters(llvm::Module& module) {
    if (!counters_) return;
    auto* type = llvm::ArrayType::get(llvm::Type::getInt64Ty(module.getContext()), explanation_.counterCount);
    auto* whole = new llvm::GlobalVariable(module, type, false, llvm::GlobalValue::ExternalLinkage,
                                           llvm::ConstantAggregateZero::get(type), METAL_KERNEL_COUNTERS_SYMBOL);
    whole->setAlignment(llvm::Align(64));
    counters_->replaceAllUsesWith(whole);
    counters_->eraseFromParent();
    counters_ = nullptr;
}

}  // namespace metal_host
