// SPDX-License-Identifier: MIT
//
// For each kernel, vertex and fragment function a function `void entry()` that fetches the function's parameters from
// intrinsics, calls it and hands on what it returns. Built as AST with Sema, so that how values are passed is Clang's
// own affair:
//
//   kernel void f(device float* a [[buffer(0)]], constant Params& p, uint i [[thread_position_in_grid]])
//   void __metal_entry_0() { f((device float*)__metal_argument(0), *(constant Params*)__metal_argument(1),
//   uint(__metal_index(0, 0))); }
//
//   fragment float4 g(S in [[stage_in]])
//   void __metal_entry_1() { alignas(S) uchar in[sizeof(S)]; __metal_stage_input(in + 0, 0, f32); ...
//   float4 result = g(*(const S*)in); __metal_stage_output(&result + 0, 0, f32); ... }
//
// A visible function's entry has its parameters and result and calls it.

#pragma once

#include <string>
#include <vector>

#include "frontend/arguments.hpp"

namespace metal_compiler {

class Session;

struct EntryPoint {
    const clang::FunctionDecl* function = nullptr;
    protocol::FunctionKind kind = protocol::FunctionKind::kernel;
    std::string entry;  // symbol
    std::vector<KernelArgument> arguments;
    std::vector<StageValue> inputs, outputs;
    std::vector<StageScalar> results;
    std::uint32_t patchControlPoints = 0;
    std::uint8_t patchType = 0;
};

/// The name that a program asks for: of [[host_name("...")]], else its own.
std::string hostNameOf(const clang::FunctionDecl* function);

/// Call between Session::parse and Session::finish. Functions with errors are reported and left out.
std::vector<EntryPoint> addEntries(Session& session);

}  // namespace metal_compiler
