// SPDX-License-Identifier: MIT
//
// A kernel of a library to machine code: the bitcode with function constants applied, handed to the target.

#pragma once

#include "protocol.hpp"
#include "targets/target.hpp"

namespace metal_compiler {

protocol::PipelineReply compilePipeline(const protocol::PipelineRequest& request, Target& target);

}  // namespace metal_compiler
