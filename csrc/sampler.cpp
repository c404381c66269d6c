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
        .def_prop_rw("min_filter", &Descriptor::minFilter, &Descriptor::setMinFilter, pooled,
                     "How texels become a value where the texture is made smaller: the nearest one, or four blended. "
                     "Nearest unless set.")
        .def_prop_rw("mag_filter", &Descriptor::magFilter, &Descriptor::setMagFilter, pooled,
                     "The same where it is made larger. Nearest unless set.")
        .def_prop_rw(
            "mip_filter", &Descriptor::mipFilter, &Descriptor::setMipFilter, pooled,
            "Which mip levels are read: the largest, the nearest in size, or two blended. NotMipmapped unless set.")
        .def_prop_rw("s_address_mode", &Descriptor::sAddressMode, &Descriptor::setSAddressMode, pooled,
                     "What lies left and right of the texture. ClampToEdge unless set.")
        .def_prop_rw("t_address_mode", &Descriptor::tAddressMode, &Descriptor::setTAddressMode, pooled,
                     "What lies above and below it. ClampToEdge unless set.")
        .def_prop_rw("r_address_mode", &Descriptor::rAddressMode, &Descriptor::setRAddressMode, pooled,
                     "What lies before and behind a 3D texture. ClampToEdge unless set.")
        .def_prop_rw("border_color", &Descriptor::borderColor, &Descriptor::setBorderColor, pooled,
                     "The colour outside, for ClampToBorderColor. TransparentBlack unless set.")
        .def_prop_rw("compare_function", &Descriptor::compareFunction, &Descriptor::setCompareFunction, pooled,
                     "How `sample_compare` compares the reference with the depth it reads. Never unless set.")
        .def_prop_rw("normalized_coordinates", &Descriptor::normalizedCoordinates,
                     &Descriptor::setNormalizedCoordinates, pooled,
                     "Whether coordinates go from 0 to 1 across the texture (True unless set), or count texels.")
        .def_prop_rw("reduction_mode", &Descriptor::reductionMode, &Descriptor::setReductionMode, pooled,
                     "What becomes of the texels that a filter reads: their weighted average, the least or the "
                     "greatest of them.")
        .def_prop_rw("lod_min_clamp", &Descriptor::lodMinClamp, &Descriptor::setLodMinClamp, pooled,
                     "The lowest level of detail that is read. 0 unless set.")
        .def_prop_rw("lod_max_clamp", &Descriptor::lodMaxClamp, &Descriptor::setLodMaxClamp, pooled,
                     "The highest level of detail that is read. No limit unless set.")
        .def_prop_rw("lod_average", &Descriptor::lodAverage, &Descriptor::setLodAverage, pooled,
                     "Whether the level of detail may be computed for four pixels at once. False unless set.")
        .def_prop_rw("support_argument_buffers", &Descriptor::supportArgumentBuffers,
                     &Descriptor::setSupportArgumentBuffers, pooled,
                     "Whether an argument buffer can hold it, so that it has a `gpu_resource_id`. False unless set.")
        .def_prop_rw("lod_bias", &Descriptor::lodBias, &Descriptor::setLodBias, pooled,
                     "Added to the level of detail. 0 unless set.")
        .def_prop_rw(
            "max_anisotropy", &Descriptor::maxAnisotropy,
            [](Descriptor& self, std::int64_t value) {
                self.setMaxAnisotropy(checkedCount("SamplerDescriptor", "max_anisotropy", value, 1, 16));
            },
            pooled,
            "How many samples along the direction in which a texture is squeezed may be blended: 1, unless set, to 16.")
        .def_prop_rw(
            "label", [](Descriptor& self) { return pythonText(self.label()); },
            [](Descriptor& self, const std::string& label) { self.setLabel(metalString(label)); }, pooled,
            "A name, for messages and captures; empty unless set.");
}

}  // namespace

void bindSampler(nb::module_& module) {
    bindDescriptor(module);
    nb::class_<MTL::SamplerState>(module, "SamplerState", "How a kernel reads a texture.", nb::is_weak_referenceable())
        .def_prop_ro(
            "device", [](MTL::SamplerState& self) { return shared(self.device()); }, pooled, "The device that made it.")
        .def_prop_ro(
            "label", [](MTL::SamplerState& self) { return pythonText(self.label()); }, pooled,
            "The name that its descriptor gave it.")
        .def_prop_ro(
            "gpu_resource_id", [](MTL::SamplerState& self) { return self.gpuResourceID()._impl; }, pooled,
            "What an argument buffer holds for it.")
        .def_prop_ro(
            "mtl_ptr", [](MTL::SamplerState& self) { return reinterpret_cast<std::uintptr_t>(&self); },
            "Address of the Metal object.")
        .def("__repr__", [](MTL::SamplerState&) { return "<SamplerState>"; });
}

}  // namespace mtlpy
