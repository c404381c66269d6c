// SPDX-License-Identifier: MIT

#include "render_encoder.hpp"

#include <algorithm>

#include "buffer.hpp"
#include "command_watch.hpp"
#include "debug_pass.hpp"
#include "join.hpp"
#include "passes.hpp"

namespace metal_objects {

namespace {

using metal_executor::render::PassItem;
using metal_executor::render::RenderPass;

constexpr NS::UInteger mostNumber = UINT32_MAX;

MTL::PrimitiveTopologyClass classOf(MTL::PrimitiveType type) {
    switch (type) {
        case MTL::PrimitiveTypePoint:
            return MTL::PrimitiveTopologyClassPoint;
        case MTL::PrimitiveTypeLine:
        case MTL::PrimitiveTypeLineStrip:
            return MTL::PrimitiveTopologyClassLine;
        default:
            return MTL::PrimitiveTopologyClassTriangle;
    }
}

std::string rangeMistake(const char* count, const char* start, const RenderEncoderObject::Range& range) {
    for (const auto& [name, value] :
         {std::pair{start, range.start}, std::pair{count, range.count}, std::pair{"instanceCount", range.instanceCount},
          std::pair{"baseInstance", range.baseInstance}}) {
        if (value > mostNumber) return join(name, "(", value, ") must be <= ", mostNumber);
    }
    if (range.baseVertex < INT32_MIN || range.baseVertex > INT32_MAX)
        return join("baseVertex(", range.baseVertex, ") must be ", INT32_MIN, " to ", INT32_MAX);
    if (range.count > mostNumber - range.start)
        return join(start, "(", range.start, ") + ", count, "(", range.count, ") must be <= ", mostNumber);
    if (range.instanceCount > mostNumber - range.baseInstance) {
        return join("baseInstance(", range.baseInstance, ") + instanceCount(", range.instanceCount,
                    ") must be <= ", mostNumber);
    }
    return {};
}

void copyRange(const RenderEncoderObject::Range& range, metal_executor::render::DrawRange& to) {
    to.count = static_cast<std::uint32_t>(range.count);
    to.instanceCount = static_cast<std::uint32_t>(range.instanceCount);
    to.start = static_cast<std::uint32_t>(range.start);
    to.baseVertex = static_cast<std::int32_t>(range.baseVertex);
    to.baseInstance = static_cast<std::uint32_t>(range.baseInstance);
}

}  // namespace

std::string PassInProgress::begin(const RenderPassValues& descriptor) {
    std::string mistake = targets.begin(descriptor);
    if (mistake.empty()) targets.keep(*commandBuffer_);
    return mistake;
}

std::shared_ptr<DrawList> PassInProgress::addList() {
    lists_.push_back(std::make_shared<DrawList>());
    if (commandBuffer_->record() != nullptr)
        lists_.back()->record = std::make_unique<CommandRecord>(CommandRecord::Kind::render);
    return lists_.back();
}

/// Draws add to what is there, from all threads.
void PassInProgress::clearVisibility() {
    if (targets.values().visibilityType == MTL::VisibilityResultTypeAccumulate) return;
    const auto* buffer = as<BufferObject>(targets.values().visibilityBuffer.get());
    for (const auto& list : lists_) {
        for (const NS::UInteger offset : list->visibilityOffsets) {
            if (auto* record = commandBuffer_->record()) {
                CommandRecord fill(CommandRecord::Kind::fill);
                fill.fields.key("destination");
                writeSide(fill.fields, *record->session, buffer, offset);
                fill.fields.member("bytes", sizeof(std::uint64_t)).member("value", 0);
                fill.touch(buffer, true);
                record->describe(std::move(fill));
            }
            commandBuffer_->append(metal_executor::Fill{buffer->bytes() + offset, sizeof(std::uint64_t), 0});
        }
    }
}

void PassInProgress::watchIndices() {
    std::vector<WatchedIndices> all;
    for (const auto& list : lists_)
        std::move(list->watchedIndices.begin(), list->watchedIndices.end(), std::back_inserter(all));
    // A capture takes the call for a command of the program's.
    if (all.empty() || commandBuffer_->record() != nullptr) return;
    commandBuffer_->append(metal_executor::Call{[all = std::move(all)] {
        for (const WatchedIndices& indices : all) indices.check();
    }});
}

std::string PassInProgress::end() {
    auto pass = std::make_shared<RenderPass>();
    if (std::string mistake = targets.end(pass->targets); !mistake.empty()) return mistake;
    if (const auto& positions = targets.values().samplePositions; !positions.empty()) {
        auto* numbers = static_cast<float*>(commandBuffer_->allocate(positions.size() * 2 * sizeof(float), 16));
        for (std::size_t i = 0; i < positions.size(); ++i) {
            numbers[2 * i] = positions[i].x;
            numbers[2 * i + 1] = positions[i].y;
        }
        pass->samplePositions = numbers;
    }
    pass->verticesEnd = std::move(verticesEnd);
    pass->fragmentsBegin = std::move(fragmentsBegin);
    clearVisibility();
    watchPassEnd(commandBuffer_, targets);
    watchIndices();
    record();
    for (const auto& list : lists_) std::move(list->items.begin(), list->items.end(), std::back_inserter(pass->items));
    lists_.clear();
    commandBuffer_->append(metal_executor::render::Render{std::move(pass)});
    return {};
}

RenderEncoderObject::RenderEncoderObject(CommandBufferObject* commandBuffer, std::shared_ptr<PassInProgress> pass,
                                         bool isPart)
    : EncoderPart(commandBuffer, isPart),
      vertexTable(*this, ArgumentTable::vertex),
      fragmentTable(*this, ArgumentTable::fragment),
      state(*this, pass->targets),
      pass_(std::move(pass)),
      list_(pass_->addList()) {}

bool RenderEncoderObject::finish() {
    list_->visibilityOffsets = state.visibilityOffsets();
    if (isPart()) return true;
    if (std::string mistake = pass_->end(); !mistake.empty()) commandBuffer->noteMistake(std::move(mistake));
    return true;
}

void RenderEncoderObject::setPipeline(const RenderPipelineObject* pipeline) {
    if (!mayEncode("setRenderPipelineState")) return;
    if (pipeline == nullptr) return noteMistake("setRenderPipelineState: pipelineState must not be nil");
    if (pipeline == pipeline_) return;
    if (const std::string mistake = pass_->targets.formatsMistake(*pipeline); !mistake.empty()) {
        const std::string label = pipeline->label ? std::string(view(pipeline->label.get())) : std::string();
        return noteMistake("setRenderPipelineState: " + (label.empty() ? "" : "pipeline '" + label + "': ") + mistake);
    }
    commandBuffer->use(pipeline);
    pipeline_ = pipeline;
}

bool RenderEncoderObject::fillArguments(const StageCode& code, const ArgumentTable& table, Filled& filled) {
    if (filled.code == &code && filled.changes == table.changes()) return true;
    const std::size_t count = std::max<std::size_t>(code.slotCount, 1);
    void** slots = static_cast<void**>(commandBuffer->allocate(count * sizeof(void*), 16));
    std::fill_n(slots, count, nullptr);
    for (const PipelineFunction::Argument& argument : code.arguments) {
        // Function constants may have taken away the code that reads it.
        if (!code.firstKernel()->readsSlot(argument.facts->slot)) continue;
        std::string mistake = table.fill(code, argument, slots[argument.facts->slot]);
        if (mistake.empty()) continue;
        noteMistake(mistake);
        return false;
    }
    filled = {&code, table.changes(), slots};
    return true;
}

std::string RenderEncoderObject::attributeMistake(const VertexInput::Part& part, const Draw& draw) const {
    const auto explain = [&](const auto&... parts) {
        return join("Vertex Function(", pipeline_->vertex->function->name(), "): attribute ", part.facts->name,
                    " [[attribute(", part.facts->index, ")]] ", parts...);
    };
    const ArgumentTable::Buffer& buffer = vertexTable.buffer(part.buffer);
    if (buffer.bytes == nullptr) return explain("is fetched from Buffer(", part.buffer, "), where none is set");
    if (part.isStrideDynamic && buffer.stride == 0) {
        return explain("is fetched from Buffer(", part.buffer,
                       "), whose stride must be told with the buffer: the descriptor's is BufferLayoutStrideDynamic");
    }
    using metal_executor::render::VertexStep;
    const bool isPerVertex = part.fetch.step == VertexStep::perVertex;
    // Which vertices are indexed, and how many an indirect draw has, shows when it runs: elements outside are zeros.
    if (draw.indirect != nullptr || (isPerVertex && draw.indices != nullptr)) return {};
    if (draw.range.count == 0 || draw.range.instanceCount == 0) return {};
    std::uint64_t last = 0;
    if (isPerVertex) last = std::uint64_t{draw.range.start} + draw.range.count - 1;
    if (part.fetch.step == VertexStep::perInstance)
        last = draw.range.baseInstance + (draw.range.instanceCount - 1) / std::max(part.fetch.rate, 1u);
    const std::uint64_t stride = part.isStrideDynamic ? buffer.stride : part.fetch.attribute.stride;
    const std::uint64_t size = metal_executor::attributeFormatFacts(part.fetch.attribute.format).bytes;
    const std::uint64_t room = buffer.length;
    const bool fits = part.offset <= room && size <= room - part.offset &&
                      (stride == 0 || last <= (room - part.offset - size) / stride);
    if (fits) return {};
    return explain("is fetched from Buffer(", part.buffer, ") with offset(", buffer.offset, ") and length(",
                   buffer.offset + buffer.length, "), which has space for ", buffer.length,
                   " bytes, but the draw fetches element ", last, " of stride ", stride);
}

bool RenderEncoderObject::fillAttributes(Draw& draw) {
    const VertexInput& input = pipeline_->vertexInput;
    if (input.parts.empty()) return true;
    for (const VertexInput::Part& part : input.parts) {
        if (std::string mistake = attributeMistake(part, draw); !mistake.empty()) {
            noteMistake(mistake);
            return false;
        }
    }
    if (fetchedBy_ != pipeline_ || fetchedChanges_ != vertexTable.changes()) {
        auto fetches = std::make_shared<std::vector<metal_executor::render::VertexFetch>>();
        for (const VertexInput::Part& part : input.parts) {
            const ArgumentTable::Buffer& buffer = vertexTable.buffer(part.buffer);
            metal_executor::render::VertexFetch fetch = part.fetch;
            const std::uint64_t offset = std::min<std::uint64_t>(part.offset, buffer.length);
            fetch.attribute.data = buffer.bytes + offset;
            fetch.attribute.bytes = buffer.length - offset;
            if (part.isStrideDynamic) fetch.attribute.stride = buffer.stride;
            fetches->push_back(fetch);
        }
        attributes_ = std::move(fetches);
        fetchedBy_ = pipeline_;
        fetchedChanges_ = vertexTable.changes();
    }
    draw.attributes = attributes_;
    return true;
}

bool RenderEncoderObject::prepare(const char* call, MTL::PrimitiveType type) {
    if (!mayEncode(call)) return false;
    const auto refuse = [&](const auto&... parts) {
        noteMistake(join(call, ": ", parts...));
        return false;
    };
    if (pipeline_ == nullptr) return refuse("no render pipeline state is set");
    if (type > MTL::PrimitiveTypeTriangleStrip)
        return refuse("primitiveType(", type, ") must be <= ", MTL::PrimitiveTypeTriangleStrip);
    const bool fits =
        pipeline_->topology == MTL::PrimitiveTopologyClassUnspecified || pipeline_->topology == classOf(type);
    if (!fits) {
        return refuse("primitiveType(", type, ") is not of the pipeline state's inputPrimitiveTopology(",
                      pipeline_->topology, ")");
    }
    return true;
}

/// How much code for what is bound would have to do, about: each vertex covers some pixels, of the pass' at most.
void RenderEncoderObject::takeCode(Draw& draw) {
    draw.pipeline = pipeline_->linked();
    const bool fragmentTakes = pipeline_->fragment != nullptr && pipeline_->fragment->takesBoundCode;
    if (!pipeline_->vertex->takesBoundCode && !fragmentTakes) return;
    constexpr double likelyVertices = 1 << 12, pixelsOfVertex = 64;
    const double vertices =
        draw.indirect != nullptr ? likelyVertices : double(draw.range.count) * double(draw.range.instanceCount);
    const double pixels = std::min(vertices * pixelsOfVertex, double(pass_->targets.width * pass_->targets.height));
    const auto vertexKernel = vertexTable.boundCode(*pipeline_->vertex, draw.pipeline->vertex.kernel, vertices);
    auto fragmentKernel = draw.pipeline->fragment.kernel;
    if (fragmentTakes) fragmentKernel = fragmentTable.boundCode(*pipeline_->fragment, fragmentKernel, pixels);
    // Whoever encodes may not change the pipeline, but the pipeline may remember what it compiled.
    draw.pipeline = const_cast<RenderPipelineObject*>(pipeline_)->linkedWith(vertexKernel, fragmentKernel);
}

std::string RenderEncoderObject::labelOfDraws() const {
    std::string text = EncoderPart::label.text();
    for (const std::string& group : groups()) text += (text.empty() ? "" : " / ") + group;
    return text;
}

void RenderEncoderObject::append(MTL::PrimitiveType type, Draw& draw, const Indices* indices,
                                 const BufferObject* indirect, NS::UInteger offset) {
    if (!fillAttributes(draw) || !fillArguments(*pipeline_->vertex, vertexTable, vertexFilled_)) return;
    draw.vertexArguments = vertexFilled_.arguments;
    if (pipeline_->fragment != nullptr) {
        if (!fillArguments(*pipeline_->fragment, fragmentTable, fragmentFilled_)) return;
        draw.fragmentArguments = fragmentFilled_.arguments;
    }
    state.fill(draw, pipeline_->colors);
    draw.primitive = static_cast<metal_executor::render::PrimitiveKind>(type);
    draw.label = labelOfDraws();
    watchDraw(draw, indices, indirect, offset);
    if (list_->record != nullptr) recordDraw(draw, indices, indirect, offset);
    takeCode(draw);
    list_->items.emplace_back(std::move(draw));
}

void RenderEncoderObject::draw(MTL::PrimitiveType type, const Range& range) {
    constexpr const char* call = "drawPrimitives";
    if (!prepare(call, type)) return;
    if (const std::string mistake = rangeMistake("vertexCount", "vertexStart", range); !mistake.empty())
        return noteMistake(join(call, ": ", mistake));
    Draw draw;
    copyRange(range, draw.range);
    append(type, draw);
}

bool RenderEncoderObject::takeIndices(const char* call, const Indices& indices, Draw& draw) {
    const auto refuse = [&](const auto&... parts) {
        noteMistake(join(call, ": ", parts...));
        return false;
    };
    if (indices.buffer == nullptr) return refuse("indexBuffer must not be nil");
    if (indices.type > MTL::IndexTypeUInt32)
        return refuse("indexType(", indices.type, ") must be <= ", MTL::IndexTypeUInt32);
    const NS::UInteger size = indices.type == MTL::IndexTypeUInt32 ? 4 : 2, length = indices.buffer->length;
    if (indices.offset % size != 0)
        return refuse("indexBufferOffset(", indices.offset, ") must be a multiple of ", size);
    const NS::UInteger bytes = draw.indirect != nullptr ? size : draw.range.count * size;
    if (indices.offset > length || bytes > length - indices.offset) {
        return refuse("indexBufferOffset(", indices.offset, ") + indexCount(", bytes / size, ") * ", size,
                      " must be <= the indexBuffer's length(", length, ")");
    }
    commandBuffer->useBuffer(indices.buffer);
    draw.indices = indices.buffer->bytes() + indices.offset;
    draw.indexBytes = length - indices.offset;
    draw.indexSize = static_cast<std::uint32_t>(size);
    return true;
}

void RenderEncoderObject::drawIndexed(MTL::PrimitiveType type, const Indices& indices, const Range& range) {
    constexpr const char* call = "drawIndexedPrimitives";
    if (!prepare(call, type)) return;
    if (const std::string mistake = rangeMistake("indexCount", "indexStart", range); !mistake.empty())
        return noteMistake(join(call, ": ", mistake));
    Draw draw;
    copyRange(range, draw.range);
    if (takeIndices(call, indices, draw)) append(type, draw, &indices);
}

void RenderEncoderObject::drawIndirect(MTL::PrimitiveType type, const Indices* indices, const BufferObject* buffer,
                                       NS::UInteger offset) {
    const char* call = indices != nullptr ? "drawIndexedPrimitives" : "drawPrimitives";
    if (!prepare(call, type)) return;
    const NS::UInteger size = indices != nullptr ? sizeof(MTL::DrawIndexedPrimitivesIndirectArguments)
                                                 : sizeof(MTL::DrawPrimitivesIndirectArguments);
    if (buffer == nullptr) return noteMistake(join(call, ": indirectBuffer must not be nil"));
    if (offset % 4 != 0 || offset > buffer->length || size > buffer->length - offset) {
        return noteMistake(join(call, ": indirectBufferOffset(", offset, ") must be a multiple of 4, with ", size,
                                " bytes to the end of the buffer, whose length is ", buffer->length));
    }
    Draw draw;
    draw.indirect = reinterpret_cast<const std::uint32_t*>(buffer->bytes() + offset);
    if (indices != nullptr && !takeIndices(call, *indices, draw)) return;
    commandBuffer->useBuffer(buffer);
    append(type, draw, indices, buffer, offset);
}

void RenderEncoderObject::barrier(const char* call, MTL::BarrierScope scope) {
    if (!mayEncode(call)) return;
    list_->items.emplace_back(metal_executor::render::DrawBarrier{});
    if (auto* watch = commandBuffer->watch()) watch->barrier(scope);
}

void RenderEncoderObject::barrier(const MTL::Resource* const resources[], NS::UInteger count) {
    if (!mayEncode("memoryBarrier")) return;
    list_->items.emplace_back(metal_executor::render::DrawBarrier{});
    auto* watch = commandBuffer->watch();
    for (NS::UInteger i = 0; watch != nullptr && i < count; ++i) watch->barrier(part<ResourcePart>(resources[i]));
}

// Passes of a queue run one after the other, each seeing all that was written before it: fences ask for no more.
void RenderEncoderObject::update(const MTL::Fence* fence) {
    if (auto* watch = commandBuffer->watch()) watch->update(fence);
}
void RenderEncoderObject::wait(const MTL::Fence* fence) {
    if (auto* watch = commandBuffer->watch()) watch->wait(fence);
}

void RenderEncoderObject::sample(const CounterBufferObject* buffer, NS::UInteger index) {
    list_->items.emplace_back(metal_executor::render::DrawBarrier{});
    // It makes no draw: it is asked for one when those before the barrier have ended.
    list_->items.emplace_back(metal_executor::render::GenerateDraws{[take = sampling(buffer, index)](Draw&) {
        take();
        return false;
    }});
}

void RenderEncoderObject::useResource(const MTL::Resource* resource, MTL::ResourceUsage usage) {
    if (!mayEncode("useResource")) return;
    if (resource == nullptr) return noteMistake("useResource: resource must not be nil");
    commandBuffer->use(resource);
    if (auto* watch = commandBuffer->watch())
        watch->use(part<ResourcePart>(resource), (usage & MTL::ResourceUsageWrite) != 0);
    if (list_->record != nullptr) recordUse(resource, usage);
}

void RenderEncoderObject::useHeap(const MTL::Heap* heap) {
    if (!mayEncode("useHeap")) return;
    if (heap == nullptr) return noteMistake("useHeap: heap must not be nil");
    commandBuffer->use(heap);
    if (auto* watch = commandBuffer->watch()) watch->use(heap);
}

}  // namespace metal_objects
