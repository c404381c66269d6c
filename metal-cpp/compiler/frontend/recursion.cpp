// SPDX-License-Identifier: MIT
#include "frontend/recursion.hpp"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

namespace metal_compiler {
namespace {

using namespace clang;

// Whether `call` is the last thing that `statement` does.
bool endsWith(const Stmt* statement, const CallExpr* call) {
    if (statement == nullptr) return false;
    if (const auto* compound = dyn_cast<CompoundStmt>(statement))
        return !compound->body_empty() && endsWith(compound->body_back(), call);
    if (const auto* condition = dyn_cast<IfStmt>(statement))
        return endsWith(condition->getThen(), call) || endsWith(condition->getElse(), call);
    if (const auto* result = dyn_cast<ReturnStmt>(statement)) return endsWith(result->getRetValue(), call);
    if (const auto* expression = dyn_cast<Expr>(statement)) {
        expression = expression->IgnoreParenImpCasts();
        if (const auto* cleanups = dyn_cast<ExprWithCleanups>(expression))
            return endsWith(cleanups->getSubExpr(), call);
        if (const auto* choice = dyn_cast<ConditionalOperator>(expression))
            return endsWith(choice->getTrueExpr(), call) || endsWith(choice->getFalseExpr(), call);
        return expression == call;
    }
    return false;
}

// Statements that leave the function, wherever they are: `return f(x);` in the middle is a tail call as well.
bool isReturned(const Stmt* statement, const CallExpr* call) {
    if (statement == nullptr) return false;
    if (const auto* result = dyn_cast<ReturnStmt>(statement)) return endsWith(result, call);
    for (const Stmt* child : statement->children()) {
        if (isReturned(child, call)) return true;
    }
    return false;
}

}  // namespace

bool isTailCallOfItself(const FunctionDecl* function, const CallExpr* call) {
    const FunctionDecl* callee = call->getDirectCallee();
    if (callee == nullptr || callee->getCanonicalDecl() != function->getCanonicalDecl()) return false;
    return endsWith(function->getBody(), call) || isReturned(function->getBody(), call);
}

std::vector<CallGraph::Call> CallGraph::closingCalls() const {
    std::vector<Call> found;
    llvm::DenseMap<const clang::FunctionDecl*, State> states;
    for (const auto& [function, calls] : calls_) visit(function, states, found);
    return found;
}

llvm::SetVector<const FunctionDecl*> CallGraph::reachedFrom(const FunctionDecl* function) const {
    llvm::SetVector<const FunctionDecl*> reached;
    reached.insert(function->getCanonicalDecl());
    for (std::size_t next = 0; next < reached.size(); ++next) {
        const auto calls = calls_.find(reached[next]);
        if (calls == calls_.end()) continue;
        for (const Call& call : calls->second) reached.insert(call.callee);
    }
    return reached;
}

void CallGraph::visit(const clang::FunctionDecl* function, llvm::DenseMap<const clang::FunctionDecl*, State>& states,
                      std::vector<Call>& found) const {
    if (states.lookup(function) != State::unseen) return;
    states[function] = State::open;
    if (const auto calls = calls_.find(function); calls != calls_.end()) {
        for (const Call& call : calls->second) {
            if (states.lookup(call.callee) == State::open) found.push_back(call);
            visit(call.callee, states, found);
        }
    }
    states[function] = State::done;
}

}  // namespace metal_compiler
