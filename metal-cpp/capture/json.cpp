// SPDX-License-Identifier: MIT

#include "json.hpp"

#include <charconv>
#include <cmath>
#include <cstdio>

namespace metal_capture {

namespace {

// Bytes of a character of UTF-8 at the start of `text`; 0 where there is none. Labels may hold any bytes.
std::size_t characterBytes(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(0);
    const std::size_t count = first < 0x80                     ? 1
                              : first >= 0xc2 && first <= 0xdf ? 2
                              : first >= 0xe0 && first <= 0xef ? 3
                              : first >= 0xf0 && first <= 0xf4 ? 4
                                                               : 0;
    if (count == 0 || count > text.size()) return 0;
    for (std::size_t i = 1; i < count; ++i) {
        if ((byte(i) & 0xc0) != 0x80) return 0;
    }
    const bool isOverlong = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xf0 && byte(1) < 0x90);
    const bool isOutside = (first == 0xed && byte(1) > 0x9f) || (first == 0xf4 && byte(1) > 0x8f);
    return isOverlong || isOutside ? 0 : count;
}

void appendQuoted(std::string& to, std::string_view text) {
    to += '"';
    while (!text.empty()) {
        const char c = text.front();
        const std::size_t bytes = characterBytes(text);
        if (bytes == 0) {
            to += "\xef\xbf\xbd";  // U+FFFD
        } else if (c == '"' || c == '\\') {
            to += '\\';
            to += c;
        } else if (static_cast<unsigned char>(c) < 0x20) {
            char escaped[8];
            std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(c));
            to += escaped;
        } else {
            to += text.substr(0, bytes);
        }
        text.remove_prefix(bytes == 0 ? 1 : bytes);
    }
    to += '"';
}

}  // namespace

void JsonWriter::separate() {
    if (needsComma_) text_ += ',';
    needsComma_ = true;
}

JsonWriter& JsonWriter::open(char bracket) {
    separate();
    text_ += bracket;
    needsComma_ = false;
    return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
    text_ += bracket;
    needsComma_ = true;
    return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
    separate();
    appendQuoted(text_, name);
    text_ += ':';
    needsComma_ = false;
    return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
    separate();
    appendQuoted(text_, text);
    return *this;
}

JsonWriter& JsonWriter::value(double number) {
    if (!std::isfinite(number)) return null();
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    return raw(std::string_view(digits, static_cast<std::size_t>(end - digits)));
}

JsonWriter& JsonWriter::raw(std::string_view json) {
    if (json.empty()) return *this;
    separate();
    text_ += json;
    return *this;
}

}  // namespace metal_capture
