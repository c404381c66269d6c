// SPDX-License-Identifier: MIT
//
// How the types of a kernel's built-in inputs go together (the notes below table 5.8 of the specification).

#pragma once

#include <vector>

#include "frontend/arguments.hpp"

namespace metal_compiler {

/// Reports inputs that do not go together; false then.
bool checkPlaces(const std::vector<KernelArgument>& arguments, clang::Sema& sema);

}  // namespace metal_compiler
