// SPDX-License-Identifier: MIT
//
// Diagnostics of our own, beside Clang's.

#pragma once

#include <clang/Basic/Diagnostic.h>
#include <clang/Sema/Sema.h>

#include <string>

namespace metal_compiler {

inline void report(clang::Sema& sema, clang::DiagnosticIDs::Level level, clang::SourceLocation place,
                   std::string message, clang::SourceRange range = {}, const clang::FixItHint& hint = {}) {
    // The message is a format string to Clang.
    for (std::size_t at = 0; (at = message.find('%', at)) != std::string::npos; at += 2) message.insert(at, "%");
    clang::DiagnosticsEngine& engine = sema.getDiagnostics();
    const clang::DiagnosticBuilder builder =
        engine.Report(place, engine.getDiagnosticIDs()->getCustomDiagID(level, message));
    if (range.isValid()) builder << range;
    if (!hint.isNull()) builder << hint;
}

}  // namespace metal_compiler
