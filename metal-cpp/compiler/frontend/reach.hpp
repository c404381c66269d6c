// SPDX-License-Identifier: MIT
//
// What running a function can touch: which function constants and bindings of the program a kernel uses.

#pragma once

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/GlobalValue.h>

#include <unordered_map>
#include <vector>

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace metal_compiler {

/// What runs before everything else, to give globals their values.
std::vector<llvm::Function*> constructorsOf(llvm::Module& module);

/// What each function and global of a module names, found once for all the entries that are asked about.
class References {
public:
    explicit References(llvm::Module& module) : constructors_(constructorsOf(module)) {}

    const std::vector<llvm::GlobalValue*>& of(const llvm::GlobalValue* value);
    const std::vector<llvm::Function*>& constructors() const { return constructors_; }

private:
    std::vector<llvm::Function*> constructors_;
    std::unordered_map<const llvm::GlobalValue*, std::vector<llvm::GlobalValue*>> known_;
};

/// Functions and globals that running `entry` can touch, constructors of those globals included.
class Reach {
public:
    Reach(References& references, llvm::Function* entry);
    bool contains(const llvm::GlobalValue* value) const { return reached_.contains(value); }

private:
    void add(llvm::GlobalValue* value);
    void drain();
    bool namesReached(const llvm::Function& function, llvm::SmallPtrSetImpl<const llvm::Function*>& seen) const;

    References& references_;
    llvm::SmallPtrSet<const llvm::GlobalValue*, 32> reached_;
    std::vector<llvm::GlobalValue*> waiting_;
};

}  // namespace metal_compiler
