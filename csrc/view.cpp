// SPDX-License-Identifier: MIT
//
// Layers in a Mac's windows: an NSView gets a layer of ours above its own. Nothing elsewhere, where there is no AppKit.

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <Metal/Metal.hpp>
#include <QuartzCore/QuartzCore.hpp>

#include <tuple>

#include "bind.hpp"
#include "errors.hpp"
#include "text.hpp"

namespace mtlpy {

namespace {

using namespace nb::literals;

#if defined(__APPLE__)

/// Of CALayer, what metal-cpp does not declare. Reached, as all in metal-cpp, by sending messages.
class CoreLayer : public NS::Referencing<CoreLayer> {
public:
    void addSublayer(const CoreLayer* layer) { send<void>("addSublayer:", layer); }
    void removeFromSuperlayer() { send<void>("removeFromSuperlayer"); }
    void setFrame(CGRect frame) { send<void>("setFrame:", frame); }
    void setContentsScale(CGFloat scale) { send<void>("setContentsScale:", scale); }
    void setContentsGravity(const NS::String* gravity) { send<void>("setContentsGravity:", gravity); }
    void setMagnificationFilter(const NS::String* filter) { send<void>("setMagnificationFilter:", filter); }
    void setMinificationFilter(const NS::String* filter) { send<void>("setMinificationFilter:", filter); }
    void setWantsExtendedDynamicRangeContent(bool wants) { send<void>("setWantsExtendedDynamicRangeContent:", wants); }

private:
    template <class Result, class... Arguments>
    Result send(const char* selector, Arguments... arguments) {
        return Object::sendMessage<Result>(this, sel_registerName(selector), arguments...);
    }
};

class View : public NS::Referencing<View> {
public:
    void setWantsLayer(bool wants) { send<void>("setWantsLayer:", wants); }
    CoreLayer* layer() { return send<CoreLayer*>("layer"); }
    CGRect bounds() { return send<CGRect>("bounds"); }
    CGSize convertSizeToBacking(CGSize size) { return send<CGSize>("convertSizeToBacking:", size); }

private:
    template <class Result, class... Arguments>
    Result send(const char* selector, Arguments... arguments) {
        return Object::sendMessage<Result>(this, sel_registerName(selector), arguments...);
    }
};

View& viewAt(std::uintptr_t address) {
    return *reinterpret_cast<View*>(address);
}

CoreLayer& coreLayer(CA::MetalLayer& layer) {
    return *reinterpret_cast<CoreLayer*>(&layer);
}

/// Puts the layer over all of the view; its size in pixels.
std::tuple<NS::UInteger, NS::UInteger> layOut(CA::MetalLayer& layer, std::uintptr_t address) {
    View& view = viewAt(address);
    const CGRect bounds = view.bounds();
    const CGSize pixels = view.convertSizeToBacking(bounds.size);
    coreLayer(layer).setFrame(bounds);
    if (bounds.size.width > 0) coreLayer(layer).setContentsScale(pixels.width / bounds.size.width);
    return {static_cast<NS::UInteger>(pixels.width), static_cast<NS::UInteger>(pixels.height)};
}

void attach(CA::MetalLayer& layer, std::uintptr_t address, const std::string& gravity, const std::string& filter,
            bool extendedRange) {
    View& view = viewAt(address);
    view.setWantsLayer(true);
    CoreLayer* backing = view.layer();
    if (!backing) fail(ErrorKind::resource, "Surface: view has no backing layer");
    CoreLayer& own = coreLayer(layer);
    own.setContentsGravity(metalString(gravity));
    own.setMagnificationFilter(metalString(filter));
    own.setMinificationFilter(metalString(filter));
    own.setWantsExtendedDynamicRangeContent(extendedRange);
    backing->addSublayer(&own);
}

void detach(CA::MetalLayer& layer) {
    coreLayer(layer).removeFromSuperlayer();
}

#else

[[noreturn]] void noViews() {
    fail(ErrorKind::resource, "Surface: this device has no views; leave view_ptr out to present into an image");
}

std::tuple<NS::UInteger, NS::UInteger> layOut(CA::MetalLayer&, std::uintptr_t) {
    noViews();
}

void attach(CA::MetalLayer&, std::uintptr_t, const std::string&, const std::string&, bool) {
    noViews();
}

void detach(CA::MetalLayer&) {}

#endif

}  // namespace

void bindViews(nb::module_& module) {
    module.def("attach_layer", &attach, "layer"_a, "view"_a, "gravity"_a, "filter"_a, "extended_range"_a, pooled,
               "Put a layer over an NSView, by its address.");
    module.def("lay_out_layer", &layOut, "layer"_a, "view"_a, pooled,
               "Fit the layer to its NSView; the view's size in pixels.");
    module.def("detach_layer", &detach, "layer"_a, pooled, "Take a layer away from its NSView.");
}

}  // namespace mtlpy
