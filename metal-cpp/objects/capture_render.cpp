// SPDX-License-Identifier: MIT
//
// What a capture notes of a render pass: its attachments when it begins, its draws as they are encoded.

#include <algorithm>

#include "buffer.hpp"
#include "capture_session.hpp"
#include "indirect_draws.hpp"
#include "live_resources.hpp"
#include "render_encoder.hpp"
#include "texture.hpp"

namespace metal_objects {

namespace {

using metal_capture::JsonWriter;
using metal_executor::render::Draw;

template <class Numbers>
void writeNumbers(JsonWriter& json, const char* name, const Numbers& numbers) {
    json.key(name).beginArray();
    for (const auto number : numbers) json.value(number);
    json.endArray();
}

const char* loadName(MTL::LoadAction action) {
    constexpr const char* names[] = {"dont_care", "load", "clear"};
    return names[std::min<NS::UInteger>(action, 2)];
}

const char* storeName(MTL::StoreAction action) {
    constexpr const char* names[] = {"dont_care", "store", "resolve", "store_and_resolve", "unknown", "store"};
    return names[std::min<NS::UInteger>(action, 5)];
}

class AttachmentWriter {
public:
    AttachmentWriter(CommandRecord& record, CaptureObjects& objects) : record_(record), objects_(objects) {}

    /// Begins an object, for what the kind has besides; false where nothing is attached.
    bool begin(const std::string& name, const AttachmentValues& attachment) {
        const auto* texture = as<TextureObject>(attachment.texture.get());
        if (texture == nullptr) return false;
        JsonWriter& json = record_.fields;
        json.beginObject().member("name", name);
        writeImage(texture, attachment.level, attachment.slice, attachment.depthPlane);
        json.member("load", loadName(attachment.load)).member("store", storeName(attachment.store));
        const auto* resolve = as<TextureObject>(attachment.resolveTexture.get());
        const bool resolves = attachment.store == MTL::StoreActionMultisampleResolve ||
                              attachment.store == MTL::StoreActionStoreAndMultisampleResolve;
        if (resolve == nullptr || !resolves) return true;
        json.key("resolve").beginObject();
        writeImage(resolve, attachment.resolveLevel, attachment.resolveSlice, attachment.resolveDepthPlane);
        json.endObject();
        return true;
    }

private:
    void writeImage(const TextureObject* texture, NS::UInteger level, NS::UInteger slice, NS::UInteger depthPlane) {
        record_.fields.member("resource", objects_.resource(texture)).member("level", level);
        record_.fields.member("slice", slice).member("depth_plane", depthPlane);
        record_.touchLevel(texture, level, true);
    }

    CommandRecord& record_;
    CaptureObjects& objects_;
};

void writeAttachments(const PassTargets& targets, CommandRecord& record, CaptureObjects& objects) {
    AttachmentWriter writer(record, objects);
    JsonWriter& json = record.fields;
    json.key("attachments").beginArray();
    for (NS::UInteger i = 0; i < colorCount; ++i) {
        const PassColorObject* color = targets.values().colors->find(i);
        if (color == nullptr || !writer.begin("color" + std::to_string(i), color->values)) continue;
        const MTL::ClearColor& clear = color->values.clear;
        writeNumbers(json, "clear", std::array{clear.red, clear.green, clear.blue, clear.alpha});
        json.endObject();
    }
    if (writer.begin("depth", targets.values().depth->values))
        json.member("clear", targets.values().depth->values.clear).endObject();
    if (writer.begin("stencil", targets.values().stencil->values))
        json.member("clear", targets.values().stencil->values.clear).endObject();
    json.endArray();
}

void writeFace(JsonWriter& json, const char* name, const metal_executor::render::StencilFace& face) {
    json.key(name).beginObject().member("compare", unsigned{face.compare});
    json.member("stencil_failure", unsigned{face.stencilFails}).member("depth_failure", unsigned{face.depthFails});
    json.member("pass", unsigned{face.passes}).member("read_mask", unsigned{face.readMask});
    json.member("write_mask", unsigned{face.writeMask}).member("reference", unsigned{face.reference}).endObject();
}

void writeState(JsonWriter& json, const Draw& draw) {
    const metal_executor::render::RasterState& raster = draw.raster;
    constexpr const char* culls[] = {"none", "front", "back"};
    json.key("state").beginObject().member("cull", culls[static_cast<int>(raster.cull)]);
    json.member("front_is_clockwise", raster.frontWinding == metal_executor::render::Winding::clockwise);
    json.member("fills", raster.fill == metal_executor::render::FillMode::fill);
    json.member("clips_depth", raster.depthClip == metal_executor::render::DepthClip::clip);
    writeNumbers(json, "depth_bias",
                 std::array{double{raster.depthBias}, double{raster.depthSlopeScale}, double{raster.depthBiasClamp}});
    json.key("viewports").beginArray();
    for (std::uint32_t i = 0; i < raster.viewportCount; ++i) {
        const auto& one = raster.viewports[i];
        json.beginArray().value(one.x).value(one.y).value(one.width).value(one.height);
        json.value(one.nearDepth).value(one.farDepth).endArray();
    }
    json.endArray().key("scissors").beginArray();
    for (std::uint32_t i = 0; i < raster.scissorCount; ++i) {
        const auto& one = raster.scissors[i];
        json.beginArray().value(one.x).value(one.y).value(one.width).value(one.height).endArray();
    }
    json.endArray();
    const float* blend = draw.colors.constant;
    writeNumbers(json, "blend_color", std::array<double, 4>{blend[0], blend[1], blend[2], blend[3]});
    json.member("depth_compare", unsigned{draw.depthStencil.depthCompare});
    json.member("writes_depth", draw.depthStencil.writesDepth);
    writeFace(json, "front", draw.depthStencil.front);
    writeFace(json, "back", draw.depthStencil.back);
    json.member("visibility", static_cast<unsigned>(draw.depthStencil.visibility)).endObject();
}

const char* primitiveName(metal_executor::render::PrimitiveKind kind) {
    constexpr const char* names[] = {"point", "line", "line_strip", "triangle", "triangle_strip"};
    return names[static_cast<int>(kind)];
}

}  // namespace

void RenderEncoderObject::beginEntry(const char* kind) {
    JsonWriter& json = list_->record->fields;
    json.beginObject().member("kind", kind);
    if (const std::string text = EncoderPart::label.text(); !text.empty()) json.member("label", text);
    if (groups().empty()) return;
    json.key("groups").beginArray();
    for (const std::string& group : groups()) json.value(group);
    json.endArray();
}

void RenderEncoderObject::recordBindings(const char* name, const StageCode& code, const ArgumentTable& table) {
    CommandRecord& record = *list_->record;
    CaptureSession& session = *commandBuffer->record()->session;
    const std::size_t before = record.argumentBuffers.size();
    record.fields.key(name).beginArray();
    for (std::uint32_t i = 0; i < code.arguments.size(); ++i) {
        if (code.firstKernel()->readsSlot(code.arguments[i].facts->slot)) table.record(code, i, record, session);
    }
    record.fields.endArray();
    for (std::size_t i = before; i < record.argumentBuffers.size(); ++i)
        record.argumentBuffers[i].draw = list_->entryCount;
}

void RenderEncoderObject::recordAttributes() {
    constexpr const char* steps[] = {"constant", "vertex", "instance"};
    CommandRecord& record = *list_->record;
    if (pipeline_->vertexInput.parts.empty()) return;
    record.fields.key("stage_in").beginArray();
    for (const VertexInput::Part& part : pipeline_->vertexInput.parts) {
        const std::uint64_t dynamic = vertexTable.buffer(part.buffer).stride;
        record.fields.beginObject().member("name", part.facts->name).member("attribute", part.facts->index);
        record.fields.member("format", part.fetch.attribute.format);
        record.fields.member("stride", part.isStrideDynamic ? dynamic : part.fetch.attribute.stride);
        record.fields.member("attribute_offset", part.offset);
        record.fields.member("step", steps[static_cast<int>(part.fetch.step)]).member("rate", part.fetch.rate);
        vertexTable.recordBuffer(part.buffer, record, *commandBuffer->record()->session);
        record.fields.endObject();
    }
    record.fields.endArray();
}

void RenderEncoderObject::recordDraw(const Draw& draw, const Indices* indices, const BufferObject* indirect,
                                     NS::UInteger offset) {
    CommandRecord& record = *list_->record;
    CaptureSession& session = *commandBuffer->record()->session;
    JsonWriter& json = record.fields;
    beginEntry("draw");
    json.member("pipeline", session.objects.renderPipeline(pipeline_));
    json.member("primitive", primitiveName(draw.primitive));
    if (indirect != nullptr) {
        json.key("indirect");
        writeSide(json, session, indirect, offset);
        record.touch(indirect, false);
    } else {
        json.member("count", draw.range.count).member("start", draw.range.start);
        json.member("instances", draw.range.instanceCount).member("base_instance", draw.range.baseInstance);
        json.member("base_vertex", draw.range.baseVertex);
    }
    if (indices != nullptr) {
        json.key("indices").beginObject().member("resource", session.objects.resource(indices->buffer));
        json.member("offset", indices->offset).member("index_size", draw.indexSize).endObject();
        record.touch(indices->buffer, false);
    }
    recordBindings("vertex_bindings", *pipeline_->vertex, vertexTable);
    if (pipeline_->fragment != nullptr) recordBindings("fragment_bindings", *pipeline_->fragment, fragmentTable);
    recordAttributes();
    writeState(json, draw);
    json.endObject();
    ++list_->entryCount;
}

void RenderEncoderObject::recordUse(const MTL::Resource* resource, MTL::ResourceUsage usage) {
    const auto* used = part<ResourcePart>(resource);
    CaptureSession& session = *commandBuffer->record()->session;
    beginEntry("use");
    list_->record->fields.member("resource", session.objects.resource(used)).member("usage", usage).endObject();
    list_->record->touch(used, (usage & MTL::ResourceUsageWrite) != 0);
    ++list_->entryCount;
}

void RenderEncoderObject::recordSignpost(const std::string& text) {
    if (list_->record == nullptr) return;
    beginEntry("signpost");
    list_->record->fields.member("text", text).endObject();
    ++list_->entryCount;
}

void RenderEncoderObject::recordExecution(const IndirectBufferObject* commands, CommandRange range,
                                          const BufferObject* ranges, NS::UInteger offset) {
    CommandRecord& record = *list_->record;
    CaptureSession& session = *commandBuffer->record()->session;
    beginEntry("execute");
    record.fields.member("commands", session.objects.resource(commands));
    if (ranges != nullptr) {
        record.fields.key("indirect");
        writeSide(record.fields, session, ranges, offset);
        record.touch(ranges, false);
    }
    record.fields.endObject();
    if (commands->values.inheritBuffers) {
        for (const ArgumentTable* table : {&vertexTable, &fragmentTable}) {
            for (const ArgumentTable::Buffer& bound : table->buffers()) {
                if (bound.buffer != nullptr) record.touch(bound.buffer, true);
            }
        }
    }
    list_->executions.push_back({list_->entryCount++, NS::RetainPtr(const_cast<IndirectBufferObject*>(commands)), range,
                                 commands->values.inheritPipelineState
                                     ? NS::RetainPtr(const_cast<RenderPipelineObject*>(pipeline_))
                                     : NS::SharedPtr<RenderPipelineObject>()});
}

void PassInProgress::record() {
    BufferRecord* buffer = commandBuffer_->record();
    if (buffer == nullptr) return;
    CommandRecord record(CommandRecord::Kind::render);
    writeNumbers(record.fields, "size", std::array{targets.width, targets.height});
    record.fields.member("layers", targets.layers).member("samples", targets.sampleCount);
    writeAttachments(targets, record, buffer->session->objects);
    if (const auto* visible = as<BufferObject>(targets.values().visibilityBuffer.get())) {
        record.fields.member("visibility", buffer->session->objects.resource(visible));
        record.touch(visible, true);
    }
    std::vector<DrawList::Execution> executions;
    std::size_t before = 0;
    record.fields.key("draws").beginArray();
    for (const auto& list : lists_) {
        CommandRecord& drawn = *list->record;
        if (list->entryCount != 0) record.fields.raw(drawn.fields.text());
        for (const Touch& touch : drawn.touches) record.touch(touch);
        for (ArgumentBuffer& argument : drawn.argumentBuffers) {
            if (argument.draw) *argument.draw += before;
            record.argumentBuffers.push_back(std::move(argument));
        }
        for (DrawList::Execution& execution : list->executions) {
            execution.entry += before;
            executions.push_back(std::move(execution));
        }
        before += list->entryCount;
    }
    record.fields.endArray();
    if (!executions.empty()) {
        record.tellMore = [executions](CommandRecord& begun, CaptureObjects& objects) {
            begun.fields.key("executed").beginArray();
            for (const DrawList::Execution& one : executions)
                tellOfDraws(one.commands.get(), one.range, one.inherited.get(), one.entry, begun, objects);
            begun.fields.endArray();
        };
    }
    buffer->describe(std::move(record));
}

namespace {

void noteBuffers(const BoundBuffer* bound, std::uint32_t count, const StageCode& code, CommandRecord& record) {
    for (const PipelineFunction::Argument& argument : code.arguments) {
        const protocol::Argument& facts = *argument.facts;
        if (facts.kind != protocol::ArgumentKind::buffer || facts.index >= count) continue;
        const auto buffer = LiveResources::bufferAt(bound[facts.index].address);
        if (!buffer) continue;
        record.touch(buffer.get(), facts.access != static_cast<std::uint32_t>(MTL::BindingAccessReadOnly));
        record.held.push_back(NS::RetainPtr<NS::Object>(buffer.get()));
    }
}

void noteReadAt(std::uint64_t address, CommandRecord& record) {
    const auto buffer = LiveResources::bufferAt(address);
    if (!buffer) return;
    record.touch(buffer.get(), false);
    record.held.push_back(NS::RetainPtr<NS::Object>(buffer.get()));
}

}  // namespace

void tellOfDraws(const IndirectBufferObject* commands, CommandRange range, RenderPipelineObject* inherited,
                 std::size_t entry, CommandRecord& record, CaptureObjects& objects) {
    const auto [location, length] = presentSpan(range);
    const std::uint64_t end = std::min<std::uint64_t>(location + length, commands->count);
    for (std::uint64_t at = location; at < end; ++at) {
        const auto& command = *reinterpret_cast<const RenderCommand*>(commands->command(at));
        const bool isIndexed = command.kind == RenderCommandKind::drawIndexed;
        if (command.kind != RenderCommandKind::draw && !isIndexed) continue;
        auto pipeline = NS::RetainPtr(inherited);
        if (!commands->values.inheritPipelineState) pipeline = RenderPipelineObject::find(command.pipeline);
        if (!pipeline) continue;
        JsonWriter& json = record.fields;
        json.beginObject().member("draw", entry).member("index", at);
        json.member("pipeline", objects.renderPipeline(pipeline.get()));
        json.member(
            "primitive",
            primitiveName(static_cast<metal_executor::render::PrimitiveKind>(std::min(command.primitiveType, 4u))));
        json.member("count", command.numbers[isIndexed ? 0 : 1]).member("instances", command.numbers[2]).endObject();
        if (isIndexed) noteReadAt(command.addresses[0], record);
        if (commands->values.inheritBuffers) continue;
        const auto* bound = reinterpret_cast<const BoundBuffer*>(&command + 1);
        const CommandFacts& facts = commands->facts;
        noteBuffers(bound, facts.firstCount, *pipeline->vertex, record);
        for (const VertexInput::Part& part : pipeline->vertexInput.parts) {
            if (part.buffer < facts.firstCount) noteReadAt(bound[part.buffer].address, record);
        }
        if (pipeline->fragment != nullptr)
            noteBuffers(bound + facts.firstCount, facts.secondCount, *pipeline->fragment, record);
    }
}

}  // namespace metal_objects
