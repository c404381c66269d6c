// SPDX-License-Identifier: MIT
//
// How the functions of a render pipeline fit one another, the vertex descriptor and the attachments.

#pragma once

#include <string>
#include <vector>

#include "../executor/render/draw.hpp"
#include "library.hpp"
#include "render_descriptors.hpp"

namespace metal_objects {

/// What a pipeline fetches for each vertex: VertexFetches but for the buffers.
struct VertexInput {
    struct Part {
        const protocol::StageValue* facts;  // of the function
        metal_executor::render::VertexFetch fetch;
        NS::UInteger buffer;
        NS::UInteger offset;
        bool isStrideDynamic;  // told when the buffer is set
    };
    std::vector<Part> parts;
};

// Each gives an empty text, or why no pipeline can be made.

/// `descriptor` may be null.
std::string makeVertexInput(const FunctionObject* function, const MTL::VertexDescriptor* descriptor,
                            VertexInput& input);

/// `fragment` may be null. Fills all of the functions' columns, and what is linked to what.
std::string linkStages(const FunctionObject* vertex, const FunctionObject* fragment,
                       metal_executor::render::RenderPipeline& pipeline);

/// Formats, blending and samples, and whether the fragment function's outputs are of their kind.
std::string attachmentsMistake(const RenderPipelineValues& values);

/// Whether passes can draw colours of this format, and blend them.
bool isColorRenderable(const class PixelFormat& format);

}  // namespace metal_objects
