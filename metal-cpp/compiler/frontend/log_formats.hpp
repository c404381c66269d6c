// SPDX-License-Identifier: MIT
//
// Compares the formats of os_log's messages with their arguments, as Clang does for printf: `log` is a template here,
// which Clang's own check does not know, and formats have vectors (%v4f).

#pragma once

namespace metal_compiler {

class Session;

/// Warns of each call whose arguments are not what its format, where that is a literal, says.
void checkLogFormats(Session& session);

}  // namespace metal_compiler
