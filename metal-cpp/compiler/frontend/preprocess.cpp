// SPDX-License-Identifier: MIT
#include "frontend/preprocess.hpp"

#include <clang/Basic/TargetInfo.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <clang/Lex/HeaderSearch.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Lex/TokenConcatenation.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <map>

#include "frontend/granted_files.hpp"
#include "frontend/standard_headers.hpp"

namespace metal_compiler {
namespace {

bool isStandardHeader(llvm::StringRef name) {
    return std::ranges::any_of(standardHeaders(), [&](const StandardHeader& header) { return name == header.name; });
}

/// Writes tokens where they stood: each on its line, with what space there was in front of it.
class Writer {
public:
    Writer(clang::Preprocessor& preprocessor, std::string& text)
        : preprocessor_(preprocessor),
          sources_(preprocessor.getSourceManager()),
          concatenation_(preprocessor),
          text_(text) {}

    void write(const clang::Token& token) {
        const bool isNewLine = moveTo(token.getLocation());
        if (isNewLine) {
            const unsigned column = sources_.getExpansionColumnNumber(token.getLocation());
            if (token.getLocation().isFileID() && column > 1) text_.append(column - 1, ' ');
        } else if (token.hasLeadingSpace() || concatenation_.AvoidConcat(beforeLast_, last_, token)) {
            text_ += ' ';
        }
        text_ += preprocessor_.getSpelling(token);
        beforeLast_ = last_;
        last_ = token;
        // A comment may have brought line ends along.
        line_ += static_cast<unsigned>(std::ranges::count(preprocessor_.getSpelling(token), '\n'));
    }

    /// A line as it stands in the source, from the `#` on.
    void writeLine(clang::SourceLocation hash) {
        moveTo(hash);
        const auto [file, offset] = sources_.getDecomposedExpansionLoc(hash);
        const llvm::StringRef rest = sources_.getBufferData(file).substr(offset);
        text_ += rest.take_until([](char letter) { return letter == '\n' || letter == '\r'; });
        last_ = beforeLast_ = clang::Token();
        last_.startToken();
        beforeLast_.startToken();
    }

private:
    /// True at the beginning of a line.
    bool moveTo(clang::SourceLocation location) {
        const clang::FileID file = sources_.getFileID(sources_.getExpansionLoc(location));
        const unsigned line = sources_.getExpansionLineNumber(location);
        if (file != file_) {
            lines_[file_] = line_;
            if (!text_.empty() && text_.back() != '\n') text_ += '\n';
            file_ = file;
            const auto known = lines_.find(file);
            // The line of the `#include` has been ended.
            line_ = known == lines_.end() ? 1 : known->second + 1;
            if (known != lines_.end() && line < line_) line_ = line;
        }
        if (line <= line_) return text_.empty() || text_.back() == '\n';
        text_.append(line - line_, '\n');
        line_ = line;
        return true;
    }

    clang::Preprocessor& preprocessor_;
    clang::SourceManager& sources_;
    clang::TokenConcatenation concatenation_;
    std::string& text_;
    clang::Token last_{}, beforeLast_{};
    clang::FileID file_;
    unsigned line_ = 1;
    std::map<clang::FileID, unsigned> lines_;  // how far a file was written when another came between
};

class KeptLines : public clang::PPCallbacks {
public:
    KeptLines(clang::Preprocessor& preprocessor, Writer& writer) : preprocessor_(preprocessor), writer_(writer) {}

    bool FileNotFound(llvm::StringRef name) override { return isStandardHeader(name); }

    void InclusionDirective(clang::SourceLocation hash, const clang::Token&, llvm::StringRef, bool,
                            clang::CharSourceRange, clang::OptionalFileEntryRef file, llvm::StringRef, llvm::StringRef,
                            const clang::Module*, bool, clang::SrcMgr::CharacteristicKind) override {
        if (!file) writer_.writeLine(hash);
    }

    void PragmaDirective(clang::SourceLocation location, clang::PragmaIntroducerKind kind) override {
        const bool isProgram = !preprocessor_.getSourceManager().isWrittenInBuiltinFile(location);
        if (kind != clang::PIK_HashPragma || !isProgram) return;
        const bool isOnce = preprocessor_.getSourceManager()
                                .getBufferData(preprocessor_.getSourceManager().getFileID(location))
                                .substr(preprocessor_.getSourceManager().getFileOffset(location))
                                .split('\n')
                                .first.contains("once");
        if (!isOnce) writer_.writeLine(location);
    }

private:
    clang::Preprocessor& preprocessor_;
    Writer& writer_;
};

/// The lines of the prelude that concern macros: the declarations are the compiler's own affair.
std::string macrosOf(llvm::StringRef prelude) {
    std::string macros;
    while (!prelude.empty()) {
        const auto [line, rest] = prelude.split('\n');
        if (line.starts_with("#undef") || line.starts_with("#define")) macros += line.str() + "\n";
        prelude = rest;
    }
    return macros;
}

}  // namespace

PreprocessedText preprocessText(const protocol::LibraryRequest& request, const TargetDescription& target) {
    PreprocessedText result;
    llvm::raw_string_ostream log(result.log);
    auto files = llvm::makeIntrusiveRefCnt<GrantedFiles>();
    for (const std::string& folder : request.options.includeDirectories) files->grant(folder);
    clang::DiagnosticOptions options;
    clang::TextDiagnosticPrinter printer(log, options);
    const auto boot = clang::CompilerInstance::createDiagnostics(*files, options, &printer, /*ShouldOwnClient=*/false);
    const Mode mode = modeOf(request.options);
    clang::CompilerInstance clang(makeInvocation(mode, target, *boot));
    auto& search = clang.getHeaderSearchOpts();
    search.UserEntries.clear();
    for (const std::string& folder : request.options.includeDirectories)
        search.AddPath(folder, clang::frontend::Angled, /*IsFramework=*/false, /*IgnoreSysRoot=*/true);
    clang.setVirtualFileSystem(files);
    clang.createDiagnostics(&printer, /*ShouldOwnClient=*/false);
    clang.getDiagnostics().setSuppressAllDiagnostics(false);
    clang.createFileManager();
    clang.createSourceManager();
    clang.createTarget();
    clang.createPreprocessor(clang::TU_Complete);
    clang::Preprocessor& preprocessor = clang.getPreprocessor();
    preprocessor.setPredefines(preprocessor.getPredefines() + macrosOf(preludeText(mode)) + macroText(request.options));
    preprocessor.SetCommentRetentionState(/*KeepComments=*/true, /*KeepMacroComments=*/false);
    preprocessor.IgnorePragmas();
    Writer writer(preprocessor, result.text);
    preprocessor.addPPCallbacks(std::make_unique<KeptLines>(preprocessor, writer));
    clang::SourceManager& sources = clang.getSourceManager();
    sources.setMainFileID(sources.createFileID(llvm::MemoryBuffer::getMemBufferCopy(request.source, "program_source")));
    printer.BeginSourceFile(clang.getLangOpts(), &preprocessor);
    preprocessor.EnterMainSourceFile();
    clang::Token token;
    for (preprocessor.Lex(token); token.isNot(clang::tok::eof); preprocessor.Lex(token)) writer.write(token);
    printer.EndSourceFile();
    if (!result.text.empty()) result.text += '\n';
    result.ok = !clang.getDiagnostics().hasErrorOccurred();
    return result;
}

}  // namespace metal_compiler
