// SPDX-License-Identifier: MIT

#pragma once

#include <string>

#include "runtime.hpp"

namespace metal_objects {

/// Not owned by the caller; domain "MTLLibraryErrorDomain", "MTLCommandBufferErrorDomain", "CompilerError", ...
NS::Error* makeError(const char* domain, NS::Integer code, const std::string& description);

/// Gives the caller of an API function an error, where it wants one.
inline void report(NS::Error** error, NS::Error* value) {
    if (error != nullptr) *error = value;
}

/// What Metal's validation layer would say and stop for, where a call has no other way to report it.
void reportMistake(const std::string& message);

/// The same where there is another way: only a handler of the caller's is told.
void tellMistake(const std::string& message);

}  // namespace metal_objects
