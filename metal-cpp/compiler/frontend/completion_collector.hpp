// SPDX-License-Identifier: MIT
//
// Takes what Clang's completer found and keeps what a Metal program may say: no names of the headers' own, no words of
// C++ that Metal forbids, one entry for all overloads of a name, swizzles after the components they are made of.

#pragma once

#include <clang/Sema/CodeCompleteConsumer.h>

#include <memory>
#include <string>
#include <vector>

#include "protocol.hpp"

namespace metal_compiler {

class CompletionCollector : public clang::CodeCompleteConsumer {
public:
    /// `word`: what is written of the word to complete. `isInFunction`: the place is within a function's body.
    CompletionCollector(std::string word, bool isInFunction);

    /// The place is that of an attribute's name; Clang's own are no answer.
    bool isAttribute() const { return isAttribute_; }
    /// Best first.
    std::vector<protocol::Completion> takeItems();
    /// Of the call whose arguments the place is among.
    std::vector<protocol::Signature> takeSignatures() { return std::move(signatures_); }
    std::uint32_t argument() const { return argument_; }

    void ProcessCodeCompleteResults(clang::Sema& sema, clang::CodeCompletionContext context,
                                    clang::CodeCompletionResult* results, unsigned count) override;
    void ProcessOverloadCandidates(clang::Sema& sema, unsigned argument, OverloadCandidate* candidates, unsigned count,
                                   clang::SourceLocation place, bool braced) override;
    clang::CodeCompletionAllocator& getAllocator() override { return information_.getAllocator(); }
    clang::CodeCompletionTUInfo& getCodeCompletionTUInfo() override { return information_; }

private:
    struct Found {
        protocol::Completion item;
        unsigned rank;  // lower is better
        unsigned overloads = 1;
    };
    void add(protocol::Completion item, unsigned rank);
    void addWords(clang::CodeCompletionContext::Kind context);
    void addDeclaration(clang::Sema& sema, const clang::CodeCompletionContext& context,
                        clang::CodeCompletionResult& result);

    const std::string word_;
    const bool isInFunction_;
    clang::CodeCompletionTUInfo information_;
    std::vector<Found> found_;
    std::vector<protocol::Signature> signatures_;
    std::uint32_t argument_ = 0;
    bool isAttribute_ = false;
};

}  // namespace metal_compiler
