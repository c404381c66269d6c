// SPDX-License-Identifier: MIT

#pragma once

namespace metal_compiler {

inline constexpr const char* compilerVersion = METAL_COMPILER_VERSION;  // of the project, from CMake

}  // namespace metal_compiler
