// SPDX-License-Identifier: MIT

#include "capture_types.hpp"

namespace metal_objects {

std::uint32_t CaptureTypes::number(std::uint32_t libraryType) {
    const auto [found, isNew] = numbers_.try_emplace(libraryType, static_cast<std::uint32_t>(listed_.size()));
    const std::uint32_t number = found->second;
    if (!isNew) return number;
    listed_.push_back(libraryType);
    const protocol::Type& type = reply_.types[libraryType];
    if (type.element != protocol::noType) this->number(type.element);
    for (const protocol::Member& member : type.members) {
        if (member.type != protocol::noType) this->number(member.type);
    }
    return number;
}

void CaptureTypes::write(metal_capture::JsonWriter& json) const {
    const auto writeNumber = [&](std::uint32_t libraryType) {
        if (libraryType == protocol::noType) {
            json.null();
        } else {
            json.value(numbers_.at(libraryType));
        }
    };
    json.beginArray();
    for (const std::uint32_t index : listed_) {
        const protocol::Type& type = reply_.types[index];
        json.beginObject().member("name", type.name).member("data_type", type.dataType).member("size", type.size);
        json.member("alignment", type.alignment).member("array_length", type.arrayLength);
        json.member("stride", type.stride).key("element");
        writeNumber(type.element);
        json.key("members").beginArray();
        for (const protocol::Member& member : type.members) {
            json.beginObject().member("name", member.name).member("offset", member.offset).key("type");
            writeNumber(member.type);
            json.endObject();
        }
        json.endArray().endObject();
    }
    json.endArray();
}

}  // namespace metal_objects
