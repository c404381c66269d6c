// SPDX-License-Identifier: MIT
//
// The functions of the standard library that a call could have meant, told by their declarations: Clang points into
// the headers, which are no text of the person's.

#pragma once

#include <clang/Basic/SourceLocation.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/StringRef.h>

#include <string>
#include <vector>

namespace clang {
class ASTContext;
class CXXRecordDecl;
class FunctionDecl;
}  // namespace clang

namespace metal_compiler {

class Candidates {
public:
    explicit Candidates(clang::ASTContext& context) : context_(context) {}

    /// "candidate: float2 mix(float2 x, float2 y, float2 a): requires 3 arguments, but 2 were provided" of Clang's note
    /// at `place`. Empty when the note is about nothing that a person could use.
    std::string describe(clang::SourceLocation place, llvm::StringRef note);

private:
    const clang::FunctionDecl* declaredAt(clang::SourceLocation place);
    void collect();

    clang::ASTContext& context_;
    bool isCollected_ = false;
    llvm::DenseMap<clang::SourceLocation, std::vector<const clang::FunctionDecl*>> functions_;
    llvm::DenseSet<const clang::CXXRecordDecl*> classes_;  // of which the program declares something
};

}  // namespace metal_compiler
