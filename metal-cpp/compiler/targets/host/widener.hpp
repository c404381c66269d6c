// SPDX-License-Identifier: MIT
//
// The state of widening one function (widen.hpp), shared by the files that do its parts:
//   widen.cpp               control: order, masks, guards, edges
//   widen_values.cpp        each value as a scalar or as a vector, where it is defined or from its slot
//   widen_instructions.cpp  arithmetic, addresses, aggregates
//   widen_memory.cpp        loads, stores, private variables
//   widen_packed.cpp        vectors of each thread that stay in the order of memory
//   widen_guesses.cpp       blocks in two versions, for strips inside and at the edge of something
//   widen_calls.cpp         intrinsics; one lane after the other for what has no vector form
//   widen_routines.cpp      calls of code that strips share
//   widen_derivatives.cpp   differences inside quads
//   widen_exchange.cpp      SIMD-group and quad-group exchanges
//   widen_matrix.cpp        matrices that a SIMD-group holds
//   widen_notes.cpp         what is said of all that, when somebody asks

#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "divergence.hpp"
#include "guesses.hpp"
#include "notes.hpp"
#include "parts.hpp"
#include "private_memory.hpp"
#include "widen.hpp"

namespace metal_host {

class Widener {
public:
    Widener(llvm::Function& scalar, unsigned width, Notes* notes);

    llvm::Expected<Widened> run();

private:
    using Value = llvm::Value;
    using Instruction = llvm::Instruction;
    using BasicBlock = llvm::BasicBlock;

    /// A part of a value: `first` is the value itself where uniform, lane 0's where affine, else null; `wide` all
    /// lanes', once made.
    struct Lanes {
        Value* first = nullptr;
        Value* wide = nullptr;
    };
    using AllLanes = llvm::SmallVector<Lanes, 1>;

    // ---- widen.cpp
    struct Block {
        unsigned position = 0;
        BasicBlock* checked = nullptr;  ///< entered when lanes may be here
        BasicBlock* direct = nullptr;   ///< entered when at least one is
        llvm::AllocaInst* mask = nullptr;
        std::set<unsigned> deferred;  ///< positions of blocks where other lanes may wait meanwhile
        bool mayBeEmpty = false;      ///< runs without asking whether a lane is here
        bool isEveryoneHere = false;  ///< no lane waits elsewhere, so that the mask is that of the strip's threads
    };
    void takeStripParameters();
    void makeBlocks();
    void openBlock(BasicBlock* block);
    void closeBlock(BasicBlock* block);
    bool isCheap(const BasicBlock* block) const;
    bool isExpected(BasicBlock* block) const;
    void proceed(const Block& from, llvm::ArrayRef<BasicBlock*> targets, bool certain);
    void readIncoming(BasicBlock* from, BasicBlock* to);
    void sendLanes(BasicBlock* from, BasicBlock* to, Value* lanes);
    bool isBackEdge(const BasicBlock* from, const BasicBlock* to) const;
    Value* any(Value* mask);

    // ---- widen_values.cpp
    Value* first(Value* value, unsigned part = 0);
    Value* wide(Value* value, unsigned part = 0);
    bool isUniform(Value* value) const { return shape(value).isUniform(); }
    Shape shape(Value* value) const {
        if (plan_) {
            if (auto found = plan_->shapes.find(value); found != plan_->shapes.end()) return found->second;
        }
        // Places in interleaved private memory lie further apart than the analysis thinks.
        Shape of = divergence_.shape(value);
        return of.isAffine() && privateMemory_.interleaved(value) ? Shape::any() : of;
    }
    Value* constantPart(llvm::Constant* constant, unsigned part) const;
    Value* splat(Value* scalar);
    /// <0, stride, 2 stride, ...>
    llvm::Constant* steps(llvm::Type* type, std::int64_t stride) const;
    llvm::VectorType* wideType(llvm::Type* type) const { return llvm::FixedVectorType::get(type, width_); }
    void define(Value* value, AllLanes lanes);
    void defineWide(Value* value, Value* lanes) { define(value, {{nullptr, lanes}}); }
    void defineFirst(Value* value, Value* scalar) { define(value, {{scalar, nullptr}}); }
    void makeSlots();
    void makeSlots(Value* value);
    void loadSlots(Value* value);
    void storeSlots(Value* value);
    void storeAllSlots(BasicBlock* block);
    void storePhi(llvm::PHINode& phi, Value* incoming, Value* lanes);
    void forgetMask(llvm::AllocaInst& mask);
    void limitSlots(const llvm::DominatorTree& dominators);
    void promoteSlots(const llvm::DominatorTree& dominators);
    llvm::AllocaInst* slot(llvm::Type* type, const llvm::Twine& name);

    // ---- widen_instructions.cpp
    void instruction(Instruction& instruction);
    void uniformInstruction(Instruction& instruction);
    bool affineInstruction(Instruction& instruction);
    void varyingInstruction(Instruction& instruction);
    Value* wideOperation(Instruction& instruction);
    Value* wideAddress(llvm::GetElementPtrInst& address);
    void interleavedAddress(llvm::GetElementPtrInst& address);
    Value* integerDivision(Instruction& division);
    Value* reciprocal(Value* divisor, bool isSigned);
    Lanes partOf(Value* value, unsigned part, bool uniform);
    void forwardParts(Instruction& instruction);
    void shuffleParts(llvm::ShuffleVectorInst& shuffle);
    void castParts(llvm::CastInst& cast);

    // ---- widen_memory.cpp
    void variable(llvm::AllocaInst& variable);
    void load(llvm::LoadInst& load);
    void store(llvm::StoreInst& store);
    Value* loadPart(Value* pointer, const Part& part, llvm::Align align, bool invariant);
    Value* gatherFromWords(Value* pointers, llvm::Type* type);
    void storePart(Value* value, Value* pointer, const Part& part, llvm::Align align);
    bool isNarrowScatter(llvm::StoreInst& store) const;
    unsigned interleaving(Value* pointer, llvm::ArrayRef<Part> parts) const;
    Value* interleavedMask(unsigned count, unsigned step);
    AllLanes loadInterleaved(llvm::LoadInst& load, llvm::ArrayRef<Part> parts, unsigned step);
    void storeInterleaved(llvm::StoreInst& store, llvm::ArrayRef<Part> parts, unsigned step);
    Value* offset(Value* pointer, std::uint64_t bytes);
    Value* lastActive(Value* lanes);

    // ---- widen_packed.cpp
    Value* loadedWhole(llvm::ArrayRef<Value*> parts) const;
    bool canPack(llvm::ArrayRef<Value*> parts, unsigned depth);
    Value* packed(llvm::ArrayRef<Value*> parts);
    bool storePacked(llvm::StoreInst& store, unsigned step);

    // ---- widen_guesses.cpp
    void makePlans();
    void versions(BasicBlock* source, const GuessPlan& plan);
    void guessed(Instruction& source);
    Value* question(Instruction& guess, bool truth);

    // ---- widen_calls.cpp
    void call(llvm::CallInst& call);
    bool intrinsic(llvm::IntrinsicInst& call);
    Value* saturated(llvm::IntrinsicInst& call);
    void laneByLane(Instruction& instruction);
    void atomicUpdate(llvm::AtomicRMWInst& update);
    void takeApart(Value* whole, llvm::SmallVectorImpl<Value*>& scalars);
    Value* oneLane(llvm::Type* type, llvm::ArrayRef<Value*> parts, Value* lane);
    llvm::AllocaInst* laneMemory(llvm::Type* type, unsigned number);

    // ---- widen_routines.cpp
    bool isRoutine() const { return !scalar_.getReturnType()->isVoidTy(); }
    void routine(llvm::CallInst& call);
    llvm::Function* stripForm(llvm::Function& routine, llvm::StringRef differs);
    static llvm::FunctionType* stripType(const llvm::Function& scalar, unsigned width);
    void takeRoutineParameters();
    void returnResults(Value* whole);

    // ---- widen_derivatives.cpp
    bool derivative(llvm::CallInst& call);

    // ---- widen_exchange.cpp
    bool exchange(llvm::CallInst& call);
    Value* ballot(Value* vote);
    Value* firstActive();
    Value* agreed(Value* value);
    Value* exchanged(Value* lanes, unsigned mask);
    Value* reduced(Value* lanes, llvm::function_ref<Value*(Value*, Value*)> combined);
    Value* shuffle(llvm::CallInst& call);
    Value* bySixteens(Value* words, Value* from);
    Value* byEights(Value* words, Value* from);
    Value* prefix(Value* lanes, Value* idle, unsigned size, bool inclusive,
                  llvm::function_ref<Value*(Value*, Value*)> combined);

    // ---- widen_matrix.cpp
    bool matrix(llvm::StringRef operation, llvm::CallInst& call);
    Value* matrixLoad(llvm::CallInst& call);
    void matrixStore(llvm::CallInst& call);
    Value* matrixMultiply(llvm::CallInst& call);
    Value* matrixRow(Value* start, Value* perRow, llvm::Type* element, unsigned row);
    Value* joined(llvm::SmallVectorImpl<Value*>& vectors);

    // ---- widen_notes.cpp
    llvm::DebugLoc placeOfArrival(const BasicBlock* block) const;
    void noteLoop(const BasicBlock* header);
    void notedInstruction(Instruction& instruction);
    void noteAccess(Instruction& access, protocol::FindingKind kind);
    void noteLaneByLane(Instruction& instruction);

    void fail(const llvm::Twine& message);

    llvm::Function& scalar_;
    llvm::Function* function_;
    const llvm::DataLayout& layout_;
    unsigned width_;
    llvm::DominatorTree dominators_;
    llvm::LoopInfo loops_;
    std::vector<BasicBlock*> order_;
    PrivateMemory privateMemory_;
    Divergence divergence_;

    llvm::IRBuilder<> builder_;
    llvm::IRBuilder<> entry_;  ///< at the end of the block that holds the slots
    llvm::DenseMap<const BasicBlock*, Block> blocks_;
    llvm::DenseMap<Value*, AllLanes> fixed_;  ///< parameters and the addresses of private variables
    llvm::DenseMap<Value*, AllLanes> local_;  ///< those, and the values of the current block
    struct Slots {
        llvm::AllocaInst* first = nullptr;
        llvm::AllocaInst* wide = nullptr;
    };
    llvm::DenseMap<Value*, llvm::SmallVector<Slots, 1>> slots_;
    std::vector<Value*> slotOrder_;
    llvm::DenseMap<const BasicBlock*, GuessPlan> plans_;
    llvm::DenseMap<const Value*, Value*> wholeLoads_;  ///< of all lanes' vectors, as they lie in memory
    llvm::DenseSet<const Value*> needsSlot_;           ///< though used in no other block
    const GuessPlan* plan_ = nullptr;                  ///< in the version of a block where guesses hold
    std::map<std::pair<llvm::Type*, unsigned>, llvm::AllocaInst*> laneMemory_;  ///< see laneByLane
    llvm::DenseSet<llvm::Value*> laneMemories_;
    BasicBlock* current_ = nullptr;
    Value* active_ = nullptr;  ///< the lanes that have a thread
    Value* mask_ = nullptr;    ///< the lanes that run the current block
    std::uint64_t scratch_ = 0;
    std::string problem_;
    Notes* notes_;
};

/// What `Divergence` cannot know of the lanes of a strip: where lanes differ to begin with, and private memory.
std::optional<Shape> laneFacts(const llvm::Instruction& instruction, const PrivateMemory& privateMemory);

}  // namespace metal_host
