// SPDX-License-Identifier: MIT
//
// What a capture notes of a dispatch when it is encoded.

#include <algorithm>

#include "buffer.hpp"
#include "capture_pointees.hpp"
#include "capture_session.hpp"
#include "compute_encoder.hpp"
#include "function_tables.hpp"
#include "indirect_commands.hpp"
#include "texture.hpp"

namespace metal_objects {

using metal_capture::JsonWriter;

namespace {

void writeSizes(JsonWriter& json, const char* name, const std::uint32_t (&sizes)[3]) {
    json.key(name).beginArray().value(sizes[0]).value(sizes[1]).value(sizes[2]).endArray();
}

}  // namespace

void ComputeEncoderObject::recordArgument(CommandRecord& record, CaptureSession& session, std::uint32_t at) const {
    JsonWriter& json = record.fields;
    const PipelineObject::Argument& argument = pipeline_->arguments[at];
    const protocol::Argument& facts = *argument.facts;
    const bool isWritten = facts.access != static_cast<std::uint32_t>(MTL::BindingAccessReadOnly);
    const std::size_t count = std::max<std::uint64_t>(facts.arrayLength, 1);
    switch (facts.kind) {
        case protocol::ArgumentKind::buffer: {
            const Buffer& bound = buffers_[facts.index];
            json.beginObject().member("argument", at);
            if (bound.buffer == nullptr) {
                json.member("content", session.contentOf(bound.bytes, bound.length)).endObject();
                return;
            }
            json.member("resource", session.objects.resource(bound.buffer)).member("offset", bound.offset).endObject();
            record.touch(bound.buffer, isWritten);
            const Reply& reply = pipeline_->function->library->reply;
            if (facts.type == protocol::noType || !hasHandles(*reply, facts.type)) return;
            record.types = reply;
            record.argumentBuffers.push_back({at, bound.buffer, bound.offset, facts.type, facts.isReference});
            return;
        }
        case protocol::ArgumentKind::texture:
            for (std::size_t i = 0; i < count; ++i) {
                const TextureObject* texture = textures_[facts.index + i];
                json.beginObject().member("argument", at).member("element", i);
                json.member("resource", session.objects.resource(texture)).endObject();
                record.touch(texture, isWritten);
            }
            return;
        case protocol::ArgumentKind::sampler:
            for (std::size_t i = 0; i < count; ++i) {
                json.beginObject().member("argument", at).member("element", i).key("sampler");
                writeSampler(json, samplers_[facts.index + i].bits);
                json.endObject();
            }
            return;
        case protocol::ArgumentKind::threadgroupMemory:
            json.beginObject().member("argument", at).member("length", threadgroupLengths_[facts.index]).endObject();
            return;
        case protocol::ArgumentKind::functionTable:
            json.beginObject().member("argument", at).key("functions");
            writeFunctions(json, functionTables_[facts.index]);
            json.endObject();
            return;
    }
}

void ComputeEncoderObject::recordStageIn(CommandRecord& record, CaptureSession& session) const {
    const StageInput& input = pipeline_->stageInput;
    if (input.columnCount == 0) return;
    const auto writeSource = [&](NS::UInteger index) {
        const Buffer& bound = buffers_[index];
        record.fields.member("buffer", index);
        if (bound.buffer == nullptr) {
            record.fields.member("content", session.contentOf(bound.bytes, bound.length));
            return;
        }
        record.fields.member("resource", session.objects.resource(bound.buffer)).member("offset", bound.offset);
        record.touch(bound.buffer, false);
    };
    constexpr const char* steps[] = {"constant", "x", "y", "indexed x", "indexed y"};
    record.fields.key("stage_in").beginArray();
    for (const StageInput::Part& part : input.parts) {
        record.fields.beginObject().member("name", part.facts->name).member("attribute", part.facts->index);
        record.fields.member("format", part.attribute.format).member("stride", part.attribute.stride);
        record.fields.member("attribute_offset", part.offset).member("step", steps[static_cast<int>(part.step)]);
        record.fields.member("rate", part.rate);
        writeSource(part.buffer);
        record.fields.endObject();
    }
    record.fields.endArray();
    if (!input.isIndexed) return;
    record.fields.key("indices").beginObject().member("index_size", input.indexSize);
    writeSource(input.indexBuffer);
    record.fields.endObject();
}

CommandRecord ComputeEncoderObject::recordOf(const metal_executor::Dispatch& dispatch, CaptureSession& session) const {
    CommandRecord record(CommandRecord::Kind::dispatch);
    record.pipeline = session.objects.pipeline(pipeline_);
    record.fields.member("pipeline", record.pipeline);
    std::copy_n(dispatch.launch.threads_per_threadgroup, 3, record.threadgroup);
    writeSizes(record.fields, "threadgroup", dispatch.launch.threads_per_threadgroup);
    if (dispatch.indirect == nullptr) {
        writeSizes(record.fields, "grid", dispatch.launch.threads_per_grid);
        writeSizes(record.fields, "threadgroups", dispatch.launch.threadgroups_per_grid);
    }
    record.fields.key("bindings").beginArray();
    for (std::uint32_t i = 0; i < pipeline_->arguments.size(); ++i) {
        // Function constants may have taken away the code that reads it; then nothing need be bound.
        if (dispatch.kernel->readsSlot(pipeline_->arguments[i].facts->slot)) recordArgument(record, session, i);
    }
    record.fields.endArray();
    recordStageIn(record, session);
    recordUses(record, session);
    return record;
}

void ComputeEncoderObject::recordUses(CommandRecord& record, CaptureSession& session) const {
    if (uses_.empty()) return;
    record.fields.key("uses").beginArray();
    for (const Use& use : uses_) {
        const auto* resource = part<ResourcePart>(use.object.get());
        record.fields.beginObject().member("resource", session.objects.resource(resource));
        record.fields.member("usage", use.usage).endObject();
        record.touch(resource, (use.usage & MTL::ResourceUsageWrite) != 0);
    }
    record.fields.endArray();
}

void ComputeEncoderObject::record(const metal_executor::Dispatch& dispatch, const BufferObject* indirect,
                                  NS::UInteger offset) const {
    CaptureSession& session = *commandBuffer->record()->session;
    CommandRecord record = recordOf(dispatch, session);
    if (indirect != nullptr) {
        record.indirect = dispatch.indirect;
        record.fields.key("indirect");
        writeSide(record.fields, session, indirect, offset);
        record.touch(indirect, false);
    }
    commandBuffer->record()->describe(std::move(record));
}

void ComputeEncoderObject::recordExecution(const IndirectBufferObject* commands, CommandRange range,
                                           const BufferObject* ranges, NS::UInteger offset) const {
    CaptureSession& session = *commandBuffer->record()->session;
    CommandRecord record(CommandRecord::Kind::execute);
    record.fields.member("commands", session.objects.resource(commands));
    if (ranges != nullptr) {
        record.fields.key("indirect");
        writeSide(record.fields, session, ranges, offset);
        record.touch(ranges, false);
    }
    if (commands->values.inheritBuffers) {
        for (const Buffer& bound : buffers_) {
            if (bound.buffer != nullptr) record.touch(bound.buffer, true);
        }
    }
    recordUses(record, session);
    const auto* inherited = commands->values.inheritPipelineState ? pipeline_ : nullptr;
    record.tellMore = [commands = NS::RetainPtr(const_cast<IndirectBufferObject*>(commands)), range,
                       inherited = NS::RetainPtr(const_cast<PipelineObject*>(inherited))](CommandRecord& begun,
                                                                                          CaptureObjects& objects) {
        tellOfCommands(commands.get(), range, inherited.get(), begun, objects);
    };
    commandBuffer->record()->describe(std::move(record));
}

}  // namespace metal_objects
