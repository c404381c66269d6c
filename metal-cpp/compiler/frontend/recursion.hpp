// SPDX-License-Identifier: MIT
//
// Finds functions that can reach themselves: kernels have no stack to recurse on. A function may call itself as the
// last thing it does, which becomes a loop. The same graph says what a function of a stage reaches.

#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>

#include <utility>
#include <vector>

namespace metal_compiler {

class CallGraph {
public:
    void add(const clang::FunctionDecl* caller, const clang::FunctionDecl* callee, clang::SourceLocation place) {
        calls_[caller->getCanonicalDecl()].push_back({callee->getCanonicalDecl(), place});
    }

    struct Call {
        const clang::FunctionDecl* callee;
        clang::SourceLocation place;
    };
    /// The calls that close a cycle, in the order of the program.
    std::vector<Call> closingCalls() const;
    /// The function and all that it may call, those that it calls itself first.
    llvm::SetVector<const clang::FunctionDecl*> reachedFrom(const clang::FunctionDecl* function) const;

private:
    enum class State : unsigned char { unseen, open, done };
    void visit(const clang::FunctionDecl* function, llvm::DenseMap<const clang::FunctionDecl*, State>& states,
               std::vector<Call>& found) const;

    llvm::MapVector<const clang::FunctionDecl*, std::vector<Call>> calls_;
};

/// Whether `call`, which is in `function`, calls it again where nothing is left to do.
bool isTailCallOfItself(const clang::FunctionDecl* function, const clang::CallExpr* call);

}  // namespace metal_compiler
