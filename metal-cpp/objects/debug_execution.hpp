// SPDX-License-Identifier: MIT
//
// What the debug layer notes of commands in memory, as they are when their execution is encoded.

#pragma once

#include "argument_table.hpp"
#include "indirect_commands.hpp"

namespace metal_objects {

class CommandWatch;
class RenderPipelineObject;

/// `inherited`: the encoder's pipeline; null for none. So for the tables of what the encoder has bound.
void watchDispatches(CommandWatch& watch, const IndirectBufferObject* commands, CommandRange range,
                     const PipelineObject* inherited, const ArgumentTable& arguments);
void watchDraws(CommandWatch& watch, const IndirectBufferObject* commands, CommandRange range,
                const RenderPipelineObject* inherited, const ArgumentTable& vertexArguments,
                const ArgumentTable& fragmentArguments);

}  // namespace metal_objects
