// SPDX-License-Identifier: MIT
#include "frontend/header_macros.hpp"

#include <clang/Basic/IdentifierTable.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/MacroInfo.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>
#include <llvm/ADT/StringRef.h>

#include <memory>
#include <vector>

#include "frontend/invocation.hpp"

namespace metal_compiler {
namespace {

class HeaderMacros : public clang::PPCallbacks {
public:
    explicit HeaderMacros(clang::Preprocessor& preprocessor) : preprocessor_(preprocessor) {}

    void FileChanged(clang::SourceLocation place, FileChangeReason reason, clang::SrcMgr::CharacteristicKind,
                     clang::FileID) override {
        if (reason != EnterFile && reason != ExitFile) return;
        const bool isHeader = isStandard(place);
        if (isHeader == isInHeader_) return;
        isInHeader_ = isHeader;
        if (isHeader) {
            suspend();
        } else {
            for (clang::MacroInfo* macro : suspended_) macro->EnableMacro();
            suspended_.clear();
        }
    }

private:
    bool isStandard(clang::SourceLocation place) const {
        return preprocessor_.getSourceManager().getFilename(place).starts_with(standardHeaderFolder);
    }

    void suspend() {
        for (const auto& [identifier, state] : preprocessor_.macros()) {
            const llvm::StringRef name = identifier->getName();
            if (name.starts_with("__") || name == "NDEBUG") continue;
            clang::MacroDirective* directive = preprocessor_.getLocalMacroDirective(identifier);
            if (directive == nullptr) continue;
            clang::MacroInfo* macro = directive->getMacroInfo();
            if (macro == nullptr || macro->isBuiltinMacro() || !macro->isEnabled()) continue;
            if (isStandard(macro->getDefinitionLoc())) continue;
            macro->DisableMacro();
            suspended_.push_back(macro);
        }
    }

    clang::Preprocessor& preprocessor_;
    std::vector<clang::MacroInfo*> suspended_;
    bool isInHeader_ = false;
};

}  // namespace

void keepMacrosOutOfHeaders(clang::Preprocessor& preprocessor) {
    preprocessor.addPPCallbacks(std::make_unique<HeaderMacros>(preprocessor));
}

}  // namespace metal_compiler
