// SPDX-License-Identifier: MIT
#include "frontend/diagnostics.hpp"

#include <clang/Basic/DiagnosticIDs.h>
#include <clang/Basic/DiagnosticParse.h>
#include <clang/Basic/DiagnosticSema.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/TextDiagnostic.h>
#include <clang/Lex/Lexer.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <set>

#include "frontend/advice.hpp"
#include "frontend/type_names.hpp"

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

bool isInHeader(const clang::FullSourceLoc& place) {
    return place.isValid() && place.getManager().isInSystemHeader(place);
}

// A macro of a header, used in the program: the program's place is the use.
clang::FullSourceLoc outsideHeaders(clang::FullSourceLoc place) {
    while (place.isValid() && place.isMacroID() && place.getManager().isInSystemHeader(place.getSpellingLoc())) {
        place =
            clang::FullSourceLoc(place.getManager().getImmediateExpansionRange(place).getBegin(), place.getManager());
    }
    return place;
}

// 'static assertion failed due to requirement ...: text' is for those who see the assertion.
std::string assertedText(std::string text) {
    if (!llvm::StringRef(text).starts_with("static assertion failed")) return text;
    const std::size_t colon = text.rfind("': ");
    if (colon != std::string::npos) return text.substr(colon + 3);
    const std::size_t simple = text.find(": ");
    return simple != std::string::npos ? text.substr(simple + 2) : text;
}

constexpr std::size_t mostCandidates = 4;

}  // namespace

DiagnosticCapture::DiagnosticCapture() {
    options_.ShowLineNumbers = false;
    options_.ShowPresumedLoc = true;  // `#line` is honoured: a notebook's cell starts where its front end says
}

void DiagnosticCapture::BeginSourceFile(const clang::LangOptions& language, const clang::Preprocessor*) {
    language_ = &language;
}

void DiagnosticCapture::forget() {
    group_.clear();
    advice_.clear();
    entries_.clear();
    logSize_ = 0;
    clear();
}

std::vector<protocol::Diagnostic> DiagnosticCapture::takeDiagnostics() {
    finishGroup();
    dropIdle();
    std::vector<protocol::Diagnostic> diagnostics;
    for (const Entry& entry : entries_) diagnostics.push_back(entry.diagnostic);
    return diagnostics;
}

std::string DiagnosticCapture::takeLog() {
    finishGroup();
    dropIdle();
    std::string log;
    for (const Entry& entry : entries_) log += entry.text;
    return log;
}

DiagnosticCapture::Message DiagnosticCapture::messageOf(Level level, const clang::Diagnostic& information) const {
    Message message;
    message.level = level;
    llvm::SmallString<256> text;
    information.FormatDiagnostic(text);
    message.text = reworded(information, text.str().str());
    const bool isReworded = message.text != text.str();
    message.isCount = information.getID() == clang::diag::note_ovl_too_many_candidates;
    // The condition comes as text, which no naming of types has gone through.
    if (information.getID() == clang::diag::err_static_assert_requirement_failed) {
        const std::string& condition = information.getArgStdStr(0);
        if (const std::size_t begin = message.text.find(condition); begin != std::string::npos)
            message.text.replace(begin, condition.size(), inMetalWords(condition));
    }
    // Errors here, where Clang only warns.
    if (information.getID() == clang::diag::warn_unknown_attribute_ignored && level >= Level::Error) {
        message.text.resize(message.text.rfind(" ignored"));
    }
    if (level == Level::Warning) {
        const llvm::StringRef option =
            information.getDiags()->getDiagnosticIDs()->getWarningOptionForDiag(information.getID());
        if (!option.empty()) message.text += (" [-W" + option + "]").str();
        message.isIdle = option.starts_with("unused");
    }
    if (!information.getLocation().isValid() || language_ == nullptr) return message;
    const clang::FullSourceLoc place(information.getLocation(), information.getSourceManager());
    message.place = level == Level::Note ? place : outsideHeaders(place);
    if (message.place != place) return message;
    message.ranges.assign(information.getRanges().begin(), information.getRanges().end());
    if (isReworded) return message;  // what Clang would insert is for its own words
    message.fixIts.assign(information.getFixItHints().begin(), information.getFixItHints().end());
    return message;
}

void DiagnosticCapture::HandleDiagnostic(Level level, const clang::Diagnostic& information) {
    DiagnosticConsumer::HandleDiagnostic(level, information);
    if (level == Level::Ignored || level == Level::Remark || entries_.size() >= maxDiagnostics) return;
    if (isAboutOptions(information.getID())) return;
    if (level != Level::Note) {
        finishGroup();
        advice_ = adviceFor(information, program_);
    }
    group_.push_back(messageOf(level, information));
}

// An error in a header was brought about by the program; Clang's notes say where.
void DiagnosticCapture::moveToProgram() {
    Message& first = group_.front();
    if (!isInHeader(first.place)) return;
    const auto cause = std::find_if(group_.begin() + 1, group_.end(), [](const Message& note) {
        return note.place.isValid() && !isInHeader(note.place);
    });
    if (cause == group_.end()) return;
    first.place = cause->place;
    first.ranges = std::move(cause->ranges);
    first.fixIts.clear();
    first.text = assertedText(std::move(first.text));
    group_.erase(cause);
    // What remains within the headers tells how one part of them came to another.
    std::erase_if(group_, [&](const Message& note) { return note.level == Level::Note && isInHeader(note.place); });
}

// Notes that point into headers become the declarations they mean, or go.
void DiagnosticCapture::tellCandidates() {
    std::vector<Message> kept, candidates;
    std::set<std::string> told;
    for (Message& message : group_) {
        if (message.level != Level::Note || !isInHeader(message.place)) {
            kept.push_back(std::move(message));
            continue;
        }
        std::string text = candidates_ != nullptr ? candidates_->describe(message.place, message.text) : "";
        if (text.empty() || !told.insert(text).second) continue;
        message.text = std::move(text);
        message.place = kept.front().place;
        message.ranges.clear();
        message.fixIts.clear();
        message.isPlaced = false;
        candidates.push_back(std::move(message));
    }
    // What a person calls a function with is floats, mostly.
    std::stable_partition(candidates.begin(), candidates.end(),
                          [](const Message& note) { return llvm::StringRef(note.text).contains(" float"); });
    if (candidates.size() > mostCandidates) candidates.resize(mostCandidates);
    kept.insert(kept.begin() + (kept.empty() ? 0 : 1), std::make_move_iterator(candidates.begin()),
                std::make_move_iterator(candidates.end()));
    group_ = std::move(kept);
}

void DiagnosticCapture::finishGroup() {
    if (group_.empty()) return;
    if (advice_.empty() && group_.front().level >= Level::Error) {
        std::vector<std::string> texts;
        for (const Message& message : group_) texts.push_back(message.text);
        advice_ = adviceOnConversion(texts);
    }
    moveToProgram();
    if (!advice_.empty() && replacesCandidates(group_.front().text)) {
        std::erase_if(group_, [](const Message& note) {
            return note.level == Level::Note && (isInHeader(note.place) || note.isCount);
        });
    }
    tellCandidates();
    if (!advice_.empty()) {
        Message note;
        note.level = Level::Note;
        note.place = group_.front().place;
        note.text = std::exchange(advice_, {});
        note.isPlaced = false;
        group_.push_back(std::move(note));
    }
    Entry entry{structured(group_.front()), "", group_.front().isIdle};
    if (!entries_.empty() && entries_.back().diagnostic.message == entry.diagnostic.message &&
        entries_.back().diagnostic.line == entry.diagnostic.line && entry.diagnostic.line != 0) {
        group_.clear();
        return;
    }
    for (const Message& message : group_) {
        if (&message != &group_.front()) entry.diagnostic.notes.push_back(structured(message));
        if (logSize_ + entry.text.size() < maxLogSize) entry.text += printed(message);
    }
    logSize_ += entry.text.size();
    entries_.push_back(std::move(entry));
    group_.clear();
}

// That a variable is not used, when what would use it does not compile.
void DiagnosticCapture::dropIdle() {
    const bool hasError = llvm::any_of(
        entries_, [](const Entry& entry) { return entry.diagnostic.severity == protocol::Severity::error; });
    if (hasError) llvm::erase_if(entries_, [](const Entry& entry) { return entry.isIdle; });
}

std::string DiagnosticCapture::printed(const Message& message) {
    std::string result;
    llvm::raw_string_ostream stream(result);
    static constexpr const char* words[] = {"note", "warning", "error"};
    const char* word = words[static_cast<int>(severityOf(message.level))];
    if (message.place.isInvalid()) {
        stream << word << ": " << message.text << "\n";
    } else if (!message.isPlaced) {
        const clang::PresumedLoc place = message.place.getManager().getPresumedLoc(message.place.getFileLoc());
        stream << place.getFilename() << ":" << place.getLine() << ":" << place.getColumn() << ": " << word << ": "
               << message.text << "\n";
    } else {
        clang::TextDiagnostic text(stream, *language_, options_);
        text.emitDiagnostic(message.place, message.level, message.text, message.ranges, message.fixIts);
    }
    return llvm::StringRef(result).rtrim().str() + "\n";  // an insertion may end in a blank
}

protocol::Diagnostic DiagnosticCapture::structured(const Message& message) const {
    protocol::Diagnostic diagnostic;
    diagnostic.severity = severityOf(message.level);
    diagnostic.message = message.text;
    if (message.place.isInvalid()) return diagnostic;
    const clang::SourceManager& sources = message.place.getManager();
    const clang::SourceLocation place = sources.getFileLoc(message.place);
    const clang::PresumedLoc presumed = sources.getPresumedLoc(place);
    if (presumed.isValid()) {
        diagnostic.file = presumed.getFilename();
        diagnostic.line = diagnostic.endLine = presumed.getLine();
        diagnostic.column = presumed.getColumn();
    }
    diagnostic.endColumn =
        diagnostic.column + std::max(1u, clang::Lexer::MeasureTokenLength(place, sources, *language_));
    // The range that holds the caret ends the place; others are context.
    for (const clang::CharSourceRange& range : message.ranges) {
        const clang::CharSourceRange inFile = expanded(range, sources, *language_);
        if (inFile.isInvalid() || inFile.getBegin() != place) continue;
        const clang::PresumedLoc end = sources.getPresumedLoc(inFile.getEnd());
        if (end.isInvalid()) continue;
        diagnostic.endLine = end.getLine();
        diagnostic.endColumn = end.getColumn();
    }
    for (const clang::FixItHint& hint : message.fixIts) {
        const clang::CharSourceRange inFile = expanded(hint.RemoveRange, sources, *language_);
        if (hint.isNull() || inFile.isInvalid()) continue;
        const clang::PresumedLoc first = sources.getPresumedLoc(inFile.getBegin());
        const clang::PresumedLoc last = sources.getPresumedLoc(inFile.getEnd());
        if (first.isInvalid() || last.isInvalid()) continue;
        diagnostic.fixIts.push_back(
            {first.getLine(), first.getColumn(), last.getLine(), last.getColumn(), hint.CodeToInsert});
    }
    return diagnostic;
}

}  // namespace metal_compiler
