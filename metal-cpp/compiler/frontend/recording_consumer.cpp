// SPDX-License-Identifier: MIT
#include "frontend/recording_consumer.hpp"

#include <clang/AST/Decl.h>

#include <utility>

namespace metal_compiler {

void RecordingConsumer::pass(std::function<void()> event) {
    if (recording_) {
        events_.push_back(std::move(event));
    } else {
        event();
    }
}

void RecordingConsumer::replay(clang::ASTContext& context) {
    recording_ = false;
    for (const auto& event : std::exchange(events_, {})) event();
    generator_.HandleTranslationUnit(context);
}

bool RecordingConsumer::HandleTopLevelDecl(clang::DeclGroupRef group) {
    if (recording_) declarations_.insert(declarations_.end(), group.begin(), group.end());
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
