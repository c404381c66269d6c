// SPDX-License-Identifier: MIT

#include "string.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <unordered_map>

#include "data.hpp"

namespace metal_objects {

namespace {

/// Length of the UTF-8 sequence at the front of `text`, or zero when it is not one.
std::size_t sequenceLength(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    if (byte(0) < 0x80) return 1;
    const std::size_t length = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
    if (byte(0) < 0xC2 || byte(0) > 0xF4 || text.size() < length) return 0;
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0) != 0x80) return 0;
    }
    if (byte(0) == 0xE0 && byte(1) < 0xA0) return 0;  // overlong
    if (byte(0) == 0xED && byte(1) > 0x9F) return 0;  // surrogate
    if (byte(0) == 0xF0 && byte(1) < 0x90) return 0;  // overlong
    if (byte(0) == 0xF4 && byte(1) > 0x8F) return 0;  // past U+10FFFF
    return length;
}

bool isUtf8(std::string_view text) {
    while (!text.empty()) {
        const std::size_t length = sequenceLength(text);
        if (length == 0) return false;
        text.remove_prefix(length);
    }
    return true;
}

bool isAscii(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

std::uint32_t codePoint(std::string_view sequence) {
    std::uint32_t value = static_cast<unsigned char>(sequence[0]);
    if (sequence.size() == 1) return value;
    value &= 0x7Fu >> sequence.size();
    for (const char byte : sequence.substr(1)) value = value << 6 | (static_cast<unsigned char>(byte) & 0x3Fu);
    return value;
}

/// Calls `visit(code point, UTF-16 index, byte offset)` for each until it returns false.
template <class Visit>
void forEachCodePoint(std::string_view text, Visit visit) {
    std::size_t offset = 0;
    NS::UInteger index = 0;
    while (offset < text.size()) {
        const std::size_t length = sequenceLength(text.substr(offset));
        const std::uint32_t point = codePoint(text.substr(offset, length));
        if (!visit(point, index, offset)) return;
        index += point > 0xFFFF ? 2 : 1;
        offset += length;
    }
}

NS::UInteger utf16Length(std::string_view text) {
    NS::UInteger length = 0;
    forEachCodePoint(text, [&](std::uint32_t point, NS::UInteger, std::size_t) {
        length += point > 0xFFFF ? 2 : 1;
        return true;
    });
    return length;
}

/// The text as UTF-8; false when the bytes are not valid in `encoding`.
bool decode(std::string_view bytes, NS::StringEncoding encoding, std::string& text) {
    switch (encoding) {
        case NS::UTF8StringEncoding:
            text = bytes;
            return isUtf8(bytes);
        case NS::ASCIIStringEncoding:
            text = bytes;
            return isAscii(bytes);
        case NS::ISOLatin1StringEncoding:
            text.clear();
            for (const char c : bytes) {
                const auto byte = static_cast<unsigned char>(c);
                if (byte >= 0x80) text.push_back(static_cast<char>(0xC0 | byte >> 6));
                text.push_back(byte >= 0x80 ? static_cast<char>(0x80 | (byte & 0x3F)) : c);
            }
            return true;
        default:
            return false;
    }
}

/// The inverse of decode.
bool encode(std::string_view text, NS::StringEncoding encoding, std::string& bytes) {
    switch (encoding) {
        case NS::UTF8StringEncoding:
            bytes = text;
            return true;
        case NS::ASCIIStringEncoding:
            bytes = text;
            return isAscii(text);
        case NS::ISOLatin1StringEncoding: {
            bool fits = true;
            bytes.clear();
            forEachCodePoint(text, [&](std::uint32_t point, NS::UInteger, std::size_t) {
                bytes.push_back(static_cast<char>(point));
                return fits = point <= 0xFF;
            });
            return fits;
        }
        default:
            return false;
    }
}

std::string lowered(std::string_view text) {
    std::string result(text);
    for (char& c : result) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return result;
}

/// Takes over the caller's reference to `string`, as every init does.
NS::String* filled(NS::String* string, std::string_view bytes, NS::StringEncoding encoding) {
    std::string text;
    if (!decode(bytes, encoding, text)) {
        string->release();
        return nullptr;
    }
    as<StringObject>(string)->text = std::move(text);
    return string;
}

}  // namespace

NS::UInteger StringObject::hashValue() const {
    return std::hash<std::string>{}(text);
}

bool StringObject::equals(const NS::Object* other) const {
    const auto* string = dynamic_cast<const StringObject*>(other);
    return string != nullptr && string->text == text;
}

NS::String* StringObject::describe() const {
    return const_cast<StringObject*>(this);
}

NS::String* makeString(std::string_view text) {
    auto* string = new StringObject;
    string->text = text;
    return string;
}

NS::String* autoreleasedString(std::string_view text) {
    return makeString(text)->autorelease();
}

std::string_view view(const NS::String* text) {
    return text != nullptr ? std::string_view(as<StringObject>(text)->text) : std::string_view();
}

}  // namespace metal_objects

using metal_objects::as;
using metal_objects::autoreleasedString;
using metal_objects::StringObject;
using metal_objects::view;

namespace NS {

String* constantString(const char* text) {
    // Never freed, and neither are the strings: constants of other files may refer to them to the very end.
    static auto* const strings = new std::unordered_map<std::string, String*>;
    static auto* const mutex = new std::mutex;
    std::lock_guard lock(*mutex);
    String*& string = (*strings)[text];
    if (string == nullptr) string = metal_objects::makeString(text);
    return string;
}

String* String::string() {
    return autoreleasedString("");
}

String* String::string(const String* pString) {
    return autoreleasedString(view(pString));
}

String* String::string(const char* pString, StringEncoding encoding) {
    return alloc()->init(pString, encoding)->autorelease();
}

String* String::alloc() {
    return new StringObject;
}

String* String::init() {
    return this;
}

String* String::init(const String* pString) {
    as<StringObject>(this)->text = view(pString);
    return this;
}

String* String::init(const char* pString, StringEncoding encoding) {
    return metal_objects::filled(this, pString != nullptr ? pString : "", encoding);
}

String* String::init(void* pBytes, UInteger len, StringEncoding encoding, bool freeBuffer) {
    String* string = metal_objects::filled(this, {static_cast<const char*>(pBytes), len}, encoding);
    if (freeBuffer) std::free(pBytes);
    return string;
}

unichar String::character(UInteger index) const {
    unichar result = 0;
    metal_objects::forEachCodePoint(view(this), [&](std::uint32_t point, UInteger at, std::size_t) {
        if (at + (point > 0xFFFF) < index) return true;
        if (point <= 0xFFFF) {
            result = static_cast<unichar>(point);
        } else {
            const std::uint32_t pair = point - 0x10000;
            result = static_cast<unichar>(at == index ? 0xD800 + (pair >> 10) : 0xDC00 + (pair & 0x3FF));
        }
        return false;
    });
    return result;
}

UInteger String::length() const {
    return metal_objects::utf16Length(view(this));
}

const char* String::cString(StringEncoding encoding) const {
    std::string bytes;
    if (!metal_objects::encode(view(this), encoding, bytes)) return nullptr;
    if (bytes == view(this)) return utf8String();
    bytes.push_back('\0');
    return static_cast<const char*>(metal_objects::makeData(bytes)->autorelease()->mutableBytes());
}

const char* String::utf8String() const {
    return as<StringObject>(this)->text.c_str();
}

UInteger String::maximumLengthOfBytes(StringEncoding encoding) const {
    return encoding == UTF8StringEncoding ? 3 * length() : length();
}

UInteger String::lengthOfBytes(StringEncoding encoding) const {
    std::string bytes;
    return metal_objects::encode(view(this), encoding, bytes) ? bytes.size() : 0;
}

bool String::isEqualToString(const String* pString) const {
    return pString != nullptr && view(this) == view(pString);
}

Range String::rangeOfString(const String* pString, StringCompareOptions options) const {
    const bool caseless = options & CaseInsensitiveSearch;
    const std::string text = caseless ? metal_objects::lowered(view(this)) : std::string(view(this));
    const std::string sought = caseless ? metal_objects::lowered(view(pString)) : std::string(view(pString));
    std::size_t offset = options & BackwardsSearch ? text.rfind(sought) : text.find(sought);
    if (options & AnchoredSearch) {
        const bool fits = sought.size() <= text.size();
        const std::size_t anchor = fits && (options & BackwardsSearch) ? text.size() - sought.size() : 0;
        offset = fits && text.compare(anchor, sought.size(), sought) == 0 ? anchor : std::string::npos;
    }
    if (sought.empty() || offset == std::string::npos) return Range(static_cast<UInteger>(NotFound), 0);
    return Range(metal_objects::utf16Length(std::string_view(text).substr(0, offset)),
                 metal_objects::utf16Length(sought));
}

const char* String::fileSystemRepresentation() const {
    return utf8String();
}

String* String::stringByAppendingString(const String* pString) const {
    return autoreleasedString(std::string(view(this)).append(view(pString)));
}

ComparisonResult String::caseInsensitiveCompare(const String* pString) const {
    const int order = metal_objects::lowered(view(this)).compare(metal_objects::lowered(view(pString)));
    return order < 0 ? OrderedAscending : order > 0 ? OrderedDescending : OrderedSame;
}

}  // namespace NS
