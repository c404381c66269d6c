// SPDX-License-Identifier: MIT
//
// Writes JSON, piece by piece, into a text.

#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace metal_capture {

class JsonWriter {
public:
    JsonWriter& beginObject() { return open('{'); }
    JsonWriter& endObject() { return close('}'); }
    JsonWriter& beginArray() { return open('['); }
    JsonWriter& endArray() { return close(']'); }

    /// Before each value of an object.
    JsonWriter& key(std::string_view name);

    JsonWriter& value(std::string_view text);
    JsonWriter& value(const char* text) { return value(std::string_view(text)); }
    JsonWriter& value(bool isTrue) { return raw(isTrue ? "true" : "false"); }
    /// Not a number, or infinite: null.
    JsonWriter& value(double number);
    template <std::integral Number>
    JsonWriter& value(Number number) {
        return raw(std::to_string(number));
    }
    JsonWriter& null() { return raw("null"); }

    /// What is JSON already: a value, or (in an object) members.
    JsonWriter& raw(std::string_view json);

    template <class Value>
    JsonWriter& member(std::string_view name, const Value& content) {
        return key(name).value(content);
    }

    const std::string& text() const { return text_; }
    std::string take() { return std::move(text_); }

private:
    JsonWriter& open(char bracket);
    JsonWriter& close(char bracket);
    void separate();

    std::string text_;
    bool needsComma_ = false;
};

}  // namespace metal_capture
