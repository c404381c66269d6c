// SPDX-License-Identifier: MIT
//
// What the debug layer notes of the arguments that a function is given: of a kernel, or of a stage of a draw.

#pragma once

#include <string>
#include <vector>

#include "argument_table.hpp"
#include "command_watch.hpp"

namespace metal_objects {

/// `name`: of the command, for messages. Appends what the function touches to `uses`.
void watchArguments(CommandWatch& watch, const std::string& name, const PipelineFunction& function,
                    const metal_executor::Kernel& kernel, const ArgumentTable& table,
                    std::vector<CommandWatch::Use>& uses);

inline bool isWrittenBy(const protocol::Argument& facts) {
    return facts.access != static_cast<std::uint32_t>(MTL::BindingAccessReadOnly);
}

}  // namespace metal_objects
