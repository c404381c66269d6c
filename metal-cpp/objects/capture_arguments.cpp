// SPDX-License-Identifier: MIT
//
// What a capture notes of arguments that are bound when a command is encoded.

#include <algorithm>

#include "argument_table.hpp"
#include "buffer.hpp"
#include "capture_pointees.hpp"
#include "capture_session.hpp"
#include "function_tables.hpp"
#include "texture.hpp"

namespace metal_objects {

using metal_capture::JsonWriter;

void ArgumentTable::record(const PipelineFunction& function, std::uint32_t at, CommandRecord& record,
                           CaptureSession& session) const {
    JsonWriter& json = record.fields;
    const protocol::Argument& facts = *function.arguments[at].facts;
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
            const Reply& reply = function.function->library->reply;
            if (facts.type == protocol::noType || !hasHandles(*reply, facts.type)) return;
            record.argumentBuffers.push_back({session.objects.function(&function), at, bound.buffer, bound.offset,
                                              reply, facts.type, facts.isReference, std::nullopt});
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
        case protocol::ArgumentKind::functionTable:
            json.beginObject().member("argument", at).key("functions");
            writeFunctions(json, functionTables_[facts.index]);
            json.endObject();
            return;
        case protocol::ArgumentKind::threadgroupMemory:  // the compute encoder's
            return;
    }
}

void ArgumentTable::recordBuffer(NS::UInteger index, CommandRecord& record, CaptureSession& session) const {
    const Buffer& bound = buffers_[index];
    record.fields.member("buffer", index);
    if (bound.buffer == nullptr) {
        record.fields.member("content", session.contentOf(bound.bytes, bound.length));
        return;
    }
    record.fields.member("resource", session.objects.resource(bound.buffer)).member("offset", bound.offset);
    record.touch(bound.buffer, false);
}

}  // namespace metal_objects
