// SPDX-License-Identifier: MIT
//
// `metal-compiler --serve FD`: forks a child for each request, with the standard headers already parsed; see
// protocol.hpp.

#pragma once

namespace metal_compiler {

/// Returns the exit status, when `descriptor` ends.
int serve(int descriptor);

}  // namespace metal_compiler
