// SPDX-License-Identifier: MIT
//
// Names that a program defines itself although our headers have them, too.
//
// Metal's specification does not list what <metal_utility> and <metal_type_traits> hold, and programs bring what
// Apple's library lacks, at file scope or in namespace metal itself. There the program's own definition hides ours.

#pragma once

#include <clang/Lex/Token.h>
#include <clang/Sema/Sema.h>
#include <llvm/ADT/ArrayRef.h>

#include <vector>

namespace metal_compiler {

class OwnNames {
public:
    OwnNames(llvm::ArrayRef<clang::Token> program, clang::Sema& sema);

    /// Takes the headers' declarations of these names, as far as they have been parsed, out of namespace metal.
    void hideTheHeaders();

private:
    clang::Sema& sema_;
    std::vector<const clang::IdentifierInfo*> names_;
};

}  // namespace metal_compiler
