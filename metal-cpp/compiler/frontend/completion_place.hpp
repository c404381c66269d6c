// SPDX-License-Identifier: MIT
//
// What the text around the place of a completion says, without a parser: the word begun, and for attributes and
// included files what kind of thing they stand at.

#pragma once

#include <llvm/ADT/StringRef.h>

#include <cstdint>
#include <string>
#include <vector>

#include "frontend/attributes.hpp"
#include "protocol.hpp"

namespace metal_compiler {

struct CompletionPlace {
    llvm::StringRef before;  // all text up to the place
    llvm::StringRef line;    // the part of it in the place's line
    llvm::StringRef word;    // the part of that which a completion replaces
    char next = 0;           // the letter after the place
};

/// Lines and columns beyond the text's end stand for its end.
CompletionPlace completionPlace(llvm::StringRef source, std::uint32_t line, std::uint32_t column);

/// Whether a brace is open there that is none of a struct's or namespace's.
bool isInFunction(llvm::StringRef before);

/// What an attribute at the place belongs to, by the brackets open there.
AttributeSubject attributeSubjectAt(llvm::StringRef before);

/// The headers that `#include <` or `#include "` at the place may name, with the closing sign.
std::vector<protocol::Completion> headersFor(const CompletionPlace& place, const protocol::CompileOptions& options);

/// True when the line up to the place is an `#include` with its name begun.
bool isInclude(llvm::StringRef line);

}  // namespace metal_compiler
