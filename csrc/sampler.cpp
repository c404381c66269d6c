// SPDX-License-Identifier: MIT

#include <nanobind/stl/string.h>
#include <Metal/Metal.hpp>

#include "bind.hpp"
#include "errors.hpp"
#include "text.hpp"

namespace mtlpy {

namespace {

using namespace nb::literals;
using Descriptor = MTL::SamplerDescriptor;

void bindDescriptor(nb::module_& module) {
    nb::class_<Descriptor>(module, "SamplerDescriptor", "How a sampler reads.", nb::is_weak_referenceable())
        .def(nb::new_([] { return owned(Descriptor::alloc()->init()); }), pooled)
        .def_static(
            "sampler_descriptor", [] { return owned(Descriptor::alloc()->init()); }, pooled,
            "An empty descriptor, as the constructor makes.")
        .def_prop_rw("min_filter", &Descriptor::minFilter, &Descriptor::setMinFilter, pooled)
        .def_prop_rw("mag_filter", &Descriptor::magFilter, &Descriptor::setMagFilter, pooled)
        .def_prop_rw("mip_filter", &Descriptor::mipFilter, &Descriptor::setMipFilter, pooled)
        .def_prop_rw("s_address_mode", &Descriptor::sAddressMode, &Descriptor::setSAddressMode, pooled)
        .def_prop_rw("t_address_mode", &Descriptor::tAddressMode, &Descriptor::setTAddressMode, pooled)
        .def_prop_rw("r_address_mode", &Descriptor::rAddressMode, &Descriptor::setRAddressMode, pooled)
        .def_prop_rw("border_color", &Descriptor::borderColor, &Descriptor::setBorderColor, pooled)
        .def_prop_rw("compare_function", &Descriptor::compareFunction, &Descriptor::setCompareFunction, pooled)
        .def_prop_rw("normalized_coordinates", &Descriptor::normalizedCoordinates,
                     &Descriptor::setNormalizedCoordinates, pooled)
        .def_prop_rw("reduction_mode", &Descriptor::reductionMode, &Descriptor::setReductionMode, pooled)
        .def_prop_rw("lod_min_clamp", &Descriptor::lodMinClamp, &Descriptor::setLodMinClamp, pooled)
        .def_prop_rw("lod_max_clamp", &Descriptor::lodMaxClamp, &Descriptor::setLodMaxClamp, pooled)
        .def_prop_rw("lod_average", &Descriptor::lodAverage, &Descriptor::setLodAverage, pooled)
        .def_prop_rw("support_argument_buffers", &Descriptor::supportArgumentBuffers,
                     &Descriptor::setSupportArgumentBuffers, pooled)
        .def_prop_rw("lod_bias", &Descriptor::lodBias, &Descriptor::setLodBias, pooled)
        .def_prop_rw(
            "max_anisotropy", &Descriptor::maxAnisotropy,
            [](Descriptor& self, std::int64_t value) {
                self.setMaxAnisotropy(checkedCount("SamplerDescriptor", "max_anisotropy", value, 1, 16));
            },
            pooled)
        .def_prop_rw(
            "label", [](Descriptor& self) { return pythonText(self.label()); },
            [](Descriptor& self, const std::string& label) { self.setLabel(metalString(label)); }, pooled);
}

}  // namespace

void bindSampler(nb::module_& module) {
    bindDescriptor(module);
    nb::class_<MTL::SamplerState>(module, "SamplerState", "How a kernel reads a texture.", nb::is_weak_referenceable())
        .def_prop_ro(
            "device", [](MTL::SamplerState& self) { return shared(self.device()); }, pooled)
        .def_prop_ro(
            "label", [](MTL::SamplerState& self) { return pythonText(self.label()); }, pooled)
        .def_prop_ro(
            "gpu_resource_id", [](MTL::SamplerState& self) { return self.gpuResourceID()._impl; }, pooled,
            "What an argument buffer holds for it.")
        .def_prop_ro("mtl_ptr", [](MTL::SamplerState& self) { return reinterpret_cast<std::uintptr_t>(&self); })
        .def("__repr__", [](MTL::SamplerState&) { return "<SamplerState>"; });
}

}  // namespace mtlpy
