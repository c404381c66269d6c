// SPDX-License-Identifier: MIT

#pragma once

#include <array>

#include "../executor/render/draw.hpp"
#include "indirect_commands.hpp"
#include "render_pipeline.hpp"

namespace metal_objects {

class ArgumentTable;
class PassTargets;

/// What commands that draw take from the encoder that executes them.
struct InheritedDraw {
    NS::SharedPtr<RenderPipelineObject> pipeline;  // null: none was set
    metal_executor::render::Draw draw;             // its state
    struct Buffer {
        std::uint8_t* bytes = nullptr;
        std::uint64_t length = 0, stride = 0;
    };
    std::array<Buffer, 31> vertexBuffers{}, fragmentBuffers{};
};

/// The commands as draws, read one by one when the pass gets there. The buffer must live until then. `targets`: of the
/// pass, which pipelines must fit.
metal_executor::render::GenerateDraws drawing(const IndirectBufferObject* commands, CommandRange range,
                                              InheritedDraw inherited, const PassTargets& targets);

/// For a capture, when the pass begins: the draws of an execution, which is entry `entry` of the pass, and which
/// buffers they may touch. `inherited`: the encoder's pipeline.
void tellOfDraws(const IndirectBufferObject* commands, CommandRange range, RenderPipelineObject* inherited,
                 std::size_t entry, CommandRecord& record, CaptureObjects& objects);

}  // namespace metal_objects
