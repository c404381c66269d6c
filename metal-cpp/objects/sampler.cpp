// SPDX-License-Identifier: MIT

#include "sampler.hpp"

#include <algorithm>
#include <cmath>

#include "error.hpp"

namespace metal_objects {

namespace {

constexpr float stepsPerLevel = 256;
constexpr metal_sampler clampMask = metal_sampler{0xffffff} << metal_sampler_lod_min_shift;

/// Of a clamp; beyond the last level there is all ones, which is no limit.
metal_sampler stepsOf(float lod) {
    constexpr float most = 0xfff;
    return static_cast<metal_sampler>(std::clamp(std::nearbyint(lod * stepsPerLevel), 0.0f, most));
}

metal_sampler bitsOf(const SamplerValues& values) {
    metal_sampler bits = 0;
    const auto put = [&](NS::UInteger value, int shift) { bits |= metal_sampler{value} << shift; };
    put(values.sAddressMode, metal_sampler_s_address_shift);
    put(values.tAddressMode, metal_sampler_t_address_shift);
    put(values.rAddressMode, metal_sampler_r_address_shift);
    put(values.minFilter, metal_sampler_min_filter_shift);
    put(values.magFilter, metal_sampler_mag_filter_shift);
    put(values.mipFilter, metal_sampler_mip_filter_shift);
    put(values.normalizedCoordinates ? 0 : 1, metal_sampler_pixel_coords_shift);
    put(values.compareFunction, metal_sampler_compare_shift);
    put(values.borderColor, metal_sampler_border_shift);
    put(values.maxAnisotropy - 1, metal_sampler_anisotropy_shift);
    put(values.reductionMode, metal_sampler_reduction_shift);
    constexpr float mostBias = 8191;
    const auto bias = static_cast<int>(std::clamp(std::nearbyint(values.lodBias * stepsPerLevel), -mostBias, mostBias));
    put(static_cast<NS::UInteger>(bias) & 0x3fff, metal_sampler_lod_bias_shift);
    return withClamps(bits, values.lodMinClamp, values.lodMaxClamp);
}

const char* mistakeOf(const SamplerValues& values) {
    if (values.maxAnisotropy < 1 || values.maxAnisotropy > 16) return "maxAnisotropy must be 1 to 16";
    if (!std::isfinite(values.lodBias)) return "lodBias must be a number";
    if (values.lodMinClamp > values.lodMaxClamp) return "lodMinClamp must be <= lodMaxClamp";
    if (values.normalizedCoordinates) return nullptr;
    const auto clamps = [](MTL::SamplerAddressMode mode) {
        return mode == MTL::SamplerAddressModeClampToEdge || mode == MTL::SamplerAddressModeClampToZero ||
               mode == MTL::SamplerAddressModeClampToBorderColor;
    };
    if (!clamps(values.sAddressMode) || !clamps(values.tAddressMode)) {
        return "coordinates that are not normalized need address modes that clamp";
    }
    if (values.mipFilter != MTL::SamplerMipFilterNotMipmapped || values.minFilter != values.magFilter) {
        return "coordinates that are not normalized need one filter, without levels";
    }
    return nullptr;
}

}  // namespace

SamplerObject::SamplerObject(const MTL::Device* device, const SamplerValues& values)
    : device(NS::RetainPtr(const_cast<MTL::Device*>(device))),
      label(values.label),
      bits(bitsOf(values)),
      supportsArgumentBuffers(values.supportArgumentBuffers) {}

metal_sampler withClamps(metal_sampler bits, float lodMinClamp, float lodMaxClamp) {
    return (bits & ~clampMask) | stepsOf(lodMinClamp) << metal_sampler_lod_min_shift |
           stepsOf(lodMaxClamp) << metal_sampler_lod_max_shift;
}

}  // namespace metal_objects

using metal_objects::as;
using metal_objects::SamplerObject;

namespace MTL {

SamplerState* Device::newSamplerState(const SamplerDescriptor* descriptor) {
    const auto& values = as<metal_objects::SamplerDescriptorObject>(descriptor)->values;
    if (const char* mistake = metal_objects::mistakeOf(values)) {
        metal_objects::reportMistake(std::string("newSamplerState: ") + mistake);
        return nullptr;
    }
    return new SamplerObject(this, values);
}

Device* SamplerState::device() const {
    return as<SamplerObject>(this)->device.get();
}
ResourceID SamplerState::gpuResourceID() const {
    const auto* sampler = as<SamplerObject>(this);
    if (!sampler->supportsArgumentBuffers) {
        metal_objects::reportMistake(
            "gpuResourceID: the sampler's descriptor did not set supportArgumentBuffers, without which argument "
            "buffers cannot hold it");
        return {0};
    }
    return {sampler->bits};
}
NS::String* SamplerState::label() const {
    return as<SamplerObject>(this)->label.get();
}

}  // namespace MTL
