// SPDX-License-Identifier: MIT
//
// For each kernel a function `void entry()` that fetches the kernel's parameters from intrinsics and calls it. Built as
// AST with Sema, so that how values are passed is Clang's own affair:
//
//   kernel void f(device float* a [[buffer(0)]], constant Params& p, uint i [[thread_position_in_grid]])
//   void __metal_entry_0() { f((device float*)__metal_argument(0), *(constant Params*)__metal_argument(1),
//   uint(__metal_index(0, 0))); }

#pragma once

#include <string>
#include <vector>

#include "frontend/arguments.hpp"

namespace metal_compiler {

class Session;

struct Kernel {
    const clang::FunctionDecl* function = nullptr;
    std::string entry;  // symbol
    std::vector<KernelArgument> arguments;
};

/// Call between Session::parse and Session::finish. Kernels with errors are reported and left out.
std::vector<Kernel> addEntries(Session& session);

}  // namespace metal_compiler
