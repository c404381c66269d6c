// SPDX-License-Identifier: MIT
//
// Reflection for a person to read: `--show reflection`.

#pragma once

#include <string>

#include "protocol.hpp"

namespace metal_compiler {

std::string reflectionText(const protocol::LibraryReply& library);

}  // namespace metal_compiler
