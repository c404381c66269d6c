// SPDX-License-Identifier: MIT
//
// Failures, and the checks of arguments that throw them. They become the exception classes of mtlpy_nb/errors.py.

#pragma once

#include <cstdint>
#include <exception>
#include <initializer_list>
#include <sstream>
#include <string>
#include <utility>

#include "handle.hpp"

namespace mtlpy {

enum class ErrorKind { metal, compile, pipeline, resource, validation, execution };

class Failure : public std::exception {
public:
    Failure(ErrorKind kind, std::string message, std::string log = {})
        : kind(kind), message(std::move(message)), log(std::move(log)) {}
    const char* what() const noexcept override { return message.c_str(); }

    ErrorKind kind;
    std::string message;
    std::string log;  // NS::Error's own text, where the message says more
};

template <class... Parts>
std::string concat(const Parts&... parts) {
    std::ostringstream stream;
    (stream << ... << parts);
    return std::move(stream).str();
}

[[noreturn]] void fail(ErrorKind kind, const std::string& message);

/// What Metal made for us; it gives nil where it can't.
template <class T>
NS::SharedPtr<T> made(T* object, const char* what) {
    if (!object) fail(ErrorKind::resource, concat("Failed to create Metal ", what));
    return owned(object);
}

/// "new_buffer: length is -1, must be 1 ... 4294967296"
NS::UInteger checkedCount(const char* where, const char* name, std::int64_t value, std::uint64_t minimum,
                          std::uint64_t maximum);

/// `value` as an index below `limit`.
NS::UInteger checkedIndex(const char* where, const char* name, std::int64_t value, std::uint64_t limit);

/// That [offset, offset + size) lies in something of `length` bytes.
void checkRange(const char* where, const char* what, std::int64_t offset, std::int64_t size, std::uint64_t length);

void bindErrors(nb::module_& module);

}  // namespace mtlpy
