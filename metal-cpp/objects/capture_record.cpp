// SPDX-License-Identifier: MIT

#include "capture_record.hpp"

#include <algorithm>

#include "buffer.hpp"
#include "capture_session.hpp"
#include "texture.hpp"

namespace metal_objects {

using metal_capture::JsonWriter;

void CommandRecord::touch(const ResourcePart* resource, bool isWritten) {
    if (const auto* texture = dynamic_cast<const TextureObject*>(resource)) {
        for (NS::UInteger level = 0; level < texture->values.mipmapLevelCount; ++level)
            touchLevel(texture, level, isWritten);
    } else if (dynamic_cast<const BufferObject*>(resource) != nullptr) {
        touch(Touch{resource, 0, 0, isWritten});
    }
    // Else a function table, which is told of by its functions' names, or indirect commands.
}

void CommandRecord::touchLevel(const TextureObject* texture, NS::UInteger level, bool isWritten) {
    for (; texture->parent; texture = as<TextureObject>(texture->parent.get())) level += texture->parentLevel;
    if (texture->buffer) return touch(Touch{as<BufferObject>(texture->buffer.get()), 0, 0, isWritten});
    if (texture->handle.levels[level].data == nullptr) return;  // memoryless: nothing is there before and after
    touch(Touch{texture, static_cast<std::uint32_t>(level), 1, isWritten});
}

void CommandRecord::touch(const Touch& touched) {
    const auto known = std::find_if(touches.begin(), touches.end(), [&](const Touch& other) {
        return other.resource == touched.resource && other.firstLevel == touched.firstLevel &&
               other.levelCount == touched.levelCount;
    });
    if (known == touches.end()) {
        touches.push_back(touched);
    } else {
        known->isWritten |= touched.isWritten;
    }
}

void BufferRecord::appended() {
    CommandRecord record = next_ ? std::move(*next_) : CommandRecord(CommandRecord::Kind::other);
    next_.reset();
    record.fields.member("command_buffer", number).member("queue", queue);
    if (isEncoding_) record.fields.member("encoder", encoders_.size() - 1);
    if (!groups_.empty()) {
        record.fields.key("groups").beginArray();
        for (const std::string& group : groups_) record.fields.value(group);
        record.fields.endArray();
    }
    commands_.push_back(std::move(record));
}

void BufferRecord::beginEncoder(const char* kind) {
    encoders_.push_back({kind, {}});
    isEncoding_ = true;
    groupsOutside_ = groups_.size();
}

void BufferRecord::endEncoder(std::string label) {
    isEncoding_ = false;
    encoders_.back().label = std::move(label);
    groups_.resize(groupsOutside_);
    groupsOutside_ = 0;
}

std::string BufferRecord::encoders() const {
    JsonWriter json;
    json.beginArray();
    for (const Encoder& encoder : encoders_)
        json.beginObject().member("kind", encoder.kind).member("label", encoder.label).endObject();
    json.endArray();
    return json.take();
}

void writeSide(JsonWriter& json, CaptureSession& session, const BufferObject* buffer, std::uint64_t offset,
               std::uint64_t bytesPerRow, std::uint64_t bytesPerImage) {
    json.beginObject().member("resource", session.objects.resource(buffer)).member("offset", offset);
    if (bytesPerRow != 0) json.member("bytes_per_row", bytesPerRow).member("bytes_per_image", bytesPerImage);
    json.endObject();
}

void writeSide(JsonWriter& json, CaptureSession& session, const TextureObject* texture, std::uint64_t slice,
               std::uint64_t level, MTL::Origin origin) {
    json.beginObject().member("resource", session.objects.resource(texture)).member("slice", slice);
    json.member("level", level).key("origin").beginArray().value(origin.x).value(origin.y).value(origin.z).endArray();
    json.endObject();
}

void writeSize(JsonWriter& json, MTL::Size size) {
    json.key("size").beginArray().value(size.width).value(size.height).value(size.depth).endArray();
}

}  // namespace metal_objects
