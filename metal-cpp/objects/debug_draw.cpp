// SPDX-License-Identifier: MIT
//
// What the debug layer notes of a draw.

#include "debug_draw.hpp"

#include <algorithm>
#include <cstring>

#include "buffer.hpp"
#include "debug_arguments.hpp"
#include "join.hpp"
#include "render_encoder.hpp"
#include "texture.hpp"

namespace metal_objects {

namespace {

using metal_executor::render::RasterState;
using metal_executor::render::Scissor;
using metal_executor::render::Viewport;

struct Rect {
    double left = 0, top = 0, right = 0, bottom = 0;

    bool isEmpty() const { return !(left < right && top < bottom); }
    Rect cut(const Rect& other) const {
        return {std::max(left, other.left), std::max(top, other.top), std::min(right, other.right),
                std::min(bottom, other.bottom)};
    }
};

std::string textOf(const Viewport& viewport) {
    return join("viewport (", viewport.x, ", ", viewport.y, ", ", viewport.width, ", ", viewport.height, ")");
}
std::string textOf(const Scissor& scissor) {
    return join("scissor rectangle (", scissor.x, ", ", scissor.y, ", ", scissor.width, ", ", scissor.height, ")");
}

/// Empty, or why draws with this viewport and scissor rectangle show nothing.
std::string whyNothingShows(const Viewport& viewport, const Scissor* scissor, const Rect& pass) {
    const Rect seen{viewport.x, viewport.y, viewport.x + viewport.width, viewport.y + viewport.height};
    if (seen.isEmpty()) return textOf(viewport) + " is empty";
    if (seen.cut(pass).isEmpty())
        return join(textOf(viewport), " lies outside of the pass, which is ", pass.right, " x ", pass.bottom);
    if (scissor == nullptr) return {};
    const Rect kept{double(scissor->x), double(scissor->y), double(scissor->x) + scissor->width,
                    double(scissor->y) + scissor->height};
    if (kept.isEmpty()) return textOf(*scissor) + " is empty";
    return kept.cut(seen).isEmpty() ? join(textOf(viewport), " and ", textOf(*scissor), " do not meet") : std::string();
}

void checkTextures(CommandWatch& watch, const std::string& name, const StageCode& code, const ArgumentTable& table) {
    for (const PipelineFunction::Argument& argument : code.arguments) {
        const protocol::Argument& facts = *argument.facts;
        const bool isRead = facts.access != static_cast<std::uint32_t>(MTL::BindingAccessWriteOnly);
        if (facts.kind != protocol::ArgumentKind::texture || !isRead || !code.firstKernel()->readsSlot(facts.slot))
            continue;
        for (std::uint64_t i = 0; i < std::max<std::uint64_t>(facts.arrayLength, 1); ++i) {
            const TextureObject* texture = table.texture(facts.index + i);
            if (texture == nullptr) continue;
            const std::string why = texture_contents::whyUndefined(*texture);
            if (why.empty()) continue;
            debugWarn(join(name, " reads ", describeResource(*texture), " as ", facts.name, ", ", why,
                           ": what is read is not defined", watch.place()));
        }
    }
}

}  // namespace

std::string RenderEncoderObject::nameOfDraw() const {
    const std::string label = pipeline_->label ? std::string(view(pipeline_->label.get())) : std::string();
    if (!label.empty()) return "draw with pipeline '" + label + "'";
    return "draw with vertex function '" + pipeline_->vertex->function->name() + "'";
}

void RenderEncoderObject::watchState(CommandWatch& watch, const std::string& name, const RasterState& raster) {
    // Other ones have another place.
    if (watchedViewports_ == raster.viewports) return;
    watchedViewports_ = raster.viewports;
    const Rect pass{0, 0, double(pass_->targets.width), double(pass_->targets.height)};
    for (std::uint32_t i = 0; i < raster.viewportCount; ++i) {
        const Scissor* scissor = i < raster.scissorCount ? &raster.scissors[i] : nullptr;
        const std::string why = whyNothingShows(raster.viewports[i], scissor, pass);
        if (!why.empty()) debugWarn(join(name, ": ", why, ": nothing can be seen there", watch.place()));
    }
}

void RenderEncoderObject::watchIndices(const CommandWatch& watch, const std::string& name, const Draw& draw,
                                       const Indices& indices) {
    WatchedIndices watched{draw.indices, draw.range.count, draw.indexSize, draw.range.baseVertex, {}, {}, {}, {}};
    for (const VertexInput::Part& part : pipeline_->vertexInput.parts) {
        if (part.fetch.step != metal_executor::render::VertexStep::perVertex) continue;
        const ArgumentTable::Buffer& buffer = vertexTable.buffer(part.buffer);
        const std::uint64_t stride = part.isStrideDynamic ? buffer.stride : part.fetch.attribute.stride;
        const std::uint64_t size = metal_executor::attributeFormatFacts(part.fetch.attribute.format).bytes;
        if (stride == 0) continue;
        const std::uint64_t begin = part.offset + size;
        const std::uint64_t elements = begin > buffer.length ? 0 : (buffer.length - begin) / stride + 1;
        const std::string from =
            buffer.buffer != nullptr ? describeResource(*buffer.buffer) : join("the bytes at index ", part.buffer);
        watched.limits.push_back({elements, join("attribute ", part.facts->name, " is fetched from ", from,
                                                 ", which has ", elements, " element(s)")});
    }
    if (watched.limits.empty()) return;
    watched.draw = name;
    watched.indexBuffer = describeResource(*indices.buffer);
    watched.place = watch.place();
    list_->watchedIndices.push_back(std::move(watched));
}

void RenderEncoderObject::watchDraw(const Draw& draw, const Indices* indices, const BufferObject* indirect,
                                    NS::UInteger offset) {
    CommandWatch* watch = commandBuffer->watch();
    if (watch == nullptr) return;
    const std::string name = nameOfDraw();
    if (view(pipeline_->label.get()).empty()) {
        debugWarnOnce(join("pipeline ", static_cast<const void*>(pipeline_)),
                      join("a render pipeline state with vertex function '", pipeline_->vertex->function->name(),
                           "' has no label; its descriptor's setLabel gives it one for messages"));
    }
    std::vector<CommandWatch::Use> uses;
    const auto look = [&](const StageCode& code, const ArgumentTable& table) {
        watchArguments(*watch, name, code, *code.firstKernel(), table, uses);
        checkTextures(*watch, name, code, table);
    };
    look(*pipeline_->vertex, vertexTable);
    if (pipeline_->fragment != nullptr) look(*pipeline_->fragment, fragmentTable);
    for (const VertexInput::Part& part : pipeline_->vertexInput.parts)
        uses.push_back({vertexTable.buffer(part.buffer).buffer, vertexTable.buffer(part.buffer).offset, false});
    if (indices != nullptr) uses.push_back({indices->buffer, indices->offset, false});
    if (indirect != nullptr) uses.push_back({indirect, offset, false});
    watch->note(name, uses);
    watchState(*watch, name, draw.raster);
    if (indices != nullptr && indirect == nullptr) watchIndices(*watch, name, draw, *indices);
}

void WatchedIndices::check() const {
    std::int64_t greatest = INT64_MIN;
    const std::uint32_t restart = size == 2 ? UINT16_MAX : UINT32_MAX;
    for (std::uint64_t i = 0; i < count; ++i) {
        std::uint32_t index = 0;
        std::memcpy(&index, indices + i * size, size);
        if (index != restart) greatest = std::max<std::int64_t>(greatest, index);
    }
    if (greatest == INT64_MIN) return;
    const std::int64_t vertex = greatest + baseVertex;
    for (const Limit& limit : limits) {
        if (vertex < 0 || static_cast<std::uint64_t>(vertex) < limit.elements) continue;
        const std::string sum = baseVertex != 0 ? join(" (", greatest, " and base vertex ", baseVertex, ")") : "";
        return debugWarn(join(draw, ": ", indexBuffer, " has index ", vertex, sum, ", but ", limit.text, place));
    }
}

}  // namespace metal_objects
