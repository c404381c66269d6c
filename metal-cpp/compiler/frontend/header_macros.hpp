// SPDX-License-Identifier: MIT
#pragma once

namespace clang {
class Preprocessor;
}

namespace metal_compiler {

/// Lets no macro of a program into the standard headers.
///   before:  #define T float            after:  `template <typename T>` in <metal_texture> is what it says
///            #include <metal_texture>
/// Apple's headers use reserved names throughout, so that programs define any other before they include them. Macros of
/// two leading underscores stay visible, and NDEBUG, which a header asks for.
void keepMacrosOutOfHeaders(clang::Preprocessor& preprocessor);

}  // namespace metal_compiler
