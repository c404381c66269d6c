// SPDX-License-Identifier: MIT
//
// What holds of a stage function's inputs and outputs together: each attribute is one value's, values of one colour
// attachment have one type, what is counted from a base has a type that holds it.

#pragma once

#include <vector>

#include "frontend/stages.hpp"

namespace metal_compiler {

/// Reports what is wrong; false then.
bool checkStageValues(const clang::FunctionDecl* function, const StageReader& values, clang::Sema& sema);

}  // namespace metal_compiler
