// SPDX-License-Identifier: MIT

#include "data.hpp"

#include <chrono>

namespace metal_objects {

namespace {

class DateObject final : public Implements<NS::Date> {
public:
    std::chrono::system_clock::time_point time;
};

class UrlObject final : public Implements<NS::URL> {
public:
    std::string text;
    std::string path;  // empty: not a file's URL

private:
    NS::UInteger hashValue() const override { return std::hash<std::string>{}(text); }
    bool equals(const NS::Object* other) const override {
        const auto* url = dynamic_cast<const UrlObject*>(other);
        return url != nullptr && url->text == text;
    }
    NS::String* describe() const override { return autoreleasedString(text); }
};

constexpr std::string_view fileScheme = "file://";

}  // namespace

NS::UInteger DataObject::hashValue() const {
    return std::hash<std::string>{}(bytes);
}

bool DataObject::equals(const NS::Object* other) const {
    const auto* data = dynamic_cast<const DataObject*>(other);
    return data != nullptr && data->bytes == bytes;
}

NS::Object* DataObject::duplicate() const {
    return makeData(bytes);
}

NS::Data* makeData(std::string_view bytes) {
    auto* data = new DataObject;
    data->bytes = bytes;
    return data;
}

}  // namespace metal_objects

using metal_objects::as;
using metal_objects::DataObject;
using metal_objects::DateObject;
using metal_objects::UrlObject;

namespace NS {

void* Data::mutableBytes() const {
    return as<DataObject>(this)->bytes.data();
}

UInteger Data::length() const {
    return as<DataObject>(this)->bytes.size();
}

Date* Date::dateWithTimeIntervalSinceNow(TimeInterval secs) {
    auto* date = new DateObject;
    date->time = std::chrono::system_clock::now() +
                 std::chrono::duration_cast<std::chrono::system_clock::duration>(std::chrono::duration<double>(secs));
    return date->autorelease();
}

URL* URL::fileURLWithPath(const String* pPath) {
    return alloc()->initFileURLWithPath(pPath)->autorelease();
}

URL* URL::alloc() {
    return new UrlObject;
}

URL* URL::init() {
    return this;
}

URL* URL::init(const String* pString) {
    const std::string_view text = metal_objects::view(pString);
    if (text.empty() || text.find(' ') != text.npos) {
        release();
        return nullptr;
    }
    auto* url = as<UrlObject>(this);
    url->text = text;
    if (text.starts_with(metal_objects::fileScheme)) url->path = text.substr(metal_objects::fileScheme.size());
    return this;
}

URL* URL::initFileURLWithPath(const String* pPath) {
    auto* url = as<UrlObject>(this);
    url->path = metal_objects::view(pPath);
    url->text = std::string(metal_objects::fileScheme) + url->path;
    return this;
}

const char* URL::fileSystemRepresentation() const {
    const auto* url = as<UrlObject>(this);
    return url->path.empty() ? nullptr : url->path.c_str();
}

}  // namespace NS
