// SPDX-License-Identifier: MIT
#include "frontend/session.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/Basic/DiagnosticSema.h>
#include <clang/Basic/TargetInfo.h>
#include <clang/CodeGen/ModuleBuilder.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendOptions.h>
#include <clang/Lex/HeaderSearch.h>
#include <clang/Lex/Pragma.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Parse/Parser.h>
#include <clang/Sema/Sema.h>
#include <clang/Sema/SemaCodeCompletion.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/xxhash.h>

#include "frontend/address_spaces.hpp"
#include "frontend/diagnostics.hpp"
#include "frontend/granted_files.hpp"
#include "frontend/header_macros.hpp"
#include "frontend/nesting.hpp"
#include "frontend/own_names.hpp"
#include "frontend/recording_consumer.hpp"
#include "frontend/token_stage.hpp"
#include "frontend/type_names.hpp"
#include "stage_clock.hpp"

namespace metal_compiler {
namespace {

clang::Token endToken() {
    clang::Token token;
    token.startToken();
    token.setKind(clang::tok::eof);
    return token;
}

// The bottom of the preprocessor's stack, which must never be empty: each file that has been read to its end takes one
// of these (the prelude, the practice, the macros, the program). Lasts as long as every session, since the preprocessor
// points at it.
const clang::Token bottom[] = {endToken(), endToken(), endToken(), endToken(), endToken()};

// A program may not call itself a part of the library, which no rule looks at.
class SystemHeaderPragma : public clang::PragmaHandler {
public:
    SystemHeaderPragma() : PragmaHandler("system_header") {}
    void HandlePragma(clang::Preprocessor& preprocessor, clang::PragmaIntroducer, clang::Token& token) override {
        const llvm::StringRef file = preprocessor.getSourceManager().getFilename(token.getLocation());
        if (file.starts_with(standardHeaderFolder)) preprocessor.HandlePragmaSystemHeader(token);
    }
};

}  // namespace

Session::Session(const Mode& mode, const TargetDescription& target, bool withStandardHeaders)
    : mode_(mode),
      withStandardHeaders_(withStandardHeaders),
      files_(makeStandardHeaders()),
      granted_(llvm::makeIntrusiveRefCnt<GrantedFiles>()),
      llvmContext_(std::make_unique<llvm::LLVMContext>()),
      capture_(std::make_unique<DiagnosticCapture>()) {
    llvmContext_->setDiscardValueNames(!printsCode());
    auto overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(granted_);
    overlay->pushOverlay(files_);

    clang::DiagnosticOptions bootOptions;
    const auto bootDiagnostics =
        clang::CompilerInstance::createDiagnostics(*overlay, bootOptions, capture_.get(), /*ShouldOwnClient=*/false);
    clang_ = std::make_unique<clang::CompilerInstance>(makeInvocation(mode, target, *bootDiagnostics));
    clang_->setVirtualFileSystem(overlay);
    clang_->createDiagnostics(capture_.get(), /*ShouldOwnClient=*/false);
    // Of a cast's type, where `aligned` says nothing: a warning, as on a Mac, unlike other ignored attributes. An error
    // cannot be turned into a warning in one step.
    for (const auto severity : {clang::diag::Severity::Ignored, clang::diag::Severity::Warning}) {
        clang_->getDiagnostics().setSeverity(clang::diag::warn_attribute_not_on_decl, severity, {});
    }
    clang_->createFileManager();
    clang_->createSourceManager();
    clang_->createTarget();
    useAddressSpaces(clang_->getTarget());
    clang_->createPreprocessor(clang::TU_Complete);
    clang::Preprocessor& preprocessor = clang_->getPreprocessor();
    keepMacrosOutOfHeaders(preprocessor);
    preprocessor.getBuiltinInfo().initializeBuiltins(preprocessor.getIdentifierTable(), clang_->getLangOpts());
    clang_->createASTContext();
    generator_.reset(clang::CreateLLVMCodeGen(clang_->getDiagnostics(), "metal", overlay, clang_->getHeaderSearchOpts(),
                                              clang_->getPreprocessorOpts(), clang_->getCodeGenOpts(), *llvmContext_)
                         .release());
    auto consumer = std::make_unique<RecordingConsumer>(*generator_);
    consumer_ = consumer.get();
    clang_->setASTConsumer(std::move(consumer));
    clang_->createSema(clang::TU_Complete, nullptr);
    generator_->Initialize(clang_->getASTContext());
    capture_->BeginSourceFile(clang_->getLangOpts(), &preprocessor);
    useMetalTypeNames(clang_->getDiagnostics(), clang_->getASTContext());
    capture_->useContext(clang_->getASTContext());

    std::string text = preludeText(mode);
    if (withStandardHeaders)
        text += "#define __METAL_VERSION__ 320\n#include <metal_stdlib>\n#undef __METAL_VERSION__\n";
    clang::SourceManager& sources = clang_->getSourceManager();
    sources.setMainFileID(
        sources.createFileID(llvm::MemoryBuffer::getMemBufferCopy(text, "metal_prelude"), clang::SrcMgr::C_System));
    // Its pragma handlers must be there before the first token is read.
    parser_ = std::make_unique<clang::Parser>(preprocessor, clang_->getSema(), /*SkipFunctionBodies=*/false);
    for (const char* space : {"clang", "GCC"}) preprocessor.AddPragmaHandler(space, new SystemHeaderPragma);
    preprocessor.EnterTokenStream(llvm::ArrayRef<clang::Token>(bottom), true, false);
    preprocessor.EnterMainSourceFile();
    rewritten_ = rewriteTokens(lexToEnd(), preprocessor);
    rewritten_.push_back(endToken());
    preprocessor.EnterTokenStream(llvm::ArrayRef<clang::Token>(rewritten_), true, false);
    parser_->Initialize();
    parseTokens();
    preprocessor.RemoveTopOfLexerStack();
    capture_->forget();
}

void Session::practise(llvm::StringRef text) {
    clang::Preprocessor& preprocessor = clang_->getPreprocessor();
    enter(clang_->getSourceManager().createFileID(llvm::MemoryBuffer::getMemBufferCopy(text, "metal_practice"),
                                                  clang::SrcMgr::C_System));
    rewritten_ = rewriteTokens(lexToEnd(), preprocessor);
    rewritten_.push_back(endToken());
    preprocessor.EnterTokenStream(llvm::ArrayRef<clang::Token>(rewritten_), true, false);
    parser_->ConsumeToken();
    parseTokens();
    preprocessor.RemoveTopOfLexerStack();
    clang_->getSema().PerformPendingInstantiations();
    capture_->forget();
}

Session::~Session() {
    // Sema and the parser name each other; the parser goes first, then what clang_ owns.
    parser_.reset();
}

bool Session::serves(const protocol::LibraryRequest& request) const {
    return withStandardHeaders_ && modeOf(request.options) == mode_ &&
           request.source.find("metal_stdlib") != std::string::npos;
}

// Every token up to the end of the topmost file, that end excluded.
std::vector<clang::Token> Session::lexToEnd() {
    std::vector<clang::Token> tokens;
    clang::Token token;
    for (clang_->getPreprocessor().Lex(token); token.isNot(clang::tok::eof); clang_->getPreprocessor().Lex(token)) {
        tokens.push_back(token);
    }
    return tokens;
}

// The parser stays before the `eof`, so that more can follow.
void Session::parseTokens() {
    clang::Parser::DeclGroupPtrTy group;
    clang::Sema::ModuleImportState importState = clang::Sema::ModuleImportState::NotACXX20Module;
    OwnNames own(tokens_, clang_->getSema());
    bool afterHeader = true;
    while (parser_->getCurToken().isNot(clang::tok::eof)) {
        const bool inHeader = clang_->getSourceManager().isInSystemHeader(parser_->getCurToken().getLocation());
        if (afterHeader && !inHeader) own.hideTheHeaders();
        afterHeader = inHeader;
        parser_->ParseTopLevelDecl(group, importState);
        if (group) consumer_->HandleTopLevelDecl(group.get());
    }
}

void Session::addInputs(const protocol::CompileOptions& options) {
    clang::HeaderSearch& search = clang_->getPreprocessor().getHeaderSearchInfo();
    const auto addFolder = [&](const std::string& path) {
        if (auto folder = clang_->getFileManager().getOptionalDirectoryRef(path)) {
            search.AddSearchPath(clang::DirectoryLookup(*folder, clang::SrcMgr::C_User, false), /*isAngled=*/true);
        }
    };
    for (const protocol::NamedText& header : options.headers) {
        files_->addFile(std::string(requestHeaderFolder) + "/" + header.name, 0,
                        llvm::MemoryBuffer::getMemBufferCopy(header.text, header.name));
    }
    if (!options.headers.empty()) addFolder(requestHeaderFolder);
    for (const std::string& path : options.includeDirectories) {
        granted_->grant(path);
        addFolder(path);
    }
}

// A file, though only in memory: `#pragma once`, `#include` and completion ask what they stand in.
clang::FileEntryRef Session::programFile(const std::string& text, const std::string& name) {
    const clang::FileEntryRef file =
        clang_->getFileManager().getVirtualFileRef(name, static_cast<off_t>(text.size()), 0);
    clang_->getSourceManager().overrideFileContents(file, llvm::MemoryBuffer::getMemBufferCopy(text, name));
    clang_->getPreprocessor().getHeaderSearchInfo().getFileInfo(file);
    programName_ = name;
    return file;
}

clang::FileID Session::createFile(clang::FileEntryRef file) {
    return clang_->getSourceManager().createFileID(file, clang::SourceLocation(), clang::SrcMgr::C_User);
}

void Session::enter(clang::FileID file) {
    clang_->getPreprocessor().EnterSourceFile(file, nullptr, clang::SourceLocation());
}

void Session::enterMacros(const protocol::CompileOptions& options) {
    enter(clang_->getSourceManager().createFileID(
        llvm::MemoryBuffer::getMemBufferCopy(macroText(options), "command_line"), clang::SrcMgr::C_System));
    lexToEnd();
}

void Session::parseFile(clang::FileID file) {
    clang::Preprocessor& preprocessor = clang_->getPreprocessor();
    enter(file);
    tokens_ = lexToEnd();
    if (!checkNesting(tokens_, preprocessor)) tokens_.clear();
    rewritten_ = rewriteTokens(tokens_, preprocessor);
    rewritten_.push_back(endToken());
    if (!tokens_.empty()) {
        rewritten_.back().setLocation(tokens_.back().getEndLoc());
    }
    preprocessor.EnterTokenStream(llvm::ArrayRef<clang::Token>(rewritten_), true, false);
    parser_->ConsumeToken();
    parseTokens();
}

void Session::parse(const protocol::LibraryRequest& request, const std::string& sourceName) {
    consumer_->record();
    addInputs(request.options);
    enterMacros(request.options);
    parseFile(createFile(programFile(request.source, sourceName)));
}

void Session::complete(const protocol::LibraryRequest& request, std::uint32_t line, std::uint32_t column,
                       clang::CodeCompleteConsumer& consumer) {
    consumer_->record();
    addInputs(request.options);
    enterMacros(request.options);
    clang_->getSema().CodeCompletion().CodeCompleter = &consumer;
    const clang::FileEntryRef file = programFile(request.source, "program_source");
    if (clang_->getPreprocessor().SetCodeCompletionPoint(file, line, column)) return;
    parseFile(createFile(file));
}

void Session::finish() {
    clang::Parser::DeclGroupPtrTy group;
    clang::Sema::ModuleImportState importState = clang::Sema::ModuleImportState::NotACXX20Module;
    parser_->ParseTopLevelDecl(group, importState);  // at the end of the stream: instantiates what is pending
    for (clang::Decl* declaration : clang_->getSema().WeakTopLevelDecls()) {
        consumer_->HandleTopLevelDecl(clang::DeclGroupRef(declaration));
    }
}

std::unique_ptr<llvm::Module> Session::generate() {
    consumer_->replay(clang_->getASTContext());
    return std::unique_ptr<llvm::Module>(generator_->ReleaseModule());
}

bool Session::failed() const {
    return clang_->getDiagnostics().hasErrorOccurred();
}

clang::Sema& Session::sema() {
    return clang_->getSema();
}
clang::ASTContext& Session::context() {
    return clang_->getASTContext();
}
clang::Preprocessor& Session::preprocessor() {
    return clang_->getPreprocessor();
}
const std::vector<clang::Decl*>& Session::declarations() const {
    return consumer_->declarations();
}

std::vector<protocol::Dependency> Session::dependencies() {
    std::vector<protocol::Dependency> found;
    clang::SourceManager& sources = clang_->getSourceManager();
    for (auto file = sources.fileinfo_begin(); file != sources.fileinfo_end(); ++file) {
        const llvm::StringRef name = file->first.getName();
        if (name.starts_with("/__metal__/") || name == programName_) continue;
        const auto text = file->second->getBufferDataIfLoaded();
        if (text) found.push_back({name.str(), llvm::xxh3_64bits(*text)});
    }
    return found;
}

}  // namespace metal_compiler
