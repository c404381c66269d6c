// SPDX-License-Identifier: MIT
//
// The headers of compiler/include/, built into the program by cmake/EmbedHeaders.cmake.

#pragma once

#include <string_view>
#include <vector>

namespace metal_compiler {

struct StandardHeader {
    const char* name;  // as an #include names it: "metal_stdlib"
    std::string_view text;
};

const std::vector<StandardHeader>& standardHeaders();

}  // namespace metal_compiler
