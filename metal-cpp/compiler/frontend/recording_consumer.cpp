// SPDX-License-Identifier: MIT
#include "frontend/recording_consumer.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/Basic/SourceManager.h>

#include <utility>

namespace metal_compiler {

void RecordingConsumer::pass(std::function<void()> event) {
    if (recording_) {
        events_.push_back(std::move(event));
    } else {
        event();
    }
}

void RecordingConsumer::keep(clang::DeclGroupRef group) {
    for (clang::Decl* declaration : group) {
        const clang::SourceManager& sources = declaration->getASTContext().getSourceManager();
        if (!sources.isInSystemHeader(declaration->getLocation())) declarations_.push_back(declaration);
    }
}

void RecordingConsumer::replay(clang::ASTContext& context) {
    recording_ = false;
    for (const auto& event : std::exchange(events_, {})) event();
    generator_.HandleTranslationUnit(context);
}

bool RecordingConsumer::HandleTopLevelDecl(clang::DeclGroupRef group) {
    if (recording_) keep(group);
    pass([this, group] { generator_.HandleTopLevelDecl(group); });
    return true;
}

void RecordingConsumer::HandleInlineFunctionDefinition(clang::FunctionDecl* function) {
    pass([this, function] { generator_.HandleInlineFunctionDefinition(function); });
}

void RecordingConsumer::HandleTagDeclDefinition(clang::TagDecl* tag) {
    pass([this, tag] { generator_.HandleTagDeclDefinition(tag); });
}

void RecordingConsumer::HandleCXXStaticMemberVarInstantiation(clang::VarDecl* variable) {
    pass([this, variable] { generator_.HandleCXXStaticMemberVarInstantiation(variable); });
}

}  // namespace metal_compiler
