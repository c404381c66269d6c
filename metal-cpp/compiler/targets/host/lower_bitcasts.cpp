// SPDX-License-Identifier: MIT

#include "lower_bitcasts.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include <numeric>
#include <vector>

namespace metal_host {
namespace {

using llvm::Value;

unsigned elementCount(llvm::Type* type) {
    auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
    return vector ? vector->getNumElements() : 1;
}

class Lowering {
public:
    explicit Lowering(llvm::BitCastInst& cast) : cast_(cast), builder_(&cast) {}

    void run() {
        llvm::Type *from = cast_.getSrcTy(), *to = cast_.getDestTy();
        unsigned fromBits = from->getScalarSizeInBits(), toBits = to->getScalarSizeInBits();
        // Pieces of which both kinds of element consist.
        unsigned bits = std::gcd(fromBits, toBits), pieces = toBits / bits;
        std::vector<Value*> all = split(elements(cast_.getOperand(0)), bits);
        Value* result = llvm::PoisonValue::get(to);
        for (unsigned index = 0; index < elementCount(to); ++index) {
            Value* element = join(llvm::ArrayRef<Value*>(all).slice(index * pieces, pieces), bits);
            element = builder_.CreateBitCast(element, to->getScalarType());
            result = to->isVectorTy() ? builder_.CreateInsertElement(result, element, index) : element;
        }
        result->takeName(&cast_);
        cast_.replaceAllUsesWith(result);
        cast_.eraseFromParent();
    }

private:
    std::vector<Value*> elements(Value* whole) {
        if (!whole->getType()->isVectorTy()) return {whole};
        std::vector<Value*> found;
        for (unsigned index = 0; index < elementCount(whole->getType()); ++index)
            found.push_back(builder_.CreateExtractElement(whole, index));
        return found;
    }

    std::vector<Value*> split(const std::vector<Value*>& elements, unsigned bits) {
        std::vector<Value*> pieces;
        for (Value* element : elements) {
            unsigned width = element->getType()->getScalarSizeInBits();
            Value* integer = builder_.CreateBitCast(element, builder_.getIntNTy(width));
            for (unsigned at = 0; at < width; at += bits)
                pieces.push_back(builder_.CreateTrunc(builder_.CreateLShr(integer, at), builder_.getIntNTy(bits)));
        }
        return pieces;
    }

    Value* join(llvm::ArrayRef<Value*> pieces, unsigned bits) {
        llvm::Type* type = builder_.getIntNTy(bits * unsigned(pieces.size()));
        Value* whole = builder_.CreateZExt(pieces.front(), type);
        for (unsigned index = 1; index < pieces.size(); ++index)
            whole =
                builder_.CreateOr(whole, builder_.CreateShl(builder_.CreateZExt(pieces[index], type), index * bits));
        return whole;
    }

    llvm::BitCastInst& cast_;
    llvm::IRBuilder<> builder_;
};

}  // namespace

void lowerBitcasts(llvm::Function& function) {
    std::vector<llvm::BitCastInst*> casts;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
        auto* cast = llvm::dyn_cast<llvm::BitCastInst>(&instruction);
        if (cast && elementCount(cast->getSrcTy()) != elementCount(cast->getDestTy())) casts.push_back(cast);
    }
    for (llvm::BitCastInst* cast : casts) Lowering(*cast).run();
}

}  // namespace metal_host
