// SPDX-License-Identifier: MIT
//
// Metal's arrays of descriptors: always full, each element made when it is first asked for.

#pragma once

#include <cstdint>

#include "errors.hpp"
#include "handle.hpp"

namespace mtlpy {

/// `array[i]`, `array[i] = descriptor` and Metal's own two methods.
template <class Array, class Element>
void bindDescriptorArray(nb::module_& module, const char* name, const char* doc, std::uint64_t count) {
    using namespace nb::literals;
    nb::class_<Array>(module, name, doc, nb::is_weak_referenceable())
        .def(
            "__getitem__",
            [count](Array& self, std::int64_t index) {
                return shared(self.object(checkedIndex("descriptor", "index", index, count)));
            },
            "index"_a, pooled)
        .def(
            "__setitem__",
            [count](Array& self, std::int64_t index, Element* element) {
                self.setObject(element, checkedIndex("descriptor", "index", index, count));
            },
            "index"_a, "descriptor"_a.none(), pooled)
        .def(
            "object",
            [count](Array& self, std::int64_t index) {
                return shared(self.object(checkedIndex("object", "index", index, count)));
            },
            "index"_a, pooled, "The descriptor at an index, made when it is first asked for.")
        .def(
            "set_object",
            [count](Array& self, Element* element, std::int64_t index) {
                self.setObject(element, checkedIndex("set_object", "index", index, count));
            },
            "descriptor"_a.none(), "index"_a, pooled, "Put a copy of a descriptor there; None puts a new one.");
}

}  // namespace mtlpy
