// SPDX-License-Identifier: MIT

#include "render_types.hpp"

#include <cmath>
#include <limits>
#include <optional>

#include "bind_render.hpp"
#include "errors.hpp"
#include "value_tuple.hpp"

namespace mtlpy {

namespace {

using namespace nb::literals;

/// Reads `least` to `most` numbers of a sequence; false when it is none or has another length.
template <class Number, std::size_t most>
bool readNumbers(nb::handle source, std::array<Number, most>& out, std::size_t least) noexcept {
    if (!PySequence_Check(source.ptr()) || PyUnicode_Check(source.ptr()) || PyBytes_Check(source.ptr())) return false;
    const Py_ssize_t count = PySequence_Size(source.ptr());
    if (count < static_cast<Py_ssize_t>(least) || count > static_cast<Py_ssize_t>(most)) {
        PyErr_Clear();
        return false;
    }
    for (Py_ssize_t i = 0; i < count; ++i) {
        nb::object item = nb::steal(PySequence_GetItem(source.ptr(), i));
        if (!item.is_valid()) {
            PyErr_Clear();
            return false;
        }
        if constexpr (std::is_floating_point_v<Number>) {
            out[static_cast<std::size_t>(i)] = PyFloat_AsDouble(item.ptr());
            if (PyErr_Occurred()) {
                PyErr_Clear();
                return false;
            }
        } else if (!nb::try_cast<Number>(item, out[static_cast<std::size_t>(i)])) {
            return false;
        }
    }
    return true;
}

double checkedNumber(const char* where, const char* name, double value) {
    if (!std::isfinite(value))
        fail(ErrorKind::validation, concat(where, ": ", name, " is ", value, ", must be a finite number"));
    return value;
}

// The members may be packed: no reference to them may be taken, so they are read and written whole.
template <class T, class Number>
auto member(Number T::* which) {
    return [which](const T& self) { return Number(self.*which); };
}

template <class T>
auto setNumber(double T::* which, const char* type, const char* name) {
    return [which, type, name](T& self, double value) { self.*which = checkedNumber(type, name, value); };
}

void bindClearColor(nb::module_& module) {
    using Color = MTL::ClearColor;
    nb::class_<Color> type(module, "ClearColor",
                           "A colour that an attachment is cleared to; iterates and compares as (red, green, blue, "
                           "alpha).");
    type.def(
            "__init__",
            [](Color* self, double red, double green, double blue, double alpha) {
                new (self)
                    Color(checkedNumber("ClearColor", "red", red), checkedNumber("ClearColor", "green", green),
                          checkedNumber("ClearColor", "blue", blue), checkedNumber("ClearColor", "alpha", alpha));
            },
            "red"_a = 0.0, "green"_a = 0.0, "blue"_a = 0.0, "alpha"_a = 1.0)
        .def_prop_rw("red", member(&Color::red), setNumber(&Color::red, "ClearColor", "red"),
                     "Red; 1 is full for normalised formats.")
        .def_prop_rw("green", member(&Color::green), setNumber(&Color::green, "ClearColor", "green"), "Green.")
        .def_prop_rw("blue", member(&Color::blue), setNumber(&Color::blue, "ClearColor", "blue"), "Blue.")
        .def_prop_rw("alpha", member(&Color::alpha), setNumber(&Color::alpha, "ClearColor", "alpha"),
                     "Alpha; 1 is opaque.");
    bindAsTuple(type, [](const Color& self) {
        return nb::make_tuple(double(self.red), double(self.green), double(self.blue), double(self.alpha));
    });
}

void bindViewport(nb::module_& module) {
    using Viewport = MTL::Viewport;
    nb::class_<Viewport> type(module, "Viewport", "Where on the targets a draw lands, and at which depths.");
    type.def(
            "__init__",
            [](Viewport* self, double x, double y, double width, double height, double znear, double zfar) {
                new (self) Viewport(ViewportLike{{x, y, width, height, znear, zfar}}.checked("Viewport"));
            },
            "origin_x"_a, "origin_y"_a, "width"_a, "height"_a, "znear"_a = 0.0, "zfar"_a = 1.0)
        .def_prop_rw("origin_x", member(&Viewport::originX), setNumber(&Viewport::originX, "Viewport", "origin_x"),
                     "Left edge, in pixels.")
        .def_prop_rw("origin_y", member(&Viewport::originY), setNumber(&Viewport::originY, "Viewport", "origin_y"),
                     "Upper edge, in pixels.")
        .def_prop_rw("width", member(&Viewport::width), setNumber(&Viewport::width, "Viewport", "width"),
                     "Width in pixels.")
        .def_prop_rw("height", member(&Viewport::height), setNumber(&Viewport::height, "Viewport", "height"),
                     "Height in pixels.")
        .def_prop_rw("znear", member(&Viewport::znear), setNumber(&Viewport::znear, "Viewport", "znear"),
                     "Depth that the near plane becomes.")
        .def_prop_rw("zfar", member(&Viewport::zfar), setNumber(&Viewport::zfar, "Viewport", "zfar"),
                     "Depth that the far plane becomes.");
    bindAsTuple(type, [](const Viewport& self) {
        return nb::make_tuple(double(self.originX), double(self.originY), double(self.width), double(self.height),
                              double(self.znear), double(self.zfar));
    });
}

void bindScissorRect(nb::module_& module) {
    using Rect = MTL::ScissorRect;
    const auto setCount = [](NS::UInteger Rect::* which, const char* name) {
        return [which, name](Rect& self, std::int64_t value) {
            self.*which = checkedCount("ScissorRect", name, value, 0, UINT32_MAX);
        };
    };
    nb::class_<Rect> type(module, "ScissorRect", "The pixels that draws may change.");
    type.def(
            "__init__",
            [](Rect* self, std::int64_t x, std::int64_t y, std::int64_t width, std::int64_t height) {
                new (self) Rect(ScissorRectLike{{x, y, width, height}}.checked("ScissorRect"));
            },
            "x"_a, "y"_a, "width"_a, "height"_a)
        .def_prop_rw("x", member(&Rect::x), setCount(&Rect::x, "x"), "Left edge, in pixels.")
        .def_prop_rw("y", member(&Rect::y), setCount(&Rect::y, "y"), "Upper edge, in pixels.")
        .def_prop_rw("width", member(&Rect::width), setCount(&Rect::width, "width"), "Width in pixels.")
        .def_prop_rw("height", member(&Rect::height), setCount(&Rect::height, "height"), "Height in pixels.");
    bindAsTuple(type, [](const Rect& self) {
        return nb::make_tuple(NS::UInteger(self.x), NS::UInteger(self.y), NS::UInteger(self.width),
                              NS::UInteger(self.height));
    });
}

void bindSamplePosition(nb::module_& module) {
    using Position = MTL::SamplePosition;
    const auto setPart = [](float Position::* which, const char* name) {
        return [which, name](Position& self, double value) {
            self.*which = static_cast<float>(checkedNumber("SamplePosition", name, value));
        };
    };
    nb::class_<Position> type(module, "SamplePosition", "Where in its pixel a sample lies.");
    type.def(
            "__init__",
            [](Position* self, double x, double y) {
                new (self) Position(SamplePositionLike{{x, y}}.checked("SamplePosition"));
            },
            "x"_a, "y"_a)
        .def_prop_rw("x", member(&Position::x), setPart(&Position::x, "x"), "From the left edge, 0 to 1.")
        .def_prop_rw("y", member(&Position::y), setPart(&Position::y, "y"), "From the upper edge, 0 to 1.");
    bindAsTuple(type, [](const Position& self) { return nb::make_tuple(float(self.x), float(self.y)); });
}

}  // namespace

float checkedFloat(const char* where, const char* name, double value) {
    if (!std::isfinite(static_cast<float>(value)))
        fail(ErrorKind::validation,
             concat(where, ": ", name, " is ", value, ", must be a finite number of type float"));
    return static_cast<float>(value);
}

MTL::Viewport ViewportLike::checked(const char* where) const {
    constexpr const char* names[] = {"origin_x", "origin_y", "width", "height", "znear", "zfar"};
    for (std::size_t i = 0; i < value.size(); ++i) checkedNumber(where, names[i], value[i]);
    return MTL::Viewport{value[0], value[1], value[2], value[3], value[4], value[5]};
}

MTL::ScissorRect ScissorRectLike::checked(const char* where) const {
    constexpr const char* names[] = {"x", "y", "width", "height"};
    std::array<NS::UInteger, 4> numbers{};
    for (std::size_t i = 0; i < value.size(); ++i) numbers[i] = checkedCount(where, names[i], value[i], 0, UINT32_MAX);
    return MTL::ScissorRect{numbers[0], numbers[1], numbers[2], numbers[3]};
}

MTL::SamplePosition SamplePositionLike::checked(const char* where) const {
    for (const double part : value)
        if (!(part >= 0 && part < 1))
            fail(ErrorKind::validation, concat(where, ": a sample's position is (", value[0], ", ", value[1],
                                               "), each must be 0 to less than 1"));
    return MTL::SamplePosition(static_cast<float>(value[0]), static_cast<float>(value[1]));
}

bool readColor(nb::handle source, ColorLike& color) noexcept {
    const auto* given = valueIn<MTL::ClearColor>(source);
    if (given == nullptr) return readNumbers(source, color.value, 3);
    color.value = {given->red, given->green, given->blue, given->alpha};
    return true;
}

bool readViewport(nb::handle source, ViewportLike& viewport) noexcept {
    const auto* given = valueIn<MTL::Viewport>(source);
    if (given == nullptr) return readNumbers(source, viewport.value, 4);
    viewport.value = {given->originX, given->originY, given->width, given->height, given->znear, given->zfar};
    return true;
}

bool readScissorRect(nb::handle source, ScissorRectLike& rect) noexcept {
    const auto* given = valueIn<MTL::ScissorRect>(source);
    if (given == nullptr) return readNumbers(source, rect.value, 4);
    rect.value = {static_cast<std::int64_t>(given->x), static_cast<std::int64_t>(given->y),
                  static_cast<std::int64_t>(given->width), static_cast<std::int64_t>(given->height)};
    return true;
}

bool readSamplePosition(nb::handle source, SamplePositionLike& position) noexcept {
    const auto* given = valueIn<MTL::SamplePosition>(source);
    if (given == nullptr) return readNumbers(source, position.value, 2);
    position.value = {given->x, given->y};
    return true;
}

void bindRenderTypes(nb::module_& module) {
    bindClearColor(module);
    bindViewport(module);
    bindScissorRect(module);
    bindSamplePosition(module);
}

}  // namespace mtlpy
