// SPDX-License-Identifier: MIT
//
// A limit to what Clang's own limits (of brackets, of templates) let through and its parser and all that walk its trees
// recurse on: `- - - 1`, `a ? b : c ? d : e`, `a + b + c`, `else if` after `else if`.

#pragma once

#include <clang/Lex/Token.h>
#include <llvm/ADT/ArrayRef.h>

namespace clang {
class Preprocessor;
}

namespace metal_compiler {

/// Reports the first place where a program nests more deeply than the compiler's stack is sure to bear; false then.
bool checkNesting(llvm::ArrayRef<clang::Token> tokens, clang::Preprocessor& preprocessor);

}  // namespace metal_compiler
