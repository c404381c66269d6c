// SPDX-License-Identifier: MIT
//
// Tests of depth and stencil, and what they write.

#include <nanobind/stl/string.h>
#include <Metal/Metal.hpp>

#include "bind_render.hpp"
#include "depth_stencil.hpp"
#include "errors.hpp"
#include "portable.hpp"
#include "text.hpp"

namespace mtlpy {

namespace {

using namespace nb::literals;
using Stencil = MTL::StencilDescriptor;
using Descriptor = MTL::DepthStencilDescriptor;

void bindStencil(nb::module_& module) {
    const auto checkedMask = [](const char* name, std::int64_t value) {
        return static_cast<std::uint32_t>(checkedCount("StencilDescriptor", name, value, 0, UINT32_MAX));
    };
    nb::class_<Stencil>(module, "StencilDescriptor", "The stencil test of triangles that face one way.",
                        nb::is_weak_referenceable())
        .def(nb::new_([] { return owned(Stencil::alloc()->init()); }), pooled)
        .def_static(
            "stencil_descriptor", [] { return owned(Stencil::alloc()->init()); }, pooled,
            "A descriptor as by default: every sample passes and nothing is written.")
        .def_prop_rw("stencil_compare_function", &Stencil::stencilCompareFunction, &Stencil::setStencilCompareFunction,
                     pooled, "How the reference value compares with the stored one in samples that pass.")
        .def_prop_rw("stencil_failure_operation", &Stencil::stencilFailureOperation,
                     &Stencil::setStencilFailureOperation, pooled, "What is stored when the stencil test fails.")
        .def_prop_rw("depth_failure_operation", &Stencil::depthFailureOperation, &Stencil::setDepthFailureOperation,
                     pooled, "What is stored when the stencil test passes and the depth test fails.")
        .def_prop_rw("depth_stencil_pass_operation", &Stencil::depthStencilPassOperation,
                     &Stencil::setDepthStencilPassOperation, pooled, "What is stored when both tests pass.")
        .def_prop_rw(
            "read_mask", &Stencil::readMask,
            [checkedMask](Stencil& self, std::int64_t mask) { self.setReadMask(checkedMask("read_mask", mask)); },
            pooled, "Bits that are compared.")
        .def_prop_rw(
            "write_mask", &Stencil::writeMask,
            [checkedMask](Stencil& self, std::int64_t mask) { self.setWriteMask(checkedMask("write_mask", mask)); },
            pooled, "Bits that are stored.");
}

void bindDescriptor(nb::module_& module) {
    nb::class_<Descriptor>(module, "DepthStencilDescriptor", "How draws test and change depth and stencil.",
                           nb::is_weak_referenceable())
        .def(nb::new_([] { return owned(Descriptor::alloc()->init()); }), pooled)
        .def_static(
            "depth_stencil_descriptor", [] { return owned(Descriptor::alloc()->init()); }, pooled,
            "A descriptor as by default: every sample passes and no depth is written.")
        .def_prop_rw("depth_compare_function", &Descriptor::depthCompareFunction, &Descriptor::setDepthCompareFunction,
                     pooled, "How a sample's depth compares with the stored one when it passes.")
        .def_prop_rw("depth_write_enabled", &Descriptor::isDepthWriteEnabled, &Descriptor::setDepthWriteEnabled, pooled,
                     "Whether the depth of samples that pass is stored.")
        .def_prop_rw(
            "front_face_stencil", [](Descriptor& self) { return shared(self.frontFaceStencil()); },
            [](Descriptor& self, Stencil* stencil) { self.setFrontFaceStencil(stencil); },
            nb::for_setter("value"_a.none()), pooled,
            "The stencil test of triangles that face the viewer; set by copy, None for the default.")
        .def_prop_rw(
            "back_face_stencil", [](Descriptor& self) { return shared(self.backFaceStencil()); },
            [](Descriptor& self, Stencil* stencil) { self.setBackFaceStencil(stencil); },
            nb::for_setter("value"_a.none()), pooled,
            "The stencil test of triangles that face away; set by copy, None for the default.")
        .def_prop_rw(
            "label", [](Descriptor& self) { return pythonText(self.label()); },
            [](Descriptor& self, const std::string& label) { self.setLabel(metalString(label)); }, pooled,
            "A name, for messages and captures.");
}

}  // namespace

NS::SharedPtr<MTL::DepthStencilState> newDepthStencilState(MTL::Device& device, Descriptor& descriptor) {
    portable::checkProcess(&device);
    return made(device.newDepthStencilState(&descriptor), "depth stencil state");
}

void bindDepthStencil(nb::module_& module) {
    bindStencil(module);
    bindDescriptor(module);
    using State = MTL::DepthStencilState;
    nb::class_<State>(module, "DepthStencilState", "How draws test and change depth and stencil, ready to be set.",
                      nb::is_weak_referenceable())
        .def_prop_ro(
            "device", [](const State& self) { return shared(self.device()); }, pooled, "The device that made it.")
        .def_prop_ro(
            "label", [](const State& self) { return pythonText(self.label()); }, pooled,
            "The name that its descriptor had.")
        .def_prop_ro(
            "gpu_resource_id", [](const State& self) { return self.gpuResourceID()._impl; }, pooled,
            "What an argument buffer holds for it.")
        .def_prop_ro(
            "mtl_ptr", [](const State& self) { return reinterpret_cast<std::uintptr_t>(&self); },
            "Address of the Metal object.")
        .def("__repr__", [](const State&) { return "<DepthStencilState>"; });
}

}  // namespace mtlpy
