// SPDX-License-Identifier: MIT
//
// What makes a small value of Metal's behave as the tuple of its members, which `values(const T&)` gives.

#pragma once

#include "handle.hpp"

namespace mtlpy {

/// The value in an object of Python's class for it; null for anything else. (None can be cast to any pointer.)
template <class T>
T* valueIn(nb::handle object) {
    T* found = nullptr;
    return nb::try_cast(object, found) ? found : nullptr;
}

template <class T, class Values>
void bindAsTuple(nb::class_<T>& type, Values values) {
    type.def(
            "__iter__", [values](const T& self) { return nb::iter(values(self)); },
            nb::sig("def __iter__(self) -> collections.abc.Iterator[typing.Any]"))
        .def("__len__", [values](const T& self) { return nb::len(values(self)); })
        .def(
            "__getitem__",
            [values](const T& self, nb::handle index) {
                nb::object item = nb::steal(PyObject_GetItem(values(self).ptr(), index.ptr()));
                if (!item.is_valid()) throw nb::python_error();
                return item;
            },
            nb::sig("def __getitem__(self, index: int, /) -> typing.Any"))
        .def(
            "__eq__",
            [values](const T& self, nb::handle other) {
                if (const T* theirs = valueIn<T>(other)) return values(self).equal(values(*theirs));
                return PyTuple_Check(other.ptr()) && values(self).equal(other);
            },
            nb::arg().none(), nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("__hash__", [values](const T& self) { return nb::hash(values(self)); })
        .def(
            "__repr__",
            [values](nb::handle self) {
                return nb::str("{}{!r}").format(self.type().attr("__name__"), values(nb::cast<const T&>(self)));
            },
            nb::sig("def __repr__(self) -> str"));
}

}  // namespace mtlpy
