// SPDX-License-Identifier: MIT
#include "frontend/explicit_spaces.hpp"

#include <clang/Basic/IdentifierTable.h>

#include "frontend/address_spaces.hpp"

namespace metal_compiler {

namespace tok = clang::tok;

bool ExplicitSpaces::isWritten(clang::SourceLocation place) {
    if (positions_.empty()) {
        for (std::size_t i = 0; i < tokens_.size(); ++i) {
            if (tokens_[i].isOneOf(tok::star, tok::amp, tok::ampamp)) positions_[tokens_[i].getLocation()] = i;
        }
    }
    const auto found = positions_.find(place);
    if (found == positions_.end()) return true;
    // Backwards through the type: over what is in brackets, up to what cannot be part of it.
    int depth = 0;
    std::size_t end = found->second;
    while (end > 0 && tokens_[end - 1].is(tok::l_paren)) --end;  // thread float (&rows)[4]
    for (std::size_t i = end; i-- > 0;) {
        const clang::Token& token = tokens_[i];
        if (token.isOneOf(tok::greater, tok::r_paren, tok::r_square)) {
            ++depth;
        } else if (token.is(tok::greatergreater)) {
            depth += 2;
        } else if (depth > 0) {
            if (token.isOneOf(tok::less, tok::l_paren, tok::l_square)) --depth;
        } else if (token.isOneOf(tok::comma, tok::semi, tok::l_brace, tok::r_brace, tok::l_paren, tok::less) ||
                   token.isOneOf(tok::equal, tok::star, tok::amp, tok::ampamp, tok::colon, tok::arrow)) {
            return false;
        } else if (token.is(tok::identifier) && addressSpaceOfKeyword(token.getIdentifierInfo()->getName())) {
            return true;
        }
    }
    return false;
}

std::vector<clang::SourceLocation> ExplicitSpaces::doubled() const {
    std::vector<clang::SourceLocation> found;
    const clang::Token* before = nullptr;  // the space that `const` and `volatile` alone follow
    for (const clang::Token& token : tokens_) {
        const auto* identifier = token.is(tok::identifier) ? token.getIdentifierInfo() : nullptr;
        const auto space = identifier != nullptr ? addressSpaceOfKeyword(identifier->getName()) : std::nullopt;
        if (space && before != nullptr) {
            const auto other = addressSpaceOfKeyword(before->getIdentifierInfo()->getName());
            const bool hasThread = *space == AddressSpace::thread || *other == AddressSpace::thread;
            if (hasThread && *space != *other) found.push_back(token.getLocation());
        }
        if (space) {
            before = &token;
        } else if (!token.isOneOf(tok::kw_const, tok::kw_volatile)) {
            before = nullptr;
        }
    }
    return found;
}

}  // namespace metal_compiler
