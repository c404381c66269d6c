// SPDX-License-Identifier: MIT
//
// What Metal forbids and C++ allows, so that what compiles here compiles on a Mac: pointers without an address space,
// `double`, recursion, virtual functions, mutable globals, `new`, `goto`, ... Looks at the program only, not at headers
// of the standard library; messages are in Apple's words and say what to write instead.

#pragma once

#include <cstdint>

namespace metal_compiler {

class Session;

/// Reports through the session's diagnostics. Call after Session::finish, when instantiations are complete.
/// `languageVersion` is MTL::LanguageVersion; 0 is the newest.
void checkRules(Session& session, std::uint32_t languageVersion);

/// Takes Metal's attributes off the program's declarations (attributes.hpp).
void dropAllAttributes(Session& session);

}  // namespace metal_compiler
