// SPDX-License-Identifier: MIT
#include "frontend/library_names.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/Basic/TargetInfo.h>
#include <clang/Lex/Preprocessor.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSet.h>

#include "frontend/invocation.hpp"
#include "frontend/session.hpp"
#include "stage_clock.hpp"

namespace metal_compiler {
namespace {

Session* read = nullptr;

llvm::StringSet<> namesIn(Session& session) {
    llvm::StringSet<> names;
    clang::ASTContext& library = session.context();
    const auto isOurs = [&](clang::SourceLocation place) {
        return place.isValid() && library.getSourceManager().isInSystemHeader(place);
    };
    const auto add = [&](const clang::IdentifierInfo* name) {
        if (name != nullptr && !name->getName().starts_with("_")) names.insert(name->getName());
    };
    for (clang::NamedDecl* found : library.getTranslationUnitDecl()->lookup(&library.Idents.get("metal"))) {
        const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(found);
        if (space == nullptr) continue;
        for (const clang::NamespaceDecl* part : space->redecls()) {
            for (const clang::Decl* declaration : part->decls()) {
                const auto* named = llvm::dyn_cast<clang::NamedDecl>(declaration);
                if (named != nullptr && named->getDeclName().isIdentifier() && isOurs(named->getLocation()))
                    add(named->getIdentifier());
            }
        }
    }
    for (const auto& [name, state] : session.preprocessor().macros()) {
        const clang::MacroInfo* macro = session.preprocessor().getMacroInfo(name);
        if (macro != nullptr && isOurs(macro->getDefinitionLoc())) add(name);
    }
    return names;
}

llvm::StringSet<> libraryNames(const clang::TargetOptions& target) {
    if (read != nullptr) return namesIn(*read);
    const TargetDescription description{target.Triple, target.CPU, llvm::join(target.FeaturesAsWritten, ",")};
    StageClock clock;
    Session session(Mode{}, description, /*withStandardHeaders=*/true);
    clock.finish("headers");
    return namesIn(session);
}

}  // namespace

void takeLibraryNamesFrom(Session& session) {
    read = &session;
}

bool isLibraryName(llvm::StringRef name, const clang::ASTContext& program) {
    static const llvm::StringSet<> names = libraryNames(program.getTargetInfo().getTargetOpts());
    return names.contains(name);
}

}  // namespace metal_compiler
