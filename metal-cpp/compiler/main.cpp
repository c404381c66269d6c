// SPDX-License-Identifier: MIT
#include "command_line.hpp"

int main(int argumentCount, char** arguments) {
    return metal_compiler::runCommand(argumentCount, arguments);
}
