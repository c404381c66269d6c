// SPDX-License-Identifier: MIT
//
// Keeps diagnostics as data and as the text that Apple's driver prints: `program_source:LINE:COLUMN: error: ...`, the
// source line, the caret. All of them point into the program: an error in a standard header is told where the program
// brought it about, and what notes say of the headers is told in words.

#pragma once

#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/SourceLocation.h>

#include <memory>
#include <string>
#include <vector>

#include "frontend/candidates.hpp"
#include "protocol.hpp"

namespace clang {
class LangOptions;
class Preprocessor;
}  // namespace clang

namespace metal_compiler {

class DiagnosticCapture : public clang::DiagnosticConsumer {
public:
    DiagnosticCapture();

    void BeginSourceFile(const clang::LangOptions& language, const clang::Preprocessor* preprocessor) override;
    void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& information) override;

    /// Where candidates are looked up; call when there is a program to look in.
    void useContext(clang::ASTContext& context) {
        program_ = &context;
        candidates_ = std::make_unique<Candidates>(context);
    }

    /// Drops all that was kept so far.
    void forget();

    std::vector<protocol::Diagnostic> takeDiagnostics();
    std::string takeLog();

private:
    /// A message as Clang gave it, in Metal's words.
    struct Message {
        clang::DiagnosticsEngine::Level level;
        clang::FullSourceLoc place;  // may be invalid
        std::string text;
        std::vector<clang::CharSourceRange> ranges;
        std::vector<clang::FixItHint> fixIts;
        bool isIdle = false;   // see Entry
        bool isCount = false;  // of candidates that are not shown
        bool isPlaced = true;  // false: about the place of the message before, whose line needs not be shown again
    };

    Message messageOf(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& information) const;
    void finishGroup();
    void moveToProgram();
    void tellCandidates();
    std::string printed(const Message& message);
    protocol::Diagnostic structured(const Message& message) const;

    clang::DiagnosticOptions options_;
    const clang::LangOptions* language_ = nullptr;
    const clang::ASTContext* program_ = nullptr;
    std::unique_ptr<Candidates> candidates_;
    std::vector<Message> group_;  // an error or warning, and the notes that came after it
    std::string advice_;          // on that
    /// A finished group.
    struct Entry {
        protocol::Diagnostic diagnostic;
        std::string text;
        bool isIdle;  // of no interest beside an error
    };
    void dropIdle();

    std::vector<Entry> entries_;
    std::size_t logSize_ = 0;
};

}  // namespace metal_compiler
