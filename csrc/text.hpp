// SPDX-License-Identifier: MIT
//
// Between NS::String and std::string, both UTF-8.

#pragma once

#include <string>

#include "handle.hpp"

namespace mtlpy {

/// Autoreleased; the caller stands in an AutoreleaseScope. Throws a ValidationError when `text` is no UTF-8 or holds a
/// NUL.
NS::String* metalString(const std::string& text);

/// Empty for null.
std::string pythonText(const NS::String* string);

/// The error's description; "unknown error" when Metal gives none.
std::string errorText(const NS::Error* error);

}  // namespace mtlpy
