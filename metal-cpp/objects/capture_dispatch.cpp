// SPDX-License-Identifier: MIT
//
// What a capture notes of a dispatch when it is encoded.

#include <algorithm>

#include "buffer.hpp"
#include "capture_session.hpp"
#include "compute_encoder.hpp"
#include "indirect_commands.hpp"

namespace metal_objects {

using metal_capture::JsonWriter;

namespace {

void writeSizes(JsonWriter& json, const char* name, const std::uint32_t (&sizes)[3]) {
    json.key(name).beginArray().value(sizes[0]).value(sizes[1]).value(sizes[2]).endArray();
}

}  // namespace

void ComputeEncoderObject::recordArgument(CommandRecord& record, CaptureSession& session, std::uint32_t at) const {
    const protocol::Argument& facts = *pipeline_->arguments[at].facts;
    if (facts.kind != protocol::ArgumentKind::threadgroupMemory)
        return arguments.record(*pipeline_, at, record, session);
    const NS::UInteger length = threadgroupLengths_[facts.index];
    record.fields.beginObject().member("argument", at).member("length", length).endObject();
}

void ComputeEncoderObject::recordStageIn(CommandRecord& record, CaptureSession& session) const {
    const StageInput& input = pipeline_->stageInput;
    if (input.columnCount == 0) return;
    constexpr const char* steps[] = {"constant", "x", "y", "indexed x", "indexed y"};
    record.fields.key("stage_in").beginArray();
    for (const StageInput::Part& part : input.parts) {
        record.fields.beginObject().member("name", part.facts->name).member("attribute", part.facts->index);
        record.fields.member("format", part.attribute.format).member("stride", part.attribute.stride);
        record.fields.member("attribute_offset", part.offset).member("step", steps[static_cast<int>(part.step)]);
        record.fields.member("rate", part.rate);
        arguments.recordBuffer(part.buffer, record, session);
        record.fields.endObject();
    }
    record.fields.endArray();
    if (!input.isIndexed) return;
    record.fields.key("indices").beginObject().member("index_size", input.indexSize);
    arguments.recordBuffer(input.indexBuffer, record, session);
    record.fields.endObject();
}

CommandRecord ComputeEncoderObject::recordOf(const metal_executor::Dispatch& dispatch, CaptureSession& session) const {
    CommandRecord record(CommandRecord::Kind::dispatch);
    record.fields.member("pipeline", session.objects.function(pipeline_));
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
        for (const ArgumentTable::Buffer& bound : arguments.buffers()) {
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
