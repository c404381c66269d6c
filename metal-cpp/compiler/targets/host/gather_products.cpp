// SPDX-License-Identifier: MIT

#include "gather_products.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "strip_function.hpp"

namespace metal_host {
namespace {

using llvm::CallInst;
using llvm::Instruction;
using llvm::Value;
using Factor = std::pair<Value*, Value*>;

Factor left(const CallInst* product) {
    return {product->getArgOperand(0), product->getArgOperand(1)};
}
Value* right(const CallInst* product) {
    return product->getArgOperand(2);
}

/// Products of one block from `first` on of which none needs another. What stands between them moves in front of them.
std::vector<CallInst*> independentProducts(CallInst& first) {
    std::vector<CallInst*> run = {&first};
    llvm::SmallPtrSet<const Instruction*, 32> dependent = {&first};
    Instruction* last = &first;
    for (Instruction* next = first.getNextNode(); next != nullptr && !next->isTerminator();) {
        Instruction& instruction = *std::exchange(next, next->getNextNode());
        const bool needsProduct = llvm::any_of(instruction.operands(), [&](const llvm::Use& use) {
            const auto* operand = llvm::dyn_cast<Instruction>(use.get());
            return operand != nullptr && dependent.contains(operand);
        });
        if (isMatrixProduct(instruction)) {
            if (needsProduct) break;
            instruction.moveAfter(last);
            last = &instruction;
            run.push_back(llvm::cast<CallInst>(&instruction));
            dependent.insert(&instruction);
        } else if (instruction.mayHaveSideEffects() || instruction.mayReadFromMemory()) {
            break;
        } else if (needsProduct) {
            dependent.insert(&instruction);
        } else {
            instruction.moveBefore(first.getIterator());
        }
    }
    return run;
}

/// The first of `products` and others that share its left factor and, best, their right ones with a second left factor.
std::vector<CallInst*> groupOf(llvm::ArrayRef<CallInst*> products, unsigned most) {
    auto with = [&](const Factor& factor) {
        std::vector<CallInst*> found;
        llvm::copy_if(products, std::back_inserter(found), [&](CallInst* one) { return left(one) == factor; });
        return found;
    };
    auto distinctRights = [](std::vector<CallInst*>& some) {
        llvm::SmallPtrSet<Value*, 16> seen;
        llvm::erase_if(some, [&](CallInst* one) { return !seen.insert(right(one)).second; });
    };
    std::vector<CallInst*> one = with(left(products.front()));
    distinctRights(one);
    llvm::SetVector<Factor> others;
    for (CallInst* product : products) others.insert(left(product));
    for (const Factor& factor : llvm::drop_begin(others)) {
        std::vector<CallInst*> two = with(factor), group;
        distinctRights(two);
        auto has = [](llvm::ArrayRef<CallInst*> some, const CallInst* like) {
            return llvm::any_of(some, [&](CallInst* product) { return right(product) == right(like); });
        };
        llvm::copy_if(one, std::back_inserter(group), [&](CallInst* product) { return has(two, product); });
        if (group.size() < most / 2) continue;
        group.resize(most / 2);
        const std::vector<CallInst*> firstHalf = group;
        llvm::copy_if(two, std::back_inserter(group), [&](CallInst* product) { return has(firstHalf, product); });
        return group;
    }
    one.resize(std::min<std::size_t>(one.size(), most));
    return one;
}

void sortIntoGroups(std::vector<CallInst*> products, unsigned most) {
    Instruction* last = products.back();
    while (!products.empty()) {
        for (CallInst* product : groupOf(products, most)) {
            if (product != last) product->moveAfter(last);
            last = product;
            llvm::erase(products, product);
        }
    }
}

}  // namespace

bool isMatrixProduct(const Instruction& instruction) {
    const auto* call = llvm::dyn_cast<CallInst>(&instruction);
    const llvm::Function* callee = call != nullptr ? call->getCalledFunction() : nullptr;
    if (callee == nullptr) return false;
    llvm::StringRef name = callee->getName();
    return name.consume_front(simdPrefix) && name.starts_with("matrix_multiply_");
}

unsigned productsAtOnce(const llvm::Function& function) {
    // Of 32 registers two hold the sum of each, and eight what they are made of.
    return function.getFnAttribute("prefer-vector-width").getValueAsString() == "512" ? 8 : 1;
}

void gatherProducts(llvm::Function& function) {
    const unsigned most = productsAtOnce(function);
    if (most == 1) return;
    for (llvm::BasicBlock& block : function) {
        llvm::SmallPtrSet<const Instruction*, 32> done;
        for (auto place = block.begin(); place != block.end(); ++place) {
            if (!isMatrixProduct(*place) || done.contains(&*place)) continue;
            std::vector<CallInst*> run = independentProducts(llvm::cast<CallInst>(*place));
            done.insert(run.begin(), run.end());
            if (run.size() > 1) sortIntoGroups(std::move(run), most);
        }
    }
}

}  // namespace metal_host
