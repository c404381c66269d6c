// SPDX-License-Identifier: MIT
//
// What a program can be asked about its library: functions with their arguments, types with their layout, function
// constants.

#pragma once

#include <vector>

#include "protocol.hpp"

namespace metal_compiler {

class Session;
struct FunctionConstantVariable;
struct EntryPoint;
struct ProgramScopeVariable;

/// Call after Session::finish and before attributes are dropped. Describes the variables, too.
void reflect(Session& session, const std::vector<EntryPoint>& points,
             const std::vector<FunctionConstantVariable>& constants, std::vector<ProgramScopeVariable>& variables,
             protocol::LibraryReply& reply);

}  // namespace metal_compiler
