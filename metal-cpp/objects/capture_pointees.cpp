// SPDX-License-Identifier: MIT

#include "capture_pointees.hpp"

#include <cstring>
#include <set>
#include <string>

#include "buffer.hpp"
#include "live_resources.hpp"
#include "texture.hpp"

namespace metal_objects {

using metal_capture::JsonWriter;

namespace {

// An argument buffer may be as large as its program likes; a list of what it points at must end somewhere.
constexpr unsigned mostHandles = 1 << 16;
constexpr unsigned mostNested = 16;

bool is(const protocol::Type& type, MTL::DataType kind) {
    return type.dataType == static_cast<std::uint32_t>(kind);
}

class Walk {
public:
    Walk(JsonWriter& json, CaptureObjects& objects, CommandRecord& record, const ArgumentBuffer& argument)
        : json_(json), objects_(objects), record_(record), argument_(argument), types_(argument.types->types) {}

    void run() {
        const ArgumentBuffer& argument = argument_;
        const std::uint64_t length = argument.buffer->length - argument.offset;
        const std::uint8_t* begin = argument.buffer->bytes() + argument.offset;
        if (argument.isReference) return value(argument.type, begin, length, "");
        elements(argument.type, begin, length, "");
    }

private:
    /// As many of a type as there is room for.
    void elements(std::uint32_t index, const std::uint8_t* at, std::uint64_t length, const std::string& path) {
        const std::uint64_t size = types_[index].size;
        if (size == 0) return;
        const std::uint64_t count = length / size;
        for (std::uint64_t i = 0; i < count && left_ > 0; ++i) {
            // One alone is a reference, which has no index in the source.
            const std::string element = count == 1 ? path : path + "[" + std::to_string(i) + "]";
            value(index, at + i * size, length - i * size, element);
        }
    }

    void value(std::uint32_t index, const std::uint8_t* at, std::uint64_t length, const std::string& path) {
        const protocol::Type& type = types_[index];
        if (!hasHandles(*argument_.types, index) || left_ == 0) return;
        if (is(type, MTL::DataTypeStruct)) {
            for (const protocol::Member& member : type.members) {
                if (member.type == protocol::noType || member.offset >= length) continue;
                value(member.type, at + member.offset, length - member.offset,
                      path.empty() ? member.name : path + "." + member.name);
            }
        } else if (is(type, MTL::DataTypeArray)) {
            for (std::uint64_t i = 0; i < type.arrayLength && i * type.stride < length; ++i)
                value(type.element, at + i * type.stride, length - i * type.stride,
                      path + "[" + std::to_string(i) + "]");
        } else if (length >= sizeof(std::uint64_t)) {
            std::uint64_t handle = 0;
            std::memcpy(&handle, at, sizeof handle);
            if (handle != 0) this->handle(type, handle, path);
        }
    }

    void handle(const protocol::Type& type, std::uint64_t handle, const std::string& path) {
        --left_;
        if (is(type, MTL::DataTypeSampler)) {
            begin("sampler", path).key("sampler");
            writeSampler(json_, handle);
            json_.endObject();
        } else if (is(type, MTL::DataTypeTexture)) {
            if (const auto texture = LiveResources::textureOf(handle)) {
                begin("texture", path).member("resource", objects_.resource(texture.get())).endObject();
                record_.touch(texture.get(), type.access != MTL::BindingAccessReadOnly);
                record_.held.push_back(NS::RetainPtr<NS::Object>(texture.get()));
            }
        } else if (is(type, MTL::DataTypePointer)) {
            pointer(type, handle, path);
        } else if (const auto table = LiveResources::tableOf(handle)) {
            begin("function_table", path).key("functions");
            writeFunctions(json_, table.get());
            json_.endObject();
        }
    }

    void pointer(const protocol::Type& type, std::uint64_t address, const std::string& path) {
        const auto buffer = LiveResources::bufferAt(address);
        if (!buffer) return;
        const std::uint64_t offset = address - reinterpret_cast<std::uint64_t>(buffer->bytes());
        begin("buffer", path).member("resource", objects_.resource(buffer.get())).member("offset", offset);
        json_.member("access", type.access == MTL::BindingAccessReadOnly ? "read" : "read_write");
        if (type.element != protocol::noType) json_.member("type", objects_.typeOf(argument_.function, type.element));
        json_.endObject();
        record_.touch(buffer.get(), type.access != MTL::BindingAccessReadOnly);
        record_.held.push_back(NS::RetainPtr<NS::Object>(buffer.get()));
        if (type.element == protocol::noType || !hasHandles(*argument_.types, type.element)) return;
        if (depth_ == mostNested || !seen_.emplace(address, type.element).second) return;
        ++depth_;
        elements(type.element, buffer->bytes() + offset, buffer->length - offset, path);
        --depth_;
    }

    JsonWriter& begin(const char* kind, const std::string& path) {
        json_.beginObject();
        if (argument_.draw) json_.member("draw", *argument_.draw).member("function", argument_.function);
        return json_.member("argument", argument_.argument).member("path", path).member("kind", kind);
    }

    JsonWriter& json_;
    CaptureObjects& objects_;
    CommandRecord& record_;
    const ArgumentBuffer& argument_;
    const std::vector<protocol::Type>& types_;
    unsigned left_ = mostHandles, depth_ = 0;
    std::set<std::pair<std::uint64_t, std::uint32_t>> seen_;
};

bool hasHandles(const protocol::LibraryReply& reply, std::uint32_t index, unsigned depth) {
    if (index == protocol::noType || depth == mostNested) return false;
    const protocol::Type& type = reply.types[index];
    if (is(type, MTL::DataTypePointer) || is(type, MTL::DataTypeTexture) || is(type, MTL::DataTypeSampler) ||
        is(type, MTL::DataTypeVisibleFunctionTable))
        return true;
    if (is(type, MTL::DataTypeArray)) return hasHandles(reply, type.element, depth + 1);
    for (const protocol::Member& member : type.members) {
        if (hasHandles(reply, member.type, depth + 1)) return true;
    }
    return false;
}

}  // namespace

bool hasHandles(const protocol::LibraryReply& reply, std::uint32_t type) {
    return hasHandles(reply, type, 0);
}

void forEachPart(const Touch& touch, const std::function<void(const Touch& touch, const void* data, std::uint64_t size,
                                                              std::optional<std::uint32_t> level)>& visit) {
    const auto* texture = dynamic_cast<const TextureObject*>(touch.resource);
    if (texture == nullptr) {
        return visit(touch, touch.resource->bytes(), static_cast<const BufferObject*>(touch.resource)->length, {});
    }
    for (std::uint32_t level = touch.firstLevel; level < touch.firstLevel + touch.levelCount; ++level) {
        const metal_texture_level& place = texture->handle.levels[level];
        const std::uint64_t images = place.depth * texture->sliceCount() * texture->values.sampleCount;
        visit(touch, place.data, place.bytes_per_image * images, level);
    }
}

void writePointees(JsonWriter& json, CaptureObjects& objects, CommandRecord& record) {
    json.key("pointees").beginArray();
    for (const ArgumentBuffer& argument : record.argumentBuffers) Walk(json, objects, record, argument).run();
    json.endArray();
}

}  // namespace metal_objects
