// SPDX-License-Identifier: MIT
//
// Control flow of widening. The blocks run in one order (block_order.hpp). Lanes that go to a block wait there: in its
// mask slot. At any moment every lane waits at the current block or at one of its `deferred` blocks, all later in the
// order, so
//   - where `deferred` is empty, all lanes are here, and nobody asks the mask;
//   - a block without lanes can be left for the first deferred one;
//   - a uniform branch is taken by all lanes here, and stays a branch to the first of (its target, deferred).
// Lanes that leave a divergent loop wait at its exits, which are deferred in the whole loop.

#include "widen.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/ProfDataUtils.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include "block_order.hpp"
#include "strip_function.hpp"
#include "widener.hpp"

namespace metal_host {

llvm::Expected<Widened> widen(llvm::Function& scalar, unsigned width, Notes* notes) {
    return Widener(scalar, width, notes).run();
}

Widener::Widener(llvm::Function& scalar, unsigned width, Notes* notes)
    : scalar_(scalar),
      function_(llvm::Function::Create(stripType(scalar, width), llvm::GlobalValue::InternalLinkage,
                                       scalar.getName() + ".wide", scalar.getParent())),
      layout_(scalar.getDataLayout()),
      width_(width),
      dominators_(scalar),
      loops_(dominators_),
      order_(orderBlocks(scalar, loops_)),
      privateMemory_(scalar),
      divergence_(
          scalar, loops_, order_,
          [this](const Instruction& instruction) { return laneFacts(instruction, privateMemory_); }, width),
      builder_(scalar.getContext()),
      entry_(scalar.getContext()),
      notes_(notes) {
    if (isRoutine()) {
        function_->addFnAttrs(llvm::AttrBuilder(scalar.getContext(), scalar.getAttributes().getFnAttrs()));
    } else {
        function_->copyAttributesFrom(&scalar);
    }
    function_->setSubprogram(scalar.getSubprogram());
    scalar.setSubprogram(nullptr);
    function_->setLinkage(llvm::GlobalValue::InternalLinkage);
}

llvm::Expected<Widened> Widener::run() {
    BasicBlock* slots = BasicBlock::Create(scalar_.getContext(), "slots", function_);
    entry_.SetInsertPoint(slots);
    if (isRoutine()) {
        takeRoutineParameters();
    } else {
        takeStripParameters();
    }
    makeBlocks();
    makePlans();
    makeSlots();

    Block& start = blocks_[order_.front()];
    entry_.CreateStore(active_, start.mask);
    for (BasicBlock* block : order_) {
        if (notes_) builder_.SetCurrentDebugLocation(placeOfArrival(block));
        openBlock(block);
        if (notes_) noteLoop(block);
        if (auto plan = plans_.find(block); plan != plans_.end()) {
            versions(block, plan->second);
        } else {
            for (Instruction& inner : *block) {
                builder_.SetCurrentDebugLocation(inner.getDebugLoc());
                if (!inner.isTerminator() && !llvm::isa<llvm::PHINode>(inner))
                    notes_ ? notedInstruction(inner) : instruction(inner);
                if (!problem_.empty()) break;
            }
            storeAllSlots(block);
        }
        if (problem_.empty()) closeBlock(block);
        if (problem_.empty()) continue;
        function_->eraseFromParent();
        return llvm::createStringError(problem_);
    }
    entry_.CreateBr(start.direct);
    llvm::DominatorTree dominators(*function_);
    limitSlots(dominators);
    promoteSlots(dominators);
    return Widened{function_, scratch_};
}

void Widener::takeStripParameters() {
    for (unsigned index = 0; index < stripParameterCount; ++index) {
        function_->getArg(index)->setName(scalar_.getArg(index)->getName());
        fixed_[scalar_.getArg(index)] = {{function_->getArg(index), nullptr}};
    }
    active_ = entry_.CreateICmpULT(steps(entry_.getInt32Ty(), 1),
                                   entry_.CreateVectorSplat(width_, function_->getArg(stripCount)), "active");
}

void Widener::makeBlocks() {
    for (unsigned position = 0; position < order_.size(); ++position) {
        BasicBlock* source = order_[position];
        Block& block = blocks_[source];
        block.position = position;
        block.checked = BasicBlock::Create(scalar_.getContext(), source->getName() + ".if.any", function_);
        block.direct = BasicBlock::Create(scalar_.getContext(), source->getName(), function_);
        block.mask = slot(wideType(entry_.getInt1Ty()), source->getName() + ".mask");
    }
}

bool Widener::isBackEdge(const BasicBlock* from, const BasicBlock* to) const {
    return blocks_.find(to)->second.position <= blocks_.find(from)->second.position;
}

/// Running the block without lanes is harmless and costs less than asking.
bool Widener::isCheap(const BasicBlock* block) const {
    auto* jump = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    if (!jump || jump->isConditional() || isBackEdge(block, jump->getSuccessor(0)) || loops_.isLoopHeader(block))
        return false;
    if (block->size() > 8) return false;
    for (const Instruction& instruction : *block) {
        if (instruction.isTerminator() || llvm::isa<llvm::PHINode>(instruction)) continue;
        if (instruction.mayReadOrWriteMemory() || llvm::isa<llvm::CallInst>(instruction) || instruction.isIntDivRem())
            return false;
    }
    return true;
}

/// Nearly all lanes come here, says the branch to it, and running the block without lanes is harmless: what touches
/// memory does so for the lanes of the mask, or may be done by anybody.
bool Widener::isExpected(BasicBlock* block) const {
    constexpr std::uint64_t often = 100;
    const BasicBlock* before = block->getSinglePredecessor();
    auto* branch = before ? llvm::dyn_cast<llvm::BranchInst>(before->getTerminator()) : nullptr;
    std::uint64_t yes = 0, no = 0;
    if (!branch || !branch->isConditional() || !llvm::extractBranchWeights(*branch, yes, no)) return false;
    if (branch->getSuccessor(0) == block ? yes / often < no : no / often < yes) return false;
    auto* jump = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    if (!jump || jump->isConditional() || isBackEdge(block, jump->getSuccessor(0)) || loops_.isLoopHeader(block))
        return false;
    auto plan = plans_.find(block);
    auto isOnePlace = [&](llvm::Value* pointer) {
        return divergence_.isUniform(pointer) ||
               (plan != plans_.end() && plan->second.shapes.lookup(pointer).isUniform());
    };
    return llvm::all_of(*block, [&](Instruction& instruction) {
        if (instruction.isTerminator() || llvm::isa<llvm::PHINode>(instruction)) return true;
        if (divergence_.isUniform(&instruction)) return llvm::isSafeToSpeculativelyExecute(&instruction);
        if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return load->isSimple();
        if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
            return store->isSimple() && !isOnePlace(store->getPointerOperand()) && !isNarrowScatter(*store);
        return !instruction.mayReadOrWriteMemory() && !instruction.isIntDivRem() &&
               (!llvm::isa<llvm::CallInst>(instruction) || llvm::isa<llvm::IntrinsicInst>(instruction));
    });
}

void Widener::openBlock(BasicBlock* source) {
    Block& block = blocks_[source];
    current_ = source;
    local_ = fixed_;

    builder_.SetInsertPoint(block.checked);
    if (block.deferred.empty()) {
        builder_.CreateBr(block.direct);
    } else if (isCheap(source) || isExpected(source)) {
        block.mayBeEmpty = true;
        builder_.CreateBr(block.direct);
    } else {
        Value* lanes = builder_.CreateLoad(block.mask->getAllocatedType(), block.mask);
        BasicBlock* skip = BasicBlock::Create(scalar_.getContext(), source->getName() + ".skip", function_);
        builder_.CreateCondBr(any(lanes), block.direct, skip);
        builder_.SetInsertPoint(skip);
        proceed(block, {}, false);
    }
    const llvm::Loop* loop = loops_.isLoopHeader(source) ? loops_.getLoopFor(source) : nullptr;
    if (loop && divergence_.isDivergent(loop)) {
        llvm::SmallVector<BasicBlock*, 4> exits;
        loop->getUniqueExitBlocks(exits);
        for (BasicBlock* exit : exits) block.deferred.insert(blocks_[exit].position);
    }

    builder_.SetInsertPoint(block.direct);
    block.isEveryoneHere = block.deferred.empty();
    if (block.isEveryoneHere) {
        mask_ = active_;
    } else {
        mask_ = builder_.CreateLoad(block.mask->getAllocatedType(), block.mask, source->getName() + ".lanes");
        builder_.CreateStore(llvm::Constant::getNullValue(mask_->getType()), block.mask);
    }
    for (llvm::PHINode& phi : source->phis()) loadSlots(&phi);
}

/// Goes on to the first block where lanes may be: one of `targets` or of those deferred so far; the rest stays
/// deferred. `certain`: there is one target, and at least one lane went there.
void Widener::proceed(const Block& from, llvm::ArrayRef<BasicBlock*> targets, bool certain) {
    std::set<unsigned> waiting = from.deferred;
    for (BasicBlock* target : targets) waiting.insert(blocks_[target].position);
    if (waiting.empty()) {
        builder_.CreateUnreachable();
        return;
    }
    BasicBlock* next = order_[*waiting.begin()];
    waiting.erase(waiting.begin());
    Block& block = blocks_[next];
    block.deferred.insert(waiting.begin(), waiting.end());
    builder_.CreateBr(certain && next == targets.front() ? block.direct : block.checked);
}

/// Phis take their values all at once: what they take is read before any of their slots is written.
void Widener::readIncoming(BasicBlock* from, BasicBlock* to) {
    for (llvm::PHINode& phi : to->phis()) {
        Value* incoming = phi.getIncomingValueForBlock(from);
        if (!llvm::isa<llvm::Constant>(incoming) && !local_.contains(incoming)) loadSlots(incoming);
    }
}

/// Lets `lanes` wait at `to` with the values that its phis take on this edge.
void Widener::sendLanes(BasicBlock* from, BasicBlock* to, Value* lanes) {
    Block& block = blocks_[to];
    readIncoming(from, to);
    Value* waiting = builder_.CreateLoad(block.mask->getAllocatedType(), block.mask);
    builder_.CreateStore(builder_.CreateOr(waiting, lanes), block.mask);
    for (llvm::PHINode& phi : to->phis()) storePhi(phi, phi.getIncomingValueForBlock(from), lanes);
}

void Widener::closeBlock(BasicBlock* source) {
    Block& block = blocks_[source];
    Instruction* end = source->getTerminator();
    if (auto* back = llvm::dyn_cast<llvm::ReturnInst>(end)) {
        if (Value* result = back->getReturnValue()) return returnResults(result);
        builder_.CreateRetVoid();
        return;
    }
    auto* branch = llvm::dyn_cast<llvm::BranchInst>(end);
    if (!branch) {
        fail(llvm::Twine("a block ends in '") + end->getOpcodeName() + "', which has no form for many threads");
        builder_.CreateUnreachable();
        return;
    }
    auto leave = [&](BasicBlock* to) {
        sendLanes(source, to, mask_);
        if (isBackEdge(source, to)) {
            builder_.CreateBr(blocks_[to].direct);
        } else {
            proceed(block, {to}, !block.mayBeEmpty);
        }
    };
    if (branch->isUnconditional()) {
        leave(branch->getSuccessor(0));
        return;
    }
    BasicBlock *yes = branch->getSuccessor(0), *no = branch->getSuccessor(1);
    if (!divergence_.branches(source)) {
        BasicBlock* onYes = BasicBlock::Create(scalar_.getContext(), source->getName() + ".then", function_);
        BasicBlock* onNo = BasicBlock::Create(scalar_.getContext(), source->getName() + ".else", function_);
        builder_.CreateCondBr(first(branch->getCondition()), onYes, onNo);
        auto atHand = local_;  // what one side reads from slots is not at hand on the other
        builder_.SetInsertPoint(onYes);
        leave(yes);
        local_ = std::move(atHand);
        builder_.SetInsertPoint(onNo);
        leave(no);
        return;
    }
    // A lane outside the mask may hold poison: select, where `and` would spread it.
    Value* condition = wide(branch->getCondition());
    Value* none = llvm::Constant::getNullValue(mask_->getType());
    Value* lanesYes = builder_.CreateSelect(mask_, condition, none);
    Value* lanesNo = builder_.CreateSelect(mask_, builder_.CreateNot(condition), none);
    readIncoming(source, no);
    sendLanes(source, yes, lanesYes);
    sendLanes(source, no, lanesNo);
    if (!isBackEdge(source, yes) && !isBackEdge(source, no)) {
        proceed(block, {yes, no}, false);
        return;
    }
    BasicBlock* again = isBackEdge(source, yes) ? yes : no;
    BasicBlock* done = BasicBlock::Create(scalar_.getContext(), source->getName() + ".done", function_);
    builder_.CreateCondBr(any(again == yes ? lanesYes : lanesNo), blocks_[again].direct, done);
    builder_.SetInsertPoint(done);
    proceed(block, {again == yes ? no : yes}, false);
}

llvm::Value* Widener::any(Value* mask) {
    Value* bits = builder_.CreateBitCast(mask, builder_.getIntNTy(width_));
    return builder_.CreateIsNotNull(bits, "any");
}

void Widener::fail(const llvm::Twine& message) {
    if (problem_.empty()) problem_ = message.str();
}

}  // namespace metal_host
