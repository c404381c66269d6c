// SPDX-License-Identifier: MIT
//
// Layers, where pictures are presented, and their drawables.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <Metal/Metal.hpp>
#include <QuartzCore/QuartzCore.hpp>

#include <array>
#include <cmath>
#include <optional>
#include <tuple>

#include "bind.hpp"
#include "completion.hpp"
#include "errors.hpp"
#include "portable.hpp"
#include "portable_display.hpp"
#include "seconds.hpp"

namespace mtlpy {

namespace {

using namespace nb::literals;
using Clock = std::chrono::steady_clock;
using Layer = CA::MetalLayer;

/// Longest side of a drawable, as of any texture.
constexpr double maximumSize = 16384;

struct NamedColorSpace {
    const char* name;
    CGColorSpaceRef space;
};

/// Made once, so that a layer's space can be told by its address.
const std::array<NamedColorSpace, 4>& colorSpaces() {
    static const std::array<NamedColorSpace, 4> all{{
        {"srgb", CGColorSpaceCreateWithName(kCGColorSpaceSRGB)},
        {"display_p3", CGColorSpaceCreateWithName(kCGColorSpaceDisplayP3)},
        {"linear_srgb", CGColorSpaceCreateWithName(kCGColorSpaceLinearSRGB)},
        {"extended_linear_srgb", CGColorSpaceCreateWithName(kCGColorSpaceExtendedLinearSRGB)},
    }};
    return all;
}

std::optional<std::string> colorspace(const Layer& layer) {
    for (const NamedColorSpace& known : colorSpaces())
        if (layer.colorspace() == known.space) return known.name;
    return std::nullopt;
}

void setColorspace(Layer& layer, const std::optional<std::string>& name) {
    if (!name) return layer.setColorspace(nullptr);
    for (const NamedColorSpace& known : colorSpaces())
        if (*name == known.name) return layer.setColorspace(known.space);
    fail(ErrorKind::validation, concat("MetalLayer: colorspace is '", *name,
                                       "', must be 'srgb', 'display_p3', 'linear_srgb', 'extended_linear_srgb' or "
                                       "None"));
}

void setDrawableSize(Layer& layer, std::tuple<double, double> size) {
    const auto [width, height] = size;
    if (!(width >= 0 && height >= 0 && width <= maximumSize && height <= maximumSize))
        fail(ErrorKind::validation,
             concat("MetalLayer: drawable_size is (", width, ", ", height, "), each must be 0 to ", maximumSize));
    layer.setDrawableSize(CGSize{std::floor(width), std::floor(height)});
}

void setPixelFormat(Layer& layer, MTL::PixelFormat format) {
    if (format != MTL::PixelFormatBGRA8Unorm && format != MTL::PixelFormatBGRA8Unorm_sRGB &&
        format != MTL::PixelFormatRGBA16Float && format != MTL::PixelFormatRGB10A2Unorm &&
        format != MTL::PixelFormatBGR10A2Unorm)
        fail(ErrorKind::validation, concat("MetalLayer: pixel_format is ", NS::UInteger(format),
                                           ", must be BGRA8Unorm, BGRA8Unorm_sRGB, RGBA16Float, RGB10A2Unorm or "
                                           "BGR10A2Unorm"));
    layer.setPixelFormat(format);
}

/// Waits in slices where it can, so that Python's signals get through.
NS::SharedPtr<CA::MetalDrawable> nextDrawable(Layer& layer) {
    constexpr std::chrono::milliseconds slice{50};
    const auto end = Clock::now() + std::chrono::seconds(1);
    while (true) {
        {
            ReleasedGil release;
            if (portable::waitForDrawable(&layer, slice)) break;
        }
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        if (layer.allowsNextDrawableTimeout() && Clock::now() >= end) return {};
    }
    ReleasedGil release;
    return shared(layer.nextDrawable());
}

void addPresentedHandler(MTL::Drawable& self, nb::callable callback) {
    self.addPresentedHandler(
        MTL::DrawablePresentedHandlerFunction([held = reference(callback)](MTL::Drawable* drawable) {
            if (!PythonGate::enter()) return;
            {
                nb::gil_scoped_acquire acquire;
                try {
                    nb::handle(held.get())(shared(static_cast<CA::MetalDrawable*>(drawable)));
                } catch (nb::python_error& error) {
                    error.restore();
                    PyErr_WriteUnraisable(held.get());
                }
            }
            PythonGate::leave();
        }));
}

void bindDrawables(nb::module_& module) {
    nb::class_<MTL::Drawable>(module, "Drawable", "Something that can be shown on a display, once.",
                              nb::is_weak_referenceable())
        .def_prop_ro("drawable_id", &MTL::Drawable::drawableID, pooled,
                     "A number that tells it from the other drawables of its layer.")
        .def_prop_ro("presented_time", &MTL::Drawable::presentedTime, pooled,
                     "When it was shown, in seconds; 0 before.")
        .def("present", &MTL::Drawable::present, pooled,
             "Show it as soon as the committed work that draws it has ended.")
        .def(
            "present_after_minimum_duration",
            [](MTL::Drawable& self, double duration) {
                self.presentAfterMinimumDuration(
                    checkedSeconds("present_after_minimum_duration", "duration", duration));
            },
            "duration"_a, pooled, "Show it when what is shown before has been so for `duration` seconds.")
        .def(
            "present_at_time",
            [](MTL::Drawable& self, double time) {
                self.presentAtTime(checkedSeconds("present_at_time", "time", time));
            },
            "time"_a, pooled, "Show it at a time, in seconds of the clock of `gpu_start_time`, or soon after.")
        .def("add_presented_handler", &addPresentedHandler, "callback"_a, pooled,
             nb::sig("def add_presented_handler(self, callback: collections.abc.Callable[[MetalDrawable], object]) -> "
                     "None"),
             "Call `callback(self)` when it has been shown, from another thread.");
    nb::class_<CA::MetalDrawable, MTL::Drawable>(module, "MetalDrawable", "A layer's next picture.",
                                                 nb::is_weak_referenceable())
        .def_prop_ro(
            "texture", [](const CA::MetalDrawable& self) { return shared(self.texture()); }, pooled,
            "What to draw into.")
        .def_prop_ro(
            "layer", [](const CA::MetalDrawable& self) { return shared(self.layer()); }, pooled,
            nb::sig("def layer(self) -> MetalLayer"), "The layer that shows it.")
        .def(
            "__repr__",
            [](const CA::MetalDrawable& self) {
                return concat("<MetalDrawable ", self.drawableID(), " of ", self.texture()->width(), " x ",
                              self.texture()->height(), ">");
            },
            pooled);
}

}  // namespace

void bindLayers(nb::module_& module) {
    bindDrawables(module);
    nb::class_<Layer>(module, "MetalLayer", "Where pictures are presented.", nb::is_weak_referenceable())
        .def_static(
            "layer", [] { return shared(Layer::layer()); }, pooled, "A new layer.")
        .def_prop_rw(
            "device", [](const Layer& self) { return shared(self.device()); },
            [](Layer& self, MTL::Device* device) { self.setDevice(device); }, nb::for_setter(nb::arg("device").none()),
            nb::for_getter(nb::sig("def device(self) -> Device | None")), pooled,
            "The device that makes its textures; must be set before `next_drawable`.")
        .def_prop_rw("pixel_format", &Layer::pixelFormat, &setPixelFormat, pooled,
                     "Format of its textures; BGRA8Unorm unless set.")
        .def_prop_rw("framebuffer_only", &Layer::framebufferOnly, &Layer::setFramebufferOnly, pooled,
                     "Whether the textures can be rendered to and nothing else.")
        .def_prop_rw(
            "drawable_size",
            [](const Layer& self) {
                const CGSize size = self.drawableSize();
                return std::make_tuple(double(size.width), double(size.height));
            },
            &setDrawableSize, pooled, "Width and height in pixels.")
        .def_prop_rw(
            "maximum_drawable_count", &Layer::maximumDrawableCount,
            [](Layer& self, std::int64_t count) {
                self.setMaximumDrawableCount(checkedCount("MetalLayer", "maximum_drawable_count", count, 2, 3));
            },
            pooled, "How many drawables there are at a time: 2 or 3.")
        .def_prop_rw("display_sync_enabled", &Layer::displaySyncEnabled, &Layer::setDisplaySyncEnabled, pooled,
                     "Whether the display changes at its own pace only.")
        .def_prop_rw("colorspace", &colorspace, &setColorspace, nb::for_setter(nb::arg("name").none()), pooled,
                     "'srgb', 'display_p3', 'linear_srgb', 'extended_linear_srgb', or None.")
        .def_prop_rw("allows_next_drawable_timeout", &Layer::allowsNextDrawableTimeout,
                     &Layer::setAllowsNextDrawableTimeout, pooled, "Whether next_drawable() gives up after a second.")
        .def("next_drawable", &nextDrawable, pooled, nb::sig("def next_drawable(self) -> MetalDrawable | None"),
             "Wait for a drawable, by default no longer than a second; None after that, and without device or size.")
        .def(
            "__repr__",
            [](const Layer& self) {
                const CGSize size = self.drawableSize();
                return concat("<MetalLayer of ", size.width, " x ", size.height, ">");
            },
            pooled)
        .def_prop_ro(
            "mtl_ptr", [](const Layer& self) { return reinterpret_cast<std::uintptr_t>(&self); },
            "Address of the Metal object.");
    module.def(
        "shown_drawable", [](Layer& layer) { return portable::shownDrawable(&layer); }, "layer"_a, pooled,
        nb::sig("def shown_drawable(layer: MetalLayer) -> MetalDrawable | None"),
        "What the layer's display shows, kept as it is by the result; None before the first, and on a Mac.");
}

}  // namespace mtlpy
