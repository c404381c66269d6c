// SPDX-License-Identifier: MIT

#include "errors.hpp"

namespace mtlpy {

namespace {

const char* className(ErrorKind kind) {
    switch (kind) {
        case ErrorKind::metal:
            return "MetalError";
        case ErrorKind::compile:
            return "CompileError";
        case ErrorKind::pipeline:
            return "PipelineError";
        case ErrorKind::resource:
            return "ResourceError";
        case ErrorKind::validation:
            return "ValidationError";
        case ErrorKind::execution:
            return "ExecutionError";
    }
    return "MetalError";
}

void translate(const std::exception_ptr& pointer, void*) {
    try {
        std::rethrow_exception(pointer);
    } catch (const Failure& failure) {
        // Source text and log may hold any bytes; a message must not fail on them.
        const auto text = [](const std::string& bytes) {
            return nb::steal(PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "replace"));
        };
        nb::object type = nb::module_::import_("mtlpy_nb.errors").attr(className(failure.kind));
        nb::object error = type(text(failure.message));
        if (!failure.log.empty()) error.attr("log") = text(failure.log);
        PyErr_SetObject(type.ptr(), error.ptr());
    }
}

}  // namespace

void fail(ErrorKind kind, const std::string& message) {
    throw Failure(kind, message);
}

NS::UInteger checkedCount(const char* where, const char* name, std::int64_t value, std::uint64_t minimum,
                          std::uint64_t maximum) {
    if (value < 0 || static_cast<std::uint64_t>(value) < minimum || static_cast<std::uint64_t>(value) > maximum)
        fail(ErrorKind::validation, concat(where, ": ", name, " is ", value, ", must be ", minimum, " to ", maximum));
    return static_cast<NS::UInteger>(value);
}

NS::UInteger checkedIndex(const char* where, const char* name, std::int64_t value, std::uint64_t limit) {
    if (value < 0 || static_cast<std::uint64_t>(value) >= limit)
        fail(ErrorKind::validation, concat(where, ": ", name, " is ", value, ", must be 0 to ", limit - 1));
    return static_cast<NS::UInteger>(value);
}

void checkRange(const char* where, const char* what, std::int64_t offset, std::int64_t size, std::uint64_t length) {
    if (offset < 0 || size < 0 || static_cast<std::uint64_t>(offset) > length ||
        static_cast<std::uint64_t>(size) > length - static_cast<std::uint64_t>(offset))
        fail(ErrorKind::validation,
             concat(where, ": ", size, " bytes at offset ", offset, " don't fit ", what, " of ", length, " bytes"));
}

void bindErrors(nb::module_&) {
    nb::register_exception_translator(translate);
}

}  // namespace mtlpy
