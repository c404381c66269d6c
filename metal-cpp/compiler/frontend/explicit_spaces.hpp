// SPDX-License-Identifier: MIT
//
// Whether a pointer or reference was written with `thread`. To Clang that is the default space, so the types do not
// tell `thread float*` from `float*`, which Metal forbids; the program's tokens do.

#pragma once

#include <clang/Basic/SourceLocation.h>
#include <clang/Lex/Token.h>
#include <llvm/ADT/DenseMap.h>

#include <vector>

namespace metal_compiler {

class ExplicitSpaces {
public:
    explicit ExplicitSpaces(const std::vector<clang::Token>& tokens) : tokens_(tokens) {}

    /// For the `*` or `&` at `place`. True as well when the tokens do not show it (a type made by the compiler).
    bool isWritten(clang::SourceLocation place);

    /// Places where `thread` stands beside another space, which Clang does not see.
    std::vector<clang::SourceLocation> doubled() const;

private:
    const std::vector<clang::Token>& tokens_;
    llvm::DenseMap<clang::SourceLocation, std::size_t> positions_;  // of `*`, `&` and `&&`; filled when first asked
};

}  // namespace metal_compiler
