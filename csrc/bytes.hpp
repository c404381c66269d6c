// SPDX-License-Identifier: MIT
//
// Bytes from and into Python objects: bytes, bytearray, memoryview, NumPy arrays, anything with the buffer protocol.

#pragma once

#include <cstddef>

#include "handle.hpp"

namespace mtlpy {

/// An argument that must have the buffer protocol; ByteView looks into it.
struct BytesLike {
    nb::handle object;
};

/// The bytes of an object, held while this lives. C-contiguous and, for `write`, writable; anything else is a
/// ValidationError that names the function and the argument. Made and destroyed with the GIL held.
class ByteView {
public:
    enum class Access { read, write };
    ByteView(BytesLike source, Access access, const char* where, const char* name = "data");
    ~ByteView();
    ByteView(const ByteView&) = delete;
    ByteView& operator=(const ByteView&) = delete;

    std::byte* data() const { return static_cast<std::byte*>(view_.buf); }
    std::size_t size() const { return static_cast<std::size_t>(view_.len); }

private:
    Py_buffer view_{};
};

}  // namespace mtlpy

namespace nanobind::detail {

template <>
struct type_caster<mtlpy::BytesLike> {
    NB_TYPE_CASTER(mtlpy::BytesLike, const_name("typing_extensions.Buffer"))

    bool from_python(handle source, uint32_t, cleanup_list*) noexcept {
        value.object = source;
        return PyObject_CheckBuffer(source.ptr());
    }
};

}  // namespace nanobind::detail
