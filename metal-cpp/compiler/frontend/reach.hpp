// SPDX-License-Identifier: MIT
//
// What running a function can touch: which function constants and bindings of the program a kernel uses.

#pragma once

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/GlobalValue.h>

#include <vector>

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace metal_compiler {

/// What runs before everything else, to give globals their values.
std::vector<llvm::Function*> constructorsOf(llvm::Module& module);

/// Functions and globals that running `entry` can touch, constructors of those globals included.
class Reach {
public:
    Reach(llvm::Module& module, llvm::Function* entry);
    bool contains(const llvm::GlobalValue* value) const { return reached_.contains(value); }

private:
    void add(llvm::GlobalValue* value);
    void drain();
    bool namesReached(const llvm::Function& function, llvm::SmallPtrSetImpl<const llvm::Function*>& seen) const;

    llvm::SmallPtrSet<const llvm::GlobalValue*, 32> reached_;
    std::vector<llvm::GlobalValue*> waiting_;
};

}  // namespace metal_compiler
