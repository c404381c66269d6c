// SPDX-License-Identifier: MIT
//
// Keeps diagnostics as data and as the text that Apple's driver prints: `program_source:LINE:COLUMN: error: ...`, the
// source line, the caret.

#pragma once

#include <clang/Basic/Diagnostic.h>

#include <string>
#include <vector>

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

    /// Drops all that was kept so far.
    void forget();

    std::vector<protocol::Diagnostic> takeDiagnostics() { return std::move(diagnostics_); }
    std::string takeLog() { return std::move(log_); }

private:
    std::string messageOf(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& information) const;
    void keep(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& information, std::string message);

    clang::DiagnosticOptions options_;
    const clang::LangOptions* language_ = nullptr;
    std::vector<protocol::Diagnostic> diagnostics_;
    std::string log_;
};

}  // namespace metal_compiler
