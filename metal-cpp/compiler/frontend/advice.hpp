// SPDX-License-Identifier: MIT
//
// What a message says beyond Clang's words: Metal's words where Clang talks of C++ that Metal does not have, and how to
// mend what learners get wrong most.

#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>

#include <string>

namespace clang {
class ASTContext;
class Diagnostic;
}  // namespace clang

namespace metal_compiler {

/// Clang's message in Metal's words; `text` itself for most.
std::string reworded(const clang::Diagnostic& diagnostic, std::string text);

/// What to do about it, as a note; empty for most. `program`: where it was found; null before there is one.
std::string adviceFor(const clang::Diagnostic& diagnostic, const clang::ASTContext* program);

/// Whether advice on it says more than the operators that the library has.
bool replacesCandidates(llvm::StringRef message);

/// The same for conversions between vectors that do not exist, told by the message and its notes.
std::string adviceOnConversion(llvm::ArrayRef<std::string> messages);

}  // namespace metal_compiler
