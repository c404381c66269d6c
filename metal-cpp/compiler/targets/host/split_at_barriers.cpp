// SPDX-License-Identifier: MIT

#include "split_at_barriers.hpp"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <array>
#include <optional>
#include <vector>

#include "block_order.hpp"
#include "divergence.hpp"
#include "loop_builder.hpp"
#include "notes.hpp"
#include "strip_frame.hpp"
#include "strip_function.hpp"

namespace metal_host {
namespace {

using llvm::BasicBlock;
using llvm::Value;

/// Parameters that differ between the strips of a group.
constexpr unsigned stripParameters[] = {stripX, stripY, stripZ, stripFirst, stripCount};
/// Pieces get loops of their own unless that makes more instructions than this, or more loops: past that the time that
/// compiling takes grows faster than the kernel's shrinks.
constexpr std::size_t copyLimit = 20000, loopLimit = 24;

/// Frames are provided for as many strips as a group can have: narrow rows, which use strips badly and are not asked
/// for as a rule, are provided for as long as that costs little.
std::uint64_t mostStrips(const metal_kernel_info& info, std::uint64_t frame) {
    std::uint64_t packed = std::max<std::uint64_t>(info.max_total_threads / info.lane_width, 1);
    if (info.lane_mapping == metal_lanes_linear) return packed + 1;
    return frame * info.max_total_threads <= (1u << 20) ? info.max_total_threads : 2 * packed + 32;
}

class Splitter {
public:
    Splitter(llvm::Function& strip, const metal_kernel_info& info, std::uint64_t privateScratch, GroupForm form,
             Notes* notes)
        : function_(strip),
          info_(info),
          privateScratch_(privateScratch),
          form_(form),
          builder_(strip.getContext()),
          notes_(notes) {}

    std::uint64_t run() {
        markStripParameters();
        llvm::DominatorTree dominators(function_);
        llvm::LoopInfo loops(dominators);
        std::vector<BasicBlock*> order = orderBlocks(function_, loops);
        Divergence divergence(function_, loops, order,
                              [this](const llvm::Instruction& instruction) { return facts(instruction); });
        cut(divergence);
        unmarkStripParameters();

        BasicBlock* body = &function_.getEntryBlock();
        entry_ = BasicBlock::Create(function_.getContext(), "group", &function_, body);
        std::vector<BasicBlock*> resumptions;
        for (auto& [stop, resumption] : cuts_) resumptions.push_back(resumption);
        StripFrame frame(function_, resumptions,
                         [&](const Value* value) { return together_ && divergence.isUniform(value); });
        for (BasicBlock& block : function_) {
            if (&block != entry_) pieces_.insert(&block);
        }
        buildRounds(frame, body);
        if (notes_) noteBarriers(frame);
        return scratch_;
    }

private:
    /// Until the analysis is done, instructions stand for the parameters that differ.
    void markStripParameters() {
        llvm::IRBuilder<> builder(&*function_.getEntryBlock().getFirstInsertionPt());
        for (unsigned index : stripParameters) {
            auto* mark = llvm::cast<llvm::Instruction>(builder.Insert(new llvm::FreezeInst(function_.getArg(index))));
            function_.getArg(index)->replaceUsesWithIf(mark, [mark](llvm::Use& use) { return use.getUser() != mark; });
            marks_.push_back(mark);
        }
    }

    void unmarkStripParameters() {
        for (llvm::Instruction* mark : marks_) {
            mark->replaceAllUsesWith(mark->getOperand(0));
            mark->eraseFromParent();
        }
    }

    std::optional<Shape> facts(const llvm::Instruction& instruction) const {
        if (llvm::is_contained(marks_, &instruction) || llvm::isa<llvm::AllocaInst>(instruction) ||
            instruction.isAtomic())
            return Shape::any();
        // The strip's own private variables are there.
        if (llvm::is_contained(instruction.operand_values(), function_.getArg(stripScratch))) return Shape::any();
        return std::nullopt;
    }

    void cut(const Divergence& divergence) {
        std::vector<llvm::CallInst*> barriers;
        for (llvm::Instruction& instruction : llvm::instructions(function_)) {
            auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
            if (!call || !call->getCalledFunction() || call->getCalledFunction()->getName() != threadgroupBarrier)
                continue;
            barriers.push_back(call);
            const bool isApart = divergence.isApart(call->getParent());
            together_ &= !isApart;
            if (notes_) places_.push_back({call->getDebugLoc(), isApart ? lineOfParting(call, divergence) : 0});
        }
        for (llvm::CallInst* barrier : barriers) {
            BasicBlock* stop = barrier->getParent();
            BasicBlock* resumption = stop->splitBasicBlock(barrier->getNextNode(), "resume");
            barrier->eraseFromParent();
            cuts_.emplace_back(stop, resumption);
        }
    }

    /// Of the branch that strips take different ways at, some of them past this barrier; 0 where that is no line.
    unsigned lineOfParting(const llvm::CallInst* barrier, const Divergence& divergence) {
        llvm::DominatorTree dominators(function_);
        const auto lineOf = [&](const BasicBlock* block) -> unsigned {
            const llvm::DebugLoc& place = block->getTerminator()->getDebugLoc();
            return divergence.branches(block) && place ? place.getLine() : 0;
        };
        for (const auto* node = dominators.getNode(barrier->getParent()); node; node = node->getIDom()) {
            if (unsigned line = lineOf(node->getBlock())) return line;
        }
        for (const BasicBlock& block : function_) {
            if (unsigned line = lineOf(&block)) return line;
        }
        return 0;
    }

    void noteBarriers(const StripFrame& frame) {
        const char* way = !together_ ? "apart" : isInPieces_ ? "pieces" : "states";
        for (unsigned index = 0; index < places_.size(); ++index) {
            protocol::Finding& finding =
                (*notes_)[notes_->add(protocol::FindingKind::barrier, places_[index].place, {}, way)];
            const StripFrame::Cost cost = frame.costOf(index);
            finding.reads = std::max(finding.reads, cost.values);
            finding.size = std::max(finding.size, (cost.bytes + info_.lane_width - 1) / info_.lane_width);
            if (places_[index].causeLine != 0) finding.causeLine = places_[index].causeLine;
        }
    }

    Value* number(std::uint32_t value) { return builder_.getInt32(value); }
    Value* parameter(unsigned index) { return function_.getArg(index); }
    std::uint32_t end() const { return std::uint32_t(cuts_.size() + 1); }
    BasicBlock* block(const char* name) { return BasicBlock::Create(function_.getContext(), name, &function_); }

    /// group: states = 0; round: for each strip: enter by its state, leave by a barrier or the end; again while any
    /// stopped at a barrier.
    void buildRounds(StripFrame& frame, BasicBlock* body) {
        BasicBlock *round = block("round"), *before = block("before"), *head = block("strip"),
                   *latch = block("strip.next"), *after = block("round.end"), *finish = block("finish");
        std::uint64_t frameSize = frame.size() + llvm::alignTo(privateScratch_, 64);
        std::uint64_t strips = mostStrips(info_, frameSize), statesSize = together_ ? 0 : llvm::alignTo(strips * 4, 64);
        scratch_ = statesSize + strips * frameSize;

        builder_.SetInsertPoint(entry_);
        state_ = builder_.CreateAlloca(builder_.getInt32Ty(), nullptr, "state");
        nextState_ = builder_.CreateAlloca(builder_.getInt32Ty(), nullptr, "state.next");
        builder_.CreateStore(number(0), state_);
        builder_.CreateStore(number(end()), nextState_);
        refuseTooManyStrips(strips);
        if (!together_) {
            buildLoop(builder_, number(0), number(std::uint32_t(strips)), number(1), "clear", [&](Value* index) {
                builder_.CreateStore(number(0),
                                     builder_.CreateGEP(builder_.getInt32Ty(), parameter(stripScratch), index));
            });
        }
        builder_.CreateBr(round);

        builder_.SetInsertPoint(before);
        builder_.CreateBr(head);
        builder_.SetInsertPoint(head);
        buildStripPlace(before);
        Value* own =
            builder_.CreateMul(builder_.CreateZExt(index_, builder_.getInt64Ty()), builder_.getInt64(frameSize));
        own = builder_.CreateGEP(builder_.getInt8Ty(), parameter(stripScratch),
                                 builder_.CreateAdd(own, builder_.getInt64(statesSize)), "frame");
        ownState_ = together_ ? state_ : builder_.CreateGEP(builder_.getInt32Ty(), parameter(stripScratch), index_);
        frame.place(builder_, own);
        Value* ownPrivate = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), own, frame.size());
        Value* state = builder_.CreateLoad(builder_.getInt32Ty(), ownState_);
        llvm::SwitchInst* enter = builder_.CreateSwitch(state, latch, unsigned(cuts_.size() + 1));
        enter->addCase(builder_.getInt32(0), body);
        useStripPlace(ownPrivate);

        for (unsigned index = 0; index < cuts_.size(); ++index) {
            auto [stop, resumption] = cuts_[index];
            llvm::Instruction* jump = stop->getTerminator();
            builder_.SetInsertPoint(jump);
            frame.save(builder_, index);
            leave(index + 1, latch);
            jump->eraseFromParent();
            builder_.SetInsertPoint(resumption, resumption->getFirstInsertionPt());
            frame.restore(builder_, index, own);
            enter->addCase(builder_.getInt32(index + 1), resumption);
        }
        for (BasicBlock* piece : pieces_) {
            llvm::Instruction* last = piece->getTerminator();
            if (!llvm::isa<llvm::ReturnInst>(last)) continue;
            builder_.SetInsertPoint(last);
            leave(end(), latch);
            last->eraseFromParent();
        }
        builder_.SetInsertPoint(latch);
        std::vector<BasicBlock*> frameBlocks{before, head, latch};
        buildNextPlace(head, after, frameBlocks);

        builder_.SetInsertPoint(after);
        frame.agree(builder_);
        Value* next = builder_.CreateLoad(builder_.getInt32Ty(), nextState_);
        builder_.CreateStore(next, state_);
        builder_.CreateStore(number(end()), nextState_);
        builder_.CreateCondBr(builder_.CreateICmpEQ(next, number(end())), finish, round);
        builder_.SetInsertPoint(finish);
        builder_.CreateRetVoid();

        builder_.SetInsertPoint(round);
        std::vector<std::vector<BasicBlock*>> pieces;
        if (together_ && form_ != GroupForm::small) pieces = piecesOf(enter, frameBlocks);
        isInPieces_ = !pieces.empty();
        if (pieces.empty()) {
            builder_.CreateBr(before);
        } else {
            for (BasicBlock* block : frameBlocks) pieces_.insert(block);
            copyPieces(pieces, before, enter, finish);
        }
    }

    /// For each state, the blocks that run from there to the next barriers, and `frame` around them. Nothing where that
    /// comes to too much.
    std::vector<std::vector<BasicBlock*>> piecesOf(llvm::SwitchInst* enter, llvm::ArrayRef<BasicBlock*> frame) {
        std::size_t copied = 0;
        std::vector<std::vector<BasicBlock*>> pieces;
        if (end() > loopLimit) return pieces;
        for (std::uint32_t state = 0; state < end(); ++state) {
            llvm::SetVector<BasicBlock*> blocks(frame.begin(), frame.end());
            blocks.insert(enter->findCaseValue(builder_.getInt32(state))->getCaseSuccessor());
            for (std::size_t next = frame.size(); next < blocks.size(); ++next) {
                for (BasicBlock* after : llvm::successors(blocks[next])) blocks.insert(after);
            }
            for (BasicBlock* block : blocks) copied += block->size();
            if (copied > copyLimit) return {};
            pieces.emplace_back(blocks.begin(), blocks.end());
        }
        return pieces;
    }

    void leave(std::uint32_t state, BasicBlock* latch) {
        if (!together_) builder_.CreateStore(number(state), ownState_);
        // One for all, or only: somebody stopped at a barrier.
        if (together_ || state != end()) builder_.CreateStore(number(state), nextState_);
        builder_.CreateBr(latch);
    }

    /// Each piece in a strip loop of its own, so that what its strips have in common is done once.
    void copyPieces(llvm::ArrayRef<std::vector<BasicBlock*>> pieces, BasicBlock* before, llvm::SwitchInst* enter,
                    BasicBlock* finish) {
        llvm::SwitchInst* choose = builder_.CreateSwitch(builder_.CreateLoad(builder_.getInt32Ty(), state_), finish,
                                                         unsigned(cuts_.size() + 1));
        for (std::uint32_t state = 0; state < end(); ++state) {
            llvm::ValueToValueMapTy map;
            std::vector<BasicBlock*> copies;
            for (BasicBlock* piece : pieces[state]) {
                BasicBlock* copy = llvm::CloneBasicBlock(piece, map, ".p" + llvm::Twine(state), &function_);
                map[piece] = copy;
                copies.push_back(copy);
            }
            auto* entry = llvm::cast<llvm::SwitchInst>(static_cast<Value*>(map[enter]));
            BasicBlock* target = enter->findCaseValue(builder_.getInt32(state))->getCaseSuccessor();
            llvm::IRBuilder<>(entry).CreateBr(target);
            entry->eraseFromParent();
            for (BasicBlock* copy : copies) {
                for (llvm::PHINode& phi : copy->phis()) {
                    phi.removeIncomingValueIf(
                        [&](unsigned index) {
                            BasicBlock* from = phi.getIncomingBlock(index);
                            return isPiece(from) && !map.count(from);
                        },
                        /*DeletePHIIfEmpty=*/false);
                }
                for (llvm::Instruction& instruction : *copy) {
                    llvm::RemapInstruction(&instruction, map,
                                           llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals);
                }
            }
            choose->addCase(builder_.getInt32(state), llvm::cast<BasicBlock>(static_cast<Value*>(map[before])));
        }
        for (BasicBlock* piece : pieces_) piece->dropAllReferences();
        for (BasicBlock* piece : pieces_) piece->eraseFromParent();
    }

    bool isPiece(BasicBlock* block) const { return pieces_.contains(block); }

    bool inRows() const { return info_.lane_mapping == metal_lanes_in_row; }

    void refuseTooManyStrips(std::uint64_t strips) {
        Value* width = number(info_.lane_width);
        Value* rows = builder_.CreateMul(parameter(stripSizeY), parameter(stripSizeZ));
        Value* line = inRows() ? parameter(stripSizeX) : builder_.CreateMul(parameter(stripSizeX), rows);
        Value* count = builder_.CreateUDiv(builder_.CreateAdd(line, number(info_.lane_width - 1)), width);
        if (inRows()) count = builder_.CreateMul(count, rows);
        BasicBlock *refuse = block("too.many.strips"), *go = block("go");
        builder_.CreateCondBr(builder_.CreateICmpUGT(count, number(std::uint32_t(strips))), refuse, go);
        builder_.SetInsertPoint(refuse);
        builder_.CreateIntrinsic(llvm::Intrinsic::trap, {});
        builder_.CreateUnreachable();
        builder_.SetInsertPoint(go);
    }

    /// At the head of the strip loop: which strip this is.
    void buildStripPlace(BasicBlock* before) {
        auto counter = [&](const char* name) {
            llvm::PHINode* phi = builder_.CreatePHI(builder_.getInt32Ty(), 2, name);
            phi->addIncoming(number(0), before);
            return phi;
        };
        index_ = counter("index");
        x_ = counter("x");
        y_ = counter("y");
        z_ = counter("z");
        line_ = parameter(stripSizeX);
        first_ = x_;
        if (inRows() && form_ == GroupForm::full) {
            first_ = builder_.CreateMul(index_, number(info_.lane_width));
        } else if (inRows()) {
            Value* row = builder_.CreateAdd(builder_.CreateMul(z_, parameter(stripSizeY)), y_);
            first_ = builder_.CreateAdd(builder_.CreateMul(row, parameter(stripSizeX)), x_);
        } else {
            line_ = builder_.CreateMul(builder_.CreateMul(line_, parameter(stripSizeY)), parameter(stripSizeZ));
        }
        count_ = number(info_.lane_width);
        if (form_ != GroupForm::full)
            count_ = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, count_, builder_.CreateSub(line_, x_));
    }

    void useStripPlace(Value* ownPrivate) {
        const std::array<std::pair<unsigned, Value*>, 5> places{
            {{stripX, x_}, {stripY, y_}, {stripZ, z_}, {stripFirst, first_}, {stripCount, count_}}};
        for (auto [index, value] : places) parameter(index)->replaceAllUsesWith(value);
        parameter(stripScratch)->replaceUsesWithIf(ownPrivate, [&](llvm::Use& use) {
            BasicBlock* user = llvm::cast<llvm::Instruction>(use.getUser())->getParent();
            return isPiece(user);
        });
    }

    /// From the latch: to the next strip of the row, to the next row, to the next slice. `blocks` gets those made for
    /// that.
    void buildNextPlace(BasicBlock* head, BasicBlock* after, std::vector<BasicBlock*>& blocks) {
        builder_.SetCurrentDebugLocation(llvm::DebugLoc());  // the loop over strips is no line of the program
        Value *zero = number(0), *one = number(1), *index = builder_.CreateAdd(index_, one);
        auto goOn = [&](Value* more, Value* x, Value* y, Value* z, BasicBlock* otherwise) {
            BasicBlock* from = builder_.GetInsertBlock();
            index_->addIncoming(index, from);
            x_->addIncoming(x, from);
            y_->addIncoming(y, from);
            z_->addIncoming(z, from);
            builder_.CreateCondBr(more, head, otherwise);
            builder_.SetInsertPoint(otherwise);
        };
        BasicBlock *row = nullptr, *slice = nullptr;
        if (inRows()) {
            row = block("row.next");
            slice = block("slice.next");
            blocks.insert(blocks.end(), {row, slice});
        }
        Value* x = builder_.CreateAdd(x_, number(info_.lane_width));
        goOn(builder_.CreateICmpULT(x, line_), x, y_, z_, row ? row : after);
        if (!row) return;
        Value* y = builder_.CreateAdd(y_, one);
        goOn(builder_.CreateICmpULT(y, parameter(stripSizeY)), zero, y, z_, slice);
        Value* z = builder_.CreateAdd(z_, one);
        goOn(builder_.CreateICmpULT(z, parameter(stripSizeZ)), zero, zero, z, after);
    }

    llvm::Function& function_;
    const metal_kernel_info& info_;
    std::uint64_t privateScratch_, scratch_ = 0;
    GroupForm form_;
    llvm::IRBuilder<> builder_;
    std::vector<llvm::Instruction*> marks_;
    std::vector<std::pair<BasicBlock*, BasicBlock*>> cuts_;  // where a strip stops, where it goes on
    bool together_ = true;                                   // all strips come to the same barriers
    BasicBlock* entry_ = nullptr;
    llvm::SetVector<BasicBlock*> pieces_;
    llvm::AllocaInst *state_ = nullptr, *nextState_ = nullptr;
    Value* ownState_ = nullptr;
    llvm::PHINode *index_ = nullptr, *x_ = nullptr, *y_ = nullptr, *z_ = nullptr;
    Value *line_ = nullptr, *first_ = nullptr, *count_ = nullptr;
    struct Place {
        llvm::DebugLoc place;
        unsigned causeLine = 0;
    };
    Notes* notes_;
    std::vector<Place> places_;  // of the barriers, for the notes
    bool isInPieces_ = false;
};

}  // namespace

std::uint64_t splitAtBarriers(llvm::Function& strip, const metal_kernel_info& info, std::uint64_t privateScratch,
                              GroupForm form, Notes* notes) {
    return Splitter(strip, info, privateScratch, form, notes).run();
}

}  // namespace metal_host
