// SPDX-License-Identifier: MIT
//
// Stands between Sema and code generation: what a program declares reaches the generator only when all checks are done.

#pragma once

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/DeclGroup.h>

#include <functional>
#include <vector>

namespace metal_compiler {

class RecordingConsumer : public clang::ASTConsumer {
public:
    /// Declarations of the headers go straight to `generator`; call record() before the program's.
    explicit RecordingConsumer(clang::ASTConsumer& generator) : generator_(generator) {}

    void record() { recording_ = true; }

    /// The program's declarations, template instantiations included; none of the standard headers'.
    const std::vector<clang::Decl*>& declarations() const { return declarations_; }

    /// Hands over all that was recorded, in order, and ends the translation unit.
    void replay(clang::ASTContext& context);

    bool HandleTopLevelDecl(clang::DeclGroupRef group) override;
    void HandleInlineFunctionDefinition(clang::FunctionDecl* function) override;
    void HandleTagDeclDefinition(clang::TagDecl* tag) override;
    void HandleCXXStaticMemberVarInstantiation(clang::VarDecl* variable) override;
    void HandleTranslationUnit(clang::ASTContext&) override {}

private:
    void keep(clang::DeclGroupRef group);
    void pass(std::function<void()> event);

    clang::ASTConsumer& generator_;
    bool recording_ = false;
    std::vector<std::function<void()>> events_;
    std::vector<clang::Decl*> declarations_;
};

}  // namespace metal_compiler
