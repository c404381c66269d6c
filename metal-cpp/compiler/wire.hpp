// SPDX-License-Identifier: MIT
//
// Turns plain structs into bytes and back, for the pipe between a Metal device and `metal-compiler` and for cache
// files. A struct takes part by a member `template <class F> void fields(F& f) { f(a, b, c); }` that lists its fields
// in order. Integers are little-endian as in memory; the two ends are always the same machine.

#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace wire {

using Bytes = std::vector<std::uint8_t>;

template <class T>
concept Scalar = std::is_arithmetic_v<T> || std::is_enum_v<T>;

struct DecodeError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class Encoder {
public:
    template <class... T>
    void operator()(T&... values) {
        (put(values), ...);
    }
    Bytes take() { return std::move(bytes_); }

private:
    void raw(const void* data, std::size_t size) {
        const auto* first = static_cast<const std::uint8_t*>(data);
        bytes_.insert(bytes_.end(), first, first + size);
    }
    template <Scalar T>
    void put(T& value) {
        raw(&value, sizeof value);
    }
    void put(std::string& text) {
        std::uint64_t size = text.size();
        raw(&size, sizeof size);
        raw(text.data(), text.size());
    }
    template <class T>
    void put(std::vector<T>& values) {
        std::uint64_t size = values.size();
        raw(&size, sizeof size);
        if constexpr (std::is_same_v<T, std::uint8_t>) {
            raw(values.data(), values.size());
        } else {
            for (T& value : values) put(value);
        }
    }
    template <class T>
        requires std::is_class_v<T>
    void put(T& value) {
        value.fields(*this);
    }

    Bytes bytes_;
};

class Decoder {
public:
    explicit Decoder(std::span<const std::uint8_t> bytes) : rest_(bytes) {}

    template <class... T>
    void operator()(T&... values) {
        (get(values), ...);
    }
    bool atEnd() const { return rest_.empty(); }

private:
    void raw(void* data, std::size_t size) {
        if (size > rest_.size()) throw DecodeError("message ends early");
        if (size != 0) std::memcpy(data, rest_.data(), size);
        rest_ = rest_.subspan(size);
    }
    std::size_t length() {
        std::uint64_t size = 0;
        raw(&size, sizeof size);
        if (size > rest_.size()) throw DecodeError("message ends early");
        return static_cast<std::size_t>(size);
    }
    template <Scalar T>
    void get(T& value) {
        raw(&value, sizeof value);
    }
    void get(std::string& text) {
        text.resize(length());
        raw(text.data(), text.size());
    }
    template <class T>
    void get(std::vector<T>& values) {
        values.clear();
        values.resize(length());
        if constexpr (std::is_same_v<T, std::uint8_t>) {
            raw(values.data(), values.size());
        } else {
            for (T& value : values) get(value);
        }
    }
    template <class T>
        requires std::is_class_v<T>
    void get(T& value) {
        value.fields(*this);
    }

    std::span<const std::uint8_t> rest_;
};

template <class T>
Bytes encode(const T& value) {
    Encoder encoder;
    const_cast<T&>(value).fields(
        encoder);  // fields() serves both directions, so it is not const; the encoder only reads
    return encoder.take();
}

/// Throws DecodeError when `bytes` is not exactly one `T`.
template <class T>
T decode(std::span<const std::uint8_t> bytes) {
    T value;
    Decoder decoder(bytes);
    value.fields(decoder);
    if (!decoder.atEnd()) throw DecodeError("message has bytes left over");
    return value;
}

}  // namespace wire
