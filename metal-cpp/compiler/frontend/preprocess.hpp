// SPDX-License-Identifier: MIT
//
// A program as the compiler sees it once Clang's preprocessor has been there: text, for people and for programs that
// make text.

#pragma once

#include <string>

#include "frontend/invocation.hpp"
#include "protocol.hpp"

namespace metal_compiler {

struct PreprocessedText {
    bool ok = false;
    std::string text, log;
};

/// Includes files, chooses between parts and replaces macros. What stays: comments, `#pragma`, and the `#include` of
/// headers that the compiler brings along, whose macros are not known therefore. Lines keep their numbers, as far as
/// nothing is included.
PreprocessedText preprocessText(const protocol::LibraryRequest& request, const TargetDescription& target);

}  // namespace metal_compiler
