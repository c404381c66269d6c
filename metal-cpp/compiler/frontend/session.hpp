// SPDX-License-Identifier: MIT
//
// One Clang front end, in two steps: the prelude and, if wanted, the standard headers; then the program. The service
// takes the first step once and forks after it, so that each child starts with the headers parsed.

#pragma once

#include <clang/Basic/FileEntry.h>
#include <clang/Basic/SourceLocation.h>
#include <clang/Lex/Token.h>
#include <llvm/ADT/IntrusiveRefCntPtr.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <memory>
#include <string>
#include <vector>

#include "frontend/invocation.hpp"
#include "protocol.hpp"

namespace clang {
class ASTContext;
class CodeCompleteConsumer;
class CodeGenerator;
class CompilerInstance;
class Decl;
class Parser;
class Preprocessor;
class Sema;
}  // namespace clang
namespace llvm {
class LLVMContext;
class Module;
}  // namespace llvm

namespace metal_compiler {

class DiagnosticCapture;
class GrantedFiles;
class RecordingConsumer;

class Session {
public:
    /// Takes the first step.
    Session(const Mode& mode, const TargetDescription& target, bool withStandardHeaders);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// Parses what many programs write, as a part of the library: what Clang instantiates, looks up and lays out for it
    /// is there then for the programs that follow. At most once, before parse().
    void practise(llvm::StringRef text);

    /// True when a program with these options can be parsed by this session.
    bool serves(const protocol::LibraryRequest& request) const;

    /// Parses the program up to its end, where declarations can still be added (entries.hpp); then call finish().
    void parse(const protocol::LibraryRequest& request, const std::string& sourceName);
    void finish();

    /// Parses the program up to a place of it, 1-based, and tells `consumer` what may stand there. Nothing else of this
    /// session is of use afterwards.
    void complete(const protocol::LibraryRequest& request, std::uint32_t line, std::uint32_t column,
                  clang::CodeCompleteConsumer& consumer);

    /// Code for all that was parsed. Call once, after finish(), when there was no error.
    std::unique_ptr<llvm::Module> generate();

    bool failed() const;
    DiagnosticCapture& diagnostics() { return *capture_; }
    clang::Sema& sema();
    clang::ASTContext& context();
    clang::Preprocessor& preprocessor();
    /// The program's tokens before the token stage changed them.
    const std::vector<clang::Token>& tokens() const { return tokens_; }
    RecordingConsumer& consumer() { return *consumer_; }
    const std::vector<clang::Decl*>& declarations() const;
    /// Files of the machine that were read, with the hash of their bytes.
    std::vector<protocol::Dependency> dependencies();

private:
    void addInputs(const protocol::CompileOptions& options);
    void enterMacros(const protocol::CompileOptions& options);
    clang::FileEntryRef programFile(const std::string& text, const std::string& name);
    clang::FileID createFile(clang::FileEntryRef file);
    void enter(clang::FileID file);
    void parseFile(clang::FileID file);
    std::vector<clang::Token> lexToEnd();
    void parseTokens();

    Mode mode_;
    bool withStandardHeaders_;
    llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> files_;
    llvm::IntrusiveRefCntPtr<GrantedFiles> granted_;
    std::unique_ptr<llvm::LLVMContext> llvmContext_;
    std::unique_ptr<DiagnosticCapture> capture_;
    std::unique_ptr<clang::CompilerInstance> clang_;
    std::unique_ptr<clang::CodeGenerator> generator_;
    RecordingConsumer* consumer_ = nullptr;  // owned by clang_
    std::unique_ptr<clang::Parser> parser_;
    std::string programName_;
    std::vector<clang::Token> tokens_, rewritten_;  // the preprocessor reads from rewritten_
};

}  // namespace metal_compiler
