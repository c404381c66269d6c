// SPDX-License-Identifier: MIT

#include "types.hpp"

#include <cstring>

#include "bind.hpp"
#include "errors.hpp"
#include "value_tuple.hpp"

namespace mtlpy {

namespace {

using namespace nb::literals;

/// Reads 1 to `most` integers of a sequence, or one integer; how many, 0 when it is neither.
std::size_t readIntegers(nb::handle source, std::int64_t* out, std::size_t most) noexcept {
    if (nb::try_cast<std::int64_t>(source, out[0])) return 1;
    if (!PySequence_Check(source.ptr()) || PyUnicode_Check(source.ptr()) || PyBytes_Check(source.ptr())) return 0;
    const Py_ssize_t count = PySequence_Size(source.ptr());
    if (count < 1 || count > static_cast<Py_ssize_t>(most)) {
        PyErr_Clear();
        return 0;
    }
    for (Py_ssize_t i = 0; i < count; ++i) {
        nb::object item = nb::steal(PySequence_GetItem(source.ptr(), i));
        if (!item.is_valid()) PyErr_Clear();
        if (!item.is_valid() || !nb::try_cast<std::int64_t>(item, out[i])) return 0;
    }
    return static_cast<std::size_t>(count);
}

nb::tuple values(const MTL::Size& size) {
    return nb::make_tuple(NS::UInteger(size.width), NS::UInteger(size.height), NS::UInteger(size.depth));
}
nb::tuple values(const MTL::Origin& origin) {
    return nb::make_tuple(NS::UInteger(origin.x), NS::UInteger(origin.y), NS::UInteger(origin.z));
}
nb::tuple values(const NS::Range& range) {
    return nb::make_tuple(NS::UInteger(range.location), NS::UInteger(range.length));
}
nb::tuple values(const MTL::Region& region) {
    return nb::make_tuple(MTL::Origin(region.origin), MTL::Size(region.size));
}

template <class T>
void bindTuple(nb::class_<T>& type) {
    bindAsTuple(type, [](const T& self) { return values(self); });
}

// The members of Metal's structs are packed: no reference to them may be taken, so they are read and written whole.
template <class T>
auto member(NS::UInteger T::* which) {
    return [which](const T& self) { return NS::UInteger(self.*which); };
}

template <class T>
auto setMember(NS::UInteger T::* which, const char* type, const char* name) {
    return [which, type, name](T& self, std::int64_t value) {
        self.*which = checkedCount(type, name, value, 0, INT64_MAX);
    };
}

void bindSize(nb::module_& module) {
    nb::class_<MTL::Size> size(module, "Size",
                               "Extent in three dimensions; iterates and compares as (width, height, depth).");
    size.def("__init__", [](MTL::Size* self) { new (self) MTL::Size(0, 0, 0); })
        .def(
            "__init__",
            [](MTL::Size* self, std::int64_t width, std::int64_t height, std::int64_t depth) {
                new (self) MTL::Size(checkedCount("Size", "width", width, 0, INT64_MAX),
                                     checkedCount("Size", "height", height, 0, INT64_MAX),
                                     checkedCount("Size", "depth", depth, 0, INT64_MAX));
            },
            "width"_a, "height"_a = 1, "depth"_a = 1)
        .def_prop_rw("width", member(&MTL::Size::width), setMember(&MTL::Size::width, "Size", "width"),
                     "Elements in x.")
        .def_prop_rw("height", member(&MTL::Size::height), setMember(&MTL::Size::height, "Size", "height"),
                     "Elements in y.")
        .def_prop_rw("depth", member(&MTL::Size::depth), setMember(&MTL::Size::depth, "Size", "depth"),
                     "Elements in z.");
    bindTuple(size);
}

void bindOrigin(nb::module_& module) {
    nb::class_<MTL::Origin> origin(module, "Origin", "Place in three dimensions; iterates and compares as (x, y, z).");
    origin
        .def(
            "__init__",
            [](MTL::Origin* self, std::int64_t x, std::int64_t y, std::int64_t z) {
                new (self) MTL::Origin(checkedCount("Origin", "x", x, 0, INT64_MAX),
                                       checkedCount("Origin", "y", y, 0, INT64_MAX),
                                       checkedCount("Origin", "z", z, 0, INT64_MAX));
            },
            "x"_a = 0, "y"_a = 0, "z"_a = 0)
        .def_prop_rw("x", member(&MTL::Origin::x), setMember(&MTL::Origin::x, "Origin", "x"), "Column, from 0 on.")
        .def_prop_rw("y", member(&MTL::Origin::y), setMember(&MTL::Origin::y, "Origin", "y"), "Row, from 0 on.")
        .def_prop_rw("z", member(&MTL::Origin::z), setMember(&MTL::Origin::z, "Origin", "z"),
                     "Plane of a 3D texture, from 0 on.");
    bindTuple(origin);
}

void bindRange(nb::module_& module) {
    nb::class_<NS::Range> range(module, "Range",
                                "Place and length of a part; iterates and compares as (location, length).");
    range
        .def(
            "__init__",
            [](NS::Range* self, std::int64_t location, std::int64_t length) {
                new (self) NS::Range(checkedCount("Range", "location", location, 0, INT64_MAX),
                                     checkedCount("Range", "length", length, 0, INT64_MAX));
            },
            "location"_a = 0, "length"_a = 0)
        .def_prop_rw("location", member(&NS::Range::location), setMember(&NS::Range::location, "Range", "location"),
                     "Index of the first element.")
        .def_prop_rw("length", member(&NS::Range::length), setMember(&NS::Range::length, "Range", "length"),
                     "How many there are.");
    bindTuple(range);
}

void bindRegion(nb::module_& module) {
    nb::class_<MTL::Region> region(module, "Region", "Part of a texture: its origin and its size.");
    region
        .def(
            "__init__",
            [](MTL::Region* self, const OriginLike& origin, const SizeLike& size) {
                const auto o = origin.checked("Region", "origin");
                const auto s = size.checked("Region", "size", 0, INT64_MAX);
                new (self) MTL::Region(o.x, o.y, o.z, s.width, s.height, s.depth);
            },
            "origin"_a, "size"_a)
        .def_static(
            "make_2d",
            [](std::int64_t x, std::int64_t y, std::int64_t width, std::int64_t height) {
                return MTL::Region(checkedCount("make_2d", "x", x, 0, INT64_MAX),
                                   checkedCount("make_2d", "y", y, 0, INT64_MAX),
                                   checkedCount("make_2d", "width", width, 0, INT64_MAX),
                                   checkedCount("make_2d", "height", height, 0, INT64_MAX));
            },
            "x"_a, "y"_a, "width"_a, "height"_a, "A region with a depth of 1.")
        .def_prop_rw(
            "origin", [](const MTL::Region& self) { return MTL::Origin(self.origin); },
            [](MTL::Region& self, const OriginLike& origin) { self.origin = origin.checked("Region", "origin"); },
            "Its first texel.")
        .def_prop_rw(
            "size", [](const MTL::Region& self) { return MTL::Size(self.size); },
            [](MTL::Region& self, const SizeLike& size) { self.size = size.checked("Region", "size", 0, INT64_MAX); },
            "Texels in each dimension.");
    bindTuple(region);
}

}  // namespace

MTL::Size SizeLike::checked(const char* where, const char* name, std::uint64_t minimum, std::uint64_t maximum) const {
    for (const std::int64_t v : value)
        if (v < 0 || static_cast<std::uint64_t>(v) < minimum || static_cast<std::uint64_t>(v) > maximum)
            fail(ErrorKind::validation, concat(where, ": ", name, " is (", value[0], ", ", value[1], ", ", value[2],
                                               "), each must be ", minimum, " to ", maximum));
    return MTL::Size(static_cast<NS::UInteger>(value[0]), static_cast<NS::UInteger>(value[1]),
                     static_cast<NS::UInteger>(value[2]));
}

MTL::Origin OriginLike::checked(const char* where, const char* name) const {
    for (const std::int64_t v : value)
        if (v < 0)
            fail(ErrorKind::validation, concat(where, ": ", name, " is (", value[0], ", ", value[1], ", ", value[2],
                                               "), none may be negative"));
    return MTL::Origin(static_cast<NS::UInteger>(value[0]), static_cast<NS::UInteger>(value[1]),
                       static_cast<NS::UInteger>(value[2]));
}

bool readSize(nb::handle source, SizeLike& size) noexcept {
    MTL::Size* given = nullptr;
    if (nb::try_cast(source, given)) {
        size.value = {static_cast<std::int64_t>(given->width), static_cast<std::int64_t>(given->height),
                      static_cast<std::int64_t>(given->depth)};
        return true;
    }
    return readIntegers(source, size.value.data(), 3) > 0;
}

bool readOrigin(nb::handle source, OriginLike& origin) noexcept {
    MTL::Origin* given = nullptr;
    if (nb::try_cast(source, given)) {
        origin.value = {static_cast<std::int64_t>(given->x), static_cast<std::int64_t>(given->y),
                        static_cast<std::int64_t>(given->z)};
        return true;
    }
    return readIntegers(source, origin.value.data(), 3) > 0;
}

bool readRange(nb::handle source, RangeLike& range) noexcept {
    NS::Range* given = nullptr;
    if (nb::try_cast(source, given)) {
        range.value = {static_cast<std::int64_t>(given->location), static_cast<std::int64_t>(given->length)};
        return true;
    }
    return readIntegers(source, range.value.data(), 2) == 2;
}

bool readRegion(nb::handle source, RegionLike& region) noexcept {
    MTL::Region* given = nullptr;
    if (nb::try_cast(source, given)) {
        const MTL::Region r = *given;
        region.origin.value = {static_cast<std::int64_t>(r.origin.x), static_cast<std::int64_t>(r.origin.y),
                               static_cast<std::int64_t>(r.origin.z)};
        region.size.value = {static_cast<std::int64_t>(r.size.width), static_cast<std::int64_t>(r.size.height),
                             static_cast<std::int64_t>(r.size.depth)};
        return true;
    }
    if (!PyTuple_Check(source.ptr()) || PyTuple_Size(source.ptr()) != 2) return false;
    return readOrigin(PyTuple_GetItem(source.ptr(), 0), region.origin) &&
           readSize(PyTuple_GetItem(source.ptr(), 1), region.size);
}

void bindTypes(nb::module_& module) {
    bindSize(module);
    bindOrigin(module);
    bindRange(module);
    bindRegion(module);
}

}  // namespace mtlpy
