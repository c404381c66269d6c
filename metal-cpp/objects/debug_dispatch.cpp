// SPDX-License-Identifier: MIT
//
// What the debug layer notes of a dispatch.

#include "buffer.hpp"
#include "compute_encoder.hpp"
#include "debug_arguments.hpp"

namespace metal_objects {

void ComputeEncoderObject::watch(CommandWatch& watch, const metal_executor::Dispatch& dispatch) const {
    const std::string name = "kernel '" + pipeline_->function->name() + "'";
    std::vector<CommandWatch::Use> uses;
    watchArguments(watch, name, *pipeline_, *dispatch.kernel, arguments, uses);
    for (const StageInput::Part& part : pipeline_->stageInput.parts) {
        const ArgumentTable::Buffer& buffer = arguments.buffer(part.buffer);
        uses.push_back({buffer.buffer, buffer.offset, false});
    }
    watch.note(name, uses);
}

}  // namespace metal_objects
