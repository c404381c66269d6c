// SPDX-License-Identifier: MIT
//
// Buffers as DLPack's Metal memory, whose address is the Metal object's; and Python's buffer protocol for classes that
// are written in Python, which before Python 3.12 only C can give.

#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>
#include <Metal/Metal.hpp>

#include "bind.hpp"
#include "errors.hpp"

namespace mtlpy {

namespace {

using namespace nb::literals;
using MetalArray = nb::ndarray<nb::device::metal>;

MetalArray metalArray(nb::handle_t<MTL::Buffer> buffer, std::int64_t offset, int code, int bits,
                      const std::vector<std::size_t>& shape) {
    auto& metal = nb::cast<MTL::Buffer&>(buffer);
    std::int64_t size = bits / 8;
    for (const std::size_t length : shape)
        if (__builtin_mul_overflow(size, length, &size))
            fail(ErrorKind::validation, "metal_array: the shape has more than 2^63 bytes");
    checkRange("metal_array", "the buffer", offset, size, metal.length());
    const nb::dlpack::dtype type{static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(bits), 1};
    return MetalArray(&metal, shape.size(), shape.data(), buffer, nullptr, type, nb::device::metal::value, 0, 'C',
                      static_cast<std::uint64_t>(offset));
}

nb::tuple metalMemory(const nb::ndarray<nb::device::metal, nb::c_contig>& array) {
    auto* buffer = static_cast<MTL::Buffer*>(array.data_handle());
    if (!buffer) fail(ErrorKind::validation, "metal_memory: the array has no memory");
    std::vector<std::size_t> shape(array.ndim());
    for (std::size_t i = 0; i < shape.size(); ++i) shape[i] = array.shape(i);
    return nb::make_tuple(shared(buffer), array.byte_offset(), array.dtype().code, array.dtype().bits, shape);
}

/// Lets an array that the object gives answer for it.
int getBuffer(PyObject* self, Py_buffer* view, int flags) noexcept {
    view->obj = nullptr;
    PyObject* array = PyObject_CallMethod(self, "_exported", nullptr);
    if (!array) return -1;
    const int result = PyObject_GetBuffer(array, view, flags);
    Py_DECREF(array);
    return result;
}

PyType_Slot exporterSlots[] = {
    {Py_bf_getbuffer, reinterpret_cast<void*>(getBuffer)},
    {Py_tp_doc, const_cast<char*>("Base of classes with the buffer protocol, for the array that `_exported()` gives.")},
    {0, nullptr}};

PyType_Spec exporterSpec{"mtlpy_nb._native.Exporter", sizeof(PyObject), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                         exporterSlots};

}  // namespace

void bindExchange(nb::module_& module) {
    nb::object exporter = nb::steal(PyType_FromSpec(&exporterSpec));
    if (!exporter.is_valid()) throw nb::python_error();
    module.attr("Exporter") = exporter;
    module.def("metal_array", &metalArray, "buffer"_a, "offset"_a, "code"_a, "bits"_a, "shape"_a, pooled,
               nb::sig("def metal_array(buffer: Buffer, offset: int, code: int, bits: int, "
                       "shape: collections.abc.Sequence[int]) -> typing.Any"),
               "A DLPack capsule of a buffer's elements, of DLPack's device Metal.");
    module.def("metal_memory", &metalMemory, nb::arg("array").noconvert(), pooled,
               nb::sig("def metal_memory(array: typing.Any) -> tuple[Buffer, int, int, int, list[int]]"),
               "The buffer of an array of DLPack's device Metal: with its offset, type's code and bits, and shape.");
}

}  // namespace mtlpy
