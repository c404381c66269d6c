// SPDX-License-Identifier: MIT
//
// How a rule speaks: once for each place, since instantiations of a template repeat it.

#pragma once

#include <clang/AST/ASTContext.h>

#include <set>
#include <string>
#include <utility>

#include "frontend/report.hpp"

namespace metal_compiler {

class RuleReport {
public:
    explicit RuleReport(clang::Sema& sema) : sema_(sema) {}

    /// Always true, so that a visitor can return it. `hint` is what would mend it.
    bool forbid(clang::SourceLocation place, const std::string& message, clang::SourceRange range = {},
                const clang::FixItHint& hint = {}) {
        if (reported_.insert({place.getRawEncoding(), message}).second) {
            report(sema_, clang::DiagnosticIDs::Error, place, message, range, hint);
        }
        return true;
    }
    void warn(clang::SourceLocation place, const std::string& message) {
        report(sema_, clang::DiagnosticIDs::Warning, place, message);
    }
    void note(clang::SourceLocation place, const std::string& message) {
        report(sema_, clang::DiagnosticIDs::Note, place, message);
    }

    clang::ASTContext& context() const { return sema_.Context; }
    bool isOfLibrary(const clang::Decl* declaration) const {
        return sema_.getSourceManager().isInSystemHeader(declaration->getLocation());
    }

    /// Of a file that the program includes, be it by name or with its text between #line directives.
    bool isOfHeader(clang::SourceLocation place) const {
        const clang::SourceManager& sources = sema_.getSourceManager();
        const clang::PresumedLoc named = sources.getPresumedLoc(place), written = sources.getPresumedLoc(place, false);
        return written.getIncludeLoc().isValid() ||
               llvm::StringRef(named.getFilename()) != llvm::StringRef(written.getFilename());
    }

private:
    clang::Sema& sema_;
    std::set<std::pair<clang::SourceLocation::UIntTy, std::string>> reported_;
};

}  // namespace metal_compiler
