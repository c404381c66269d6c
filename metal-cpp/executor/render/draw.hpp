// SPDX-License-Identifier: MIT
//
// What an encoder hands over for a render pass: its targets and a list of draws, each with all of the state that it is
// drawn with. Memory that is pointed at (arguments, indices, attributes, viewports) must live until the command buffer
// ends (CommandBuffer::keep, CommandBuffer::allocate). What it holds is read when the pass runs.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "../attributes.hpp"
#include "../kernel.hpp"
#include "output_state.hpp"
#include "targets.hpp"

namespace metal_executor::render {

// ---- A pipeline ----

/// What a value of a stage is. Same order as protocol::StageValueKind; `unused` says that nobody gives or reads it
/// (what a function constant takes out).
enum class StageKind : std::uint8_t {
    attribute,
    varying,
    position,
    pointSize,
    clipDistance,
    vertexId,
    instanceId,
    baseVertex,
    baseInstance,
    amplificationId,
    amplificationCount,
    patchId,
    positionInPatch,
    frontFacing,
    pointCoord,
    primitiveId,
    sampleId,
    sampleMask,
    barycentricCoord,
    renderTargetArrayIndex,
    viewportArrayIndex,
    color,
    depth,
    stencil,
    unused,
};

/// Same order as protocol::Interpolation.
enum class Interpolation : std::uint8_t {
    centerPerspective,
    centerNoPerspective,
    centroidPerspective,
    centroidNoPerspective,
    samplePerspective,
    sampleNoPerspective,
    flat,
};

/// Same order as protocol::DepthQualifier.
enum class DepthQualifier : std::uint8_t { any, greater, less };

/// Same order as protocol::ColumnType.
enum class StageColumnType : std::uint8_t { float32, int32, uint32 };

/// An input or output of a function: consecutive columns (metal_stage in kernel_abi.h).
struct StageColumnValue {
    static constexpr std::uint32_t noSource = UINT32_MAX;

    StageKind kind = StageKind::unused;
    StageColumnType type = StageColumnType::float32;
    Interpolation interpolation = Interpolation::centerPerspective;
    DepthQualifier depth = DepthQualifier::any;
    bool isInterpolant = false;
    std::uint32_t index = 0;        // n of [[color(n)]]
    std::uint32_t sourceIndex = 0;  // the second source of blending: 1
    std::uint32_t column = 0, columnCount = 0;
    /// A fragment function's varying: the first of the columns of the vertex function's output that it is linked to.
    /// Where there is no such output: noSource, and it reads zeros.
    std::uint32_t source = noSource;
    std::uint32_t sourceCount() const;
};

inline bool hasPerspective(Interpolation interpolation) {
    return interpolation == Interpolation::centerPerspective || interpolation == Interpolation::centroidPerspective ||
           interpolation == Interpolation::samplePerspective;
}

/// An interpolant has its differences along x and y beside each value, and 1 / w with its differences.
inline std::uint32_t StageColumnValue::sourceCount() const {
    if (!isInterpolant) return columnCount;
    return (columnCount - (hasPerspective(interpolation) ? 3 : 0)) / 3;
}

/// A vertex or fragment function: its code and its columns. `inputColumns` and `outputColumns` are how many there are
/// in all.
struct StageFunction {
    std::shared_ptr<const Kernel> kernel;
    std::vector<StageColumnValue> inputs, outputs;
    std::uint32_t inputColumns = 0, outputColumns = 0;
    bool earlyFragmentTests = false;  // [[early_fragment_tests]]
};

/// MTL::PrimitiveType.
enum class PrimitiveKind : std::uint8_t { point, line, lineStrip, triangle, triangleStrip };

struct RenderPipeline {
    std::string label;  // for messages
    StageFunction vertex;
    StageFunction fragment;  // without a kernel: only depth and stencil are written
    bool isRasterizationEnabled = true;
    bool alphaToCoverage = false;
};

// ---- A draw ----

/// MTL::VertexStepFunction.
enum class VertexStep : std::uint8_t { constant, perVertex, perInstance };

/// Where one attribute of the vertex function comes from.
struct VertexFetch {
    Attribute attribute;
    VertexStep step = VertexStep::perVertex;
    std::uint32_t rate = 1;  // instances that share an element; 0: all of them
};

/// MTL::Viewport.
struct Viewport {
    double x = 0, y = 0, width = 0, height = 0, nearDepth = 0, farDepth = 1;
};

/// MTL::ScissorRect. It lies inside of the pass's size.
struct Scissor {
    std::uint32_t x = 0, y = 0, width = 0, height = 0;
};

/// MTL::CullMode, Winding, TriangleFillMode, DepthClipMode.
enum class Cull : std::uint8_t { none, front, back };
enum class Winding : std::uint8_t { clockwise, counterClockwise };
enum class FillMode : std::uint8_t { fill, lines };
enum class DepthClip : std::uint8_t { clip, clamp };

struct RasterState {
    Cull cull = Cull::none;
    Winding frontWinding = Winding::clockwise;
    FillMode fill = FillMode::fill;
    DepthClip depthClip = DepthClip::clip;
    float depthBias = 0, depthSlopeScale = 0, depthBiasClamp = 0;
    /// At least one viewport; one scissor for each viewport, or none where setScissorRect was never called.
    const Viewport* viewports = nullptr;
    const Scissor* scissors = nullptr;
    std::uint32_t viewportCount = 0, scissorCount = 0;
};

/// As MTL::DrawPrimitivesIndirectArguments and MTL::DrawIndexedPrimitivesIndirectArguments have them.
struct DrawRange {
    std::uint32_t count = 0;  // of vertices or indices
    std::uint32_t instanceCount = 1;
    std::uint32_t start = 0;  // the first vertex; the first index, counted from `indices` on
    std::int32_t baseVertex = 0;
    std::uint32_t baseInstance = 0;
};

struct Draw {
    std::shared_ptr<const RenderPipeline> pipeline;
    /// As metal_launch::arguments.
    void* const* vertexArguments = nullptr;
    void* const* fragmentArguments = nullptr;
    /// Of all attributes that the vertex function has; null: none.
    std::shared_ptr<const std::vector<VertexFetch>> attributes;
    RasterState raster;
    DepthStencilState depthStencil;
    ColorState colors;

    PrimitiveKind primitive = PrimitiveKind::triangle;
    DrawRange range;
    /// Null: vertices one after the other. An index outside of its buffer is 0.
    const std::uint8_t* indices = nullptr;
    std::uint64_t indexBytes = 0;  // from `indices` to the end of the buffer
    std::uint32_t indexSize = 2;
    /// Read in place of `range` when the pass runs: four numbers, of an indexed draw five. Null: not indirect.
    const std::uint32_t* indirect = nullptr;

    /// Of a draw that is generated: as with a DrawBarrier before it.
    bool isBehindBarrier = false;

    std::string label;  // for messages: the debug groups and the encoder's label
};

/// Draws that are known only when the pass runs: `next` fills one and returns true until there are no more. It is
/// called on the thread that runs the stream; what it throws becomes the command buffer's error.
struct GenerateDraws {
    std::function<bool(Draw&)> next;
};

/// What draws before it write (to buffers, textures) is there for those behind it, and for what generates them.
struct DrawBarrier {};

using PassItem = std::variant<Draw, GenerateDraws, DrawBarrier>;

// ---- A pass ----

struct RenderPass {
    PassTargets targets;
    /// x and y of each sample in its pixel, from 0 to 1, in sixteenths; null: Metal's default positions.
    const float* samplePositions = nullptr;
    std::vector<PassItem> items;
    /// Called on the thread that runs the stream: when the last vertices have been run, and before the first fragments.
    std::vector<std::function<void()>> verticesEnd, fragmentsBegin;
    /// How many pairs of a primitive and a tile that it touches may be held at a time, give or take what a few chunks
    /// have: it bounds the memory that large primitives take.
    std::uint64_t mostTouches = std::uint64_t{1} << 23;
};

}  // namespace metal_executor::render
