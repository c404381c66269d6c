// SPDX-License-Identifier: MIT

#include "lane_alignment.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/KnownBits.h>

#include <algorithm>

namespace metal_host {

using llvm::Instruction;
using llvm::Value;

namespace {

constexpr unsigned allZeros = 64, deepest = 10;

std::optional<std::uint64_t> numberOf(const Value* value) {
    auto* number = llvm::dyn_cast<llvm::ConstantInt>(value);
    if (!number || number->getBitWidth() > 64) return std::nullopt;
    return number->getZExtValue();
}

}  // namespace

unsigned LaneAlignment::zeros(const Value* value) {
    return find(value, 0);
}

unsigned LaneAlignment::find(const Value* value, unsigned depth) {
    if (!value->getType()->isIntegerTy() || depth > deepest) return 0;
    if (auto number = numberOf(value)) return *number ? unsigned(llvm::countr_zero(*number)) : allZeros;
    auto* instruction = llvm::dyn_cast<Instruction>(value);
    if (!instruction) return llvm::computeKnownBits(value, layout_).countMinTrailingZeros();
    if (isLane_(*instruction)) return allZeros;  // lane 0 is number 0
    auto of = [&](unsigned index) { return find(instruction->getOperand(index), depth + 1); };
    auto constant = [&](unsigned index) { return numberOf(instruction->getOperand(index)); };
    switch (instruction->getOpcode()) {
        case Instruction::Add:
        case Instruction::Sub:
        case Instruction::Or:
        case Instruction::Xor:
            return std::min(of(0), of(1));
        case Instruction::Mul:
            return std::min(of(0) + of(1), allZeros);
        case Instruction::And:
            return std::max(of(0), of(1));
        case Instruction::Shl:
            if (auto count = constant(1)) return unsigned(std::min<std::uint64_t>(of(0) + *count, allZeros));
            return of(0);
        case Instruction::LShr:
            if (auto count = constant(1)) return unsigned(std::max<std::int64_t>(of(0) - std::int64_t(*count), 0));
            return 0;
        case Instruction::ZExt:
        case Instruction::SExt:
        case Instruction::Trunc:
        case Instruction::Freeze:
            return of(0);
        case Instruction::Select:
            return std::min(of(1), of(2));
        case Instruction::PHI: {
            // Round a loop: if it holds of what the phi was, it holds of what it becomes.
            if (!open_.insert(instruction).second) return allZeros;
            unsigned least = allZeros;
            for (const Value* incoming : llvm::cast<llvm::PHINode>(instruction)->incoming_values())
                least = std::min(least, find(incoming, depth + 1));
            open_.erase(instruction);
            return least;
        }
        default:
            return 0;
    }
}

}  // namespace metal_host
