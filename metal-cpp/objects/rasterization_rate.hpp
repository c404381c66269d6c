// SPDX-License-Identifier: MIT
//
// Rasterization rate maps. Between two neighbouring rates of a descriptor the map has the higher one, so it is never
// coarser than what was asked for, and its coordinates are piecewise linear.

#pragma once

#include <array>
#include <memory>
#include <vector>

#include "../Metal/Metal.hpp"
#include "runtime.hpp"

namespace metal_objects {

class RateSamplesObject final : public Implements<MTL::RasterizationRateSampleArray> {
public:
    std::vector<float> rates;
};

class RateLayerObject final : public Implements<MTL::RasterizationRateLayerDescriptor> {
public:
    RateLayerObject();
    void resize(MTL::Size count);

    MTL::Size most{0, 0, 0}, count{0, 0, 0};
    std::array<NS::SharedPtr<RateSamplesObject>, 2> axes;  // horizontal, vertical

private:
    NS::Object* duplicate() const override;
};

class RateLayersObject final : public Implements<MTL::RasterizationRateLayerArray> {
public:
    static constexpr NS::UInteger most = 2048;  // as many as a texture array has slices

    RateLayerObject* at(NS::UInteger index) const { return index < layers_.size() ? layers_[index].get() : nullptr; }
    void set(const MTL::RasterizationRateLayerDescriptor* layer, NS::UInteger index);
    NS::UInteger count() const;

private:
    std::vector<NS::SharedPtr<RateLayerObject>> layers_;
};

class RateMapDescriptorObject final : public Implements<MTL::RasterizationRateMapDescriptor> {
public:
    MTL::Size screen{0, 0, 0};
    NS::SharedPtr<NS::String> label;
    NS::SharedPtr<RateLayersObject> layers = NS::TransferPtr(new RateLayersObject);

private:
    NS::Object* duplicate() const override;
};

/// One axis of a layer: stretches of one length on the screen, each with one rate.
class RateAxis {
public:
    RateAxis(float screen, const float* rates, NS::UInteger count);

    float toPhysical(float place) const;
    float toScreen(float place) const;

    float length;              // of a stretch on the screen
    std::vector<float> edges;  // in physical pixels: where stretches begin, and the last one's end
};

class RateMapObject final : public Implements<MTL::RasterizationRateMap> {
public:
    RateMapObject(const MTL::Device* device, const RateMapDescriptorObject& descriptor);

    const NS::SharedPtr<MTL::Device> device;
    const NS::SharedPtr<NS::String> label;
    const MTL::Size screen;
    std::vector<std::array<RateAxis, 2>> layers;
    std::vector<std::uint32_t> data;  // as __metal_rasterization_rate.h reads it
};

}  // namespace metal_objects
