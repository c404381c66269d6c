// SPDX-License-Identifier: MIT
//
// What widening says of each instruction, when somebody asks: read off what it made of it, so that what is said is what
// is done.

#include <kernel_abi.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>

#include "strip_function.hpp"
#include "widener.hpp"

namespace metal_host {

using llvm::Instruction;
using llvm::Value;
using protocol::FindingKind;

namespace {

/// The argument that a pointer points into: lowerArguments reads its address from launch->arguments[slot].
std::uint32_t slotOf(const Value* pointer, const llvm::Function& function) {
    const auto* address = llvm::dyn_cast<llvm::LoadInst>(llvm::getUnderlyingObject(pointer, 0));
    if (!address) return protocol::noNumber;
    const llvm::DataLayout& layout = function.getDataLayout();
    const auto behind = [&](const llvm::LoadInst& load, const Value*& base) {
        llvm::APInt offset(64, 0);
        base = load.getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true);
        return offset.getZExtValue();
    };
    const Value* base = nullptr;
    const std::uint64_t offset = behind(*address, base);
    const auto* all = llvm::dyn_cast<llvm::LoadInst>(base);
    if (!all || behind(*all, base) != offsetof(metal_launch, arguments) || base != function.getArg(stripLaunch))
        return protocol::noNumber;
    return std::uint32_t(offset / sizeof(void*));
}

const char* memoryOf(const Value* pointer) {
    switch (pointer->getType()->getPointerAddressSpace()) {
        case 3:
            return "threadgroup";
        case 5:
            return "device";
        case 6:
            return "constant";
        default:
            return llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer, 0)) ? "thread" : "device";
    }
}

/// The name a person gave to a function, or the operation of the library that it does.
std::string functionName(llvm::StringRef symbol) {
    symbol.consume_front(slowFunctionPrefix);
    std::string name = llvm::demangle(symbol);
    return name.substr(0, name.find('('));
}

bool isVector(const Instruction& instruction) {
    return instruction.getType()->isVectorTy() || llvm::any_of(instruction.operand_values(), [](const Value* value) {
               return value->getType()->isVectorTy();
           });
}

}  // namespace

/// A loop that threads leave in different rounds: how full its rounds are shows only when it runs.
void Widener::noteLoop(const BasicBlock* header) {
    const llvm::Loop* loop = loops_.isLoopHeader(header) ? loops_.getLoopFor(header) : nullptr;
    if (!loop || !divergence_.isDivergent(loop)) return;
    std::size_t number = notes_->add(FindingKind::loop, loop->getStartLoc());
    llvm::SmallVector<BasicBlock*, 4> exiting;
    loop->getExitingBlocks(exiting);
    for (const BasicBlock* block : exiting) {
        const llvm::DebugLoc& place = block->getTerminator()->getDebugLoc();
        if (divergence_.branches(block) && place && place.getLine() != 0) (*notes_)[number].causeLine = place.getLine();
    }
    notes_->count(builder_, number, mask_);
}

/// The line that sends some threads to a block and others elsewhere, or its own.
llvm::DebugLoc Widener::placeOfArrival(const BasicBlock* block) const {
    for (const BasicBlock* from : llvm::predecessors(block)) {
        if (divergence_.branches(from)) return from->getTerminator()->getDebugLoc();
    }
    return block->getTerminator()->getDebugLoc();
}

void Widener::notedInstruction(Instruction& source) {
    BasicBlock* block = builder_.GetInsertBlock();
    Instruction* last = block->empty() ? nullptr : &block->back();
    instruction(source);
    if (!problem_.empty()) return;
    if (builder_.GetInsertBlock() != block) return noteLaneByLane(source);
    bool isAny = false, isWide = false;
    for (auto made = last ? std::next(last->getIterator()) : block->begin(); made != block->end(); ++made) {
        isAny = true;
        isWide |= isVector(*made);
        auto* access = llvm::dyn_cast<llvm::IntrinsicInst>(&*made);
        if (!access) continue;
        if (access->getIntrinsicID() == llvm::Intrinsic::masked_gather && llvm::isa<llvm::LoadInst>(source))
            noteAccess(source, FindingKind::gather);
        if (access->getIntrinsicID() == llvm::Intrinsic::masked_scatter && llvm::isa<llvm::StoreInst>(source))
            noteAccess(source, FindingKind::scatter);
    }
    // No processor divides vectors of 64-bit integers, nor takes the remainder of floats.
    bool isDivision = source.isIntDivRem() && source.getType()->getIntegerBitWidth() > 32 &&
                      !llvm::isa<llvm::Constant>(source.getOperand(1));
    isDivision |= source.getOpcode() == Instruction::FRem;
    if (isDivision && isWide) {
        notes_->add(FindingKind::scalar, source.getDebugLoc(), source.getOpcodeName(), "division");
        return notes_->addLine(source.getDebugLoc(), LineUse::scalar);
    }
    if (isAny) notes_->addLine(source.getDebugLoc(), isWide ? LineUse::vector : LineUse::uniform);
}

void Widener::noteAccess(Instruction& access, FindingKind kind) {
    Value* pointer = llvm::getLoadStorePointerOperand(&access);
    protocol::Finding& finding = (*notes_)[notes_->add(kind, access.getDebugLoc(), memoryOf(pointer))];
    const Shape of = shape(pointer);
    finding.stride = of.isAffine() ? of.stride : 0;
    finding.slot = slotOf(pointer, scalar_);
    finding.size = layout_.getTypeStoreSize(llvm::getLoadStoreType(&access)).getFixedValue();
}

void Widener::noteLaneByLane(Instruction& source) {
    const llvm::DebugLoc& place = source.getDebugLoc();
    std::size_t number = 0;
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(&source)) {
        const llvm::Function* callee = call->getCalledFunction();
        llvm::StringRef name = callee ? callee->getName() : "";
        std::string shown = functionName(name);
        if (!callee) {
            number = notes_->add(FindingKind::scalar, place, {}, "table");
        } else if (llvm::StringRef(shown).starts_with("load_") || llvm::StringRef(shown).starts_with("store_")) {
            number = notes_->textureIsGeneral(place, llvm::StringRef(shown).starts_with("load_") ? "read" : "write");
            return notes_->count(builder_, number, mask_);
        } else if (callee->isDeclaration() && shown != "log") {
            number = notes_->add(FindingKind::scalar, place, llvm::StringRef(shown).rsplit('_').first, "texture");
        } else {
            number = notes_->add(FindingKind::scalar, place, shown, "call");
        }
    } else if (llvm::isa<llvm::StoreInst>(source) && !source.isAtomic()) {
        number = notes_->add(FindingKind::scalar, place, memoryOf(llvm::getLoadStorePointerOperand(&source)), "narrow");
    } else {
        auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&source);
        llvm::StringRef operation = update ? llvm::AtomicRMWInst::getOperationName(update->getOperation())
                                           : llvm::StringRef(source.getOpcodeName());
        number = notes_->add(FindingKind::scalar, place, operation, "atomic");
    }
    notes_->addLine(place, LineUse::scalar);
    notes_->count(builder_, number, mask_);
}

}  // namespace metal_host
