// SPDX-License-Identifier: MIT
#include "frontend/diagnostics.hpp"

#include <clang/Basic/DiagnosticIDs.h>
#include <clang/Basic/DiagnosticParse.h>
#include <clang/Basic/DiagnosticSema.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/TextDiagnostic.h>
#include <clang/Lex/Lexer.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/Support/raw_ostream.h>

namespace metal_compiler {
namespace {

using Level = clang::DiagnosticsEngine::Level;

constexpr std::size_t maxDiagnostics = 200;
constexpr std::size_t maxLogSize = std::size_t{1} << 20;

protocol::Severity severityOf(Level level) {
    if (level >= Level::Error) return protocol::Severity::error;
    return level == Level::Warning ? protocol::Severity::warning : protocol::Severity::note;
}

// First and last place of a range, in the file's own text.
clang::CharSourceRange expanded(const clang::CharSourceRange& range, const clang::SourceManager& sources,
                                const clang::LangOptions& language) {
    return clang::Lexer::makeFileCharRange(range, sources, language);
}

// Advice about options that this program does not have.
bool isAboutOptions(unsigned diagnostic) {
    return diagnostic == clang::diag::note_bracket_depth || diagnostic == clang::diag::note_template_recursion_depth;
}

}  // namespace

DiagnosticCapture::DiagnosticCapture() {
    options_.ShowLineNumbers = false;
    options_.ShowPresumedLoc = true;  // `#line` is honoured: a notebook's cell starts where its front end says
}

void DiagnosticCapture::BeginSourceFile(const clang::LangOptions& language, const clang::Preprocessor*) {
    language_ = &language;
}

void DiagnosticCapture::forget() {
    diagnostics_.clear();
    log_.clear();
    clear();
}

std::string DiagnosticCapture::messageOf(Level level, const clang::Diagnostic& information) const {
    llvm::SmallString<256> text;
    information.FormatDiagnostic(text);
    // Errors here, where Clang only warns.
    if (information.getID() == clang::diag::warn_unknown_attribute_ignored && level >= Level::Error) {
        return text.str().substr(0, text.str().rfind(" ignored")).str();
    }
    if (level == Level::Warning) {
        const llvm::StringRef option =
            information.getDiags()->getDiagnosticIDs()->getWarningOptionForDiag(information.getID());
        if (!option.empty()) text += (" [-W" + option + "]").str();
    }
    return text.str().str();
}

void DiagnosticCapture::HandleDiagnostic(Level level, const clang::Diagnostic& information) {
    DiagnosticConsumer::HandleDiagnostic(level, information);
    if (level == Level::Ignored || level == Level::Remark || diagnostics_.size() >= maxDiagnostics) return;
    if (isAboutOptions(information.getID())) return;
    std::string message = messageOf(level, information);
    if (log_.size() < maxLogSize) {
        llvm::raw_string_ostream stream(log_);
        if (language_ != nullptr && information.getLocation().isValid()) {
            clang::TextDiagnostic text(stream, *language_, options_);
            text.emitDiagnostic(clang::FullSourceLoc(information.getLocation(), information.getSourceManager()), level,
                                message, information.getRanges(), information.getFixItHints());
        } else {
            static constexpr const char* words[] = {"note", "warning", "error"};
            stream << words[static_cast<int>(severityOf(level))] << ": " << message << "\n";
        }
    }
    keep(level, information, std::move(message));
}

void DiagnosticCapture::keep(Level level, const clang::Diagnostic& information, std::string message) {
    protocol::Diagnostic diagnostic;
    diagnostic.severity = severityOf(level);
    diagnostic.message = std::move(message);
    if (information.getLocation().isValid() && language_ != nullptr) {
        const clang::SourceManager& sources = information.getSourceManager();
        const clang::SourceLocation place = sources.getFileLoc(information.getLocation());
        const clang::PresumedLoc presumed = sources.getPresumedLoc(place);
        if (presumed.isValid()) {
            diagnostic.file = presumed.getFilename();
            diagnostic.line = diagnostic.endLine = presumed.getLine();
            diagnostic.column = presumed.getColumn();
        }
        diagnostic.endColumn =
            diagnostic.column + std::max(1u, clang::Lexer::MeasureTokenLength(place, sources, *language_));
        // The range that holds the caret ends the place; others are context.
        for (const clang::CharSourceRange& range : information.getRanges()) {
            const clang::CharSourceRange inFile = expanded(range, sources, *language_);
            if (inFile.isInvalid() || inFile.getBegin() != place) continue;
            const clang::PresumedLoc end = sources.getPresumedLoc(inFile.getEnd());
            if (end.isInvalid()) continue;
            diagnostic.endLine = end.getLine();
            diagnostic.endColumn = end.getColumn();
        }
        for (const clang::FixItHint& hint : information.getFixItHints()) {
            const clang::CharSourceRange inFile = expanded(hint.RemoveRange, sources, *language_);
            if (hint.isNull() || inFile.isInvalid()) continue;
            const clang::PresumedLoc first = sources.getPresumedLoc(inFile.getBegin());
            const clang::PresumedLoc last = sources.getPresumedLoc(inFile.getEnd());
            if (first.isInvalid() || last.isInvalid()) continue;
            diagnostic.fixIts.push_back(
                {first.getLine(), first.getColumn(), last.getLine(), last.getColumn(), hint.CodeToInsert});
        }
    }
    if (diagnostic.severity == protocol::Severity::note && !diagnostics_.empty()) {
        diagnostics_.back().notes.push_back(std::move(diagnostic));
    } else {
        diagnostics_.push_back(std::move(diagnostic));
    }
}

}  // namespace metal_compiler
