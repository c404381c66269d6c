// SPDX-License-Identifier: MIT
#include "frontend/function_reader.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

namespace metal_compiler {
namespace {

// Everything that can be reached from some values, through functions' bodies and variables' values.
class Reach {
public:
    llvm::Error follow(llvm::Value* start) {
        add(start);
        while (!open_.empty()) {
            llvm::Value* value = open_.pop_back_val();
            auto* function = llvm::dyn_cast<llvm::Function>(value);
            if (function == nullptr) {
                addOperands(*llvm::cast<llvm::User>(value));
                continue;
            }
            if (llvm::Error failed = function->materialize()) return failed;
            for (llvm::Instruction& instruction : llvm::instructions(*function)) addOperands(instruction);
        }
        return llvm::Error::success();
    }
    bool has(const llvm::Value& value) const { return seen_.contains(&value); }

private:
    void add(llvm::Value* value) {
        if (value != nullptr && llvm::isa<llvm::Constant>(value) && seen_.insert(value).second) open_.push_back(value);
    }
    void addOperands(llvm::User& user) {
        for (llvm::Use& operand : user.operands()) add(operand.get());
    }

    llvm::SmallPtrSet<const llvm::Value*, 32> seen_;
    llvm::SmallVector<llvm::Value*, 64> open_;
};

}  // namespace

llvm::Expected<std::unique_ptr<llvm::Module>> readFunction(llvm::MemoryBufferRef bitcode, llvm::StringRef entry,
                                                           llvm::LLVMContext& context) {
    auto read = llvm::getLazyBitcodeModule(bitcode, context);
    if (!read) return read.takeError();
    llvm::Module& module = **read;
    Reach reach;
    for (llvm::Value* start : {static_cast<llvm::Value*>(module.getFunction(entry)),
                               static_cast<llvm::Value*>(module.getNamedGlobal("llvm.global_ctors"))}) {
        if (llvm::Error failed = reach.follow(start)) return failed;
    }
    for (llvm::Function& function : llvm::make_early_inc_range(module)) {
        // Declared for other functions: what links the module would find definitions for it.
        if (function.isDeclaration() && function.use_empty()) {
            function.eraseFromParent();
            continue;
        }
        if (!function.isMaterializable() || reach.has(function)) continue;
        if (function.use_empty()) {
            function.eraseFromParent();
        } else {
            function.setIsMaterializable(false);
            function.deleteBody();
            function.setComdat(nullptr);  // which a declaration may not be in
        }
    }
    if (llvm::Error failed = module.materializeAll()) return failed;
    return read;
}

}  // namespace metal_compiler
