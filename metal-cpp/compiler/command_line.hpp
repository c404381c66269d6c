// SPDX-License-Identifier: MIT
//
// `metal-compiler FILE.metal -o FILE.so`: the compiler as a command.

#pragma once

namespace metal_compiler {

/// Returns the exit status: 0, 1 after errors in the program, 2 after a wrong command line.
int runCommand(int argumentCount, char** arguments);

}  // namespace metal_compiler
