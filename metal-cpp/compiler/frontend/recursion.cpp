// SPDX-License-Identifier: MIT
#include "frontend/recursion.hpp"

namespace metal_compiler {

std::vector<CallGraph::Call> CallGraph::closingCalls() const {
    std::vector<Call> found;
    llvm::DenseMap<const clang::FunctionDecl*, State> states;
    for (const auto& [function, calls] : calls_) visit(function, states, found);
    return found;
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
