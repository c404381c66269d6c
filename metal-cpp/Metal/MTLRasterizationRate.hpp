// SPDX-License-Identifier: MIT

#pragma once

#include "../Foundation/Foundation.hpp"
#include "MTLDevice.hpp"
#include "MTLTypes.hpp"

namespace NS {
class Number;
}

namespace MTL {

class Buffer;
class RasterizationRateLayerArray;
class RasterizationRateLayerDescriptor;
class RasterizationRateMapDescriptor;
class RasterizationRateSampleArray;

/// The rates of one axis of a layer.
class RasterizationRateSampleArray : public NS::Referencing<RasterizationRateSampleArray> {
public:
    static RasterizationRateSampleArray* alloc();
    RasterizationRateSampleArray* init();

    /// Zero when there is no such rate.
    NS::Number* object(NS::UInteger index);

    /// Stored as a float.
    void setObject(const NS::Number* value, NS::UInteger index);
};

/// How finely a layer is rasterized across the screen: physical pixels per pixel of the screen, 0 to 1, at places
/// equally far from one another, the first and the last at the edges. The columns' and rows' rates are independent.
class RasterizationRateLayerDescriptor : public NS::Copying<RasterizationRateLayerDescriptor> {
public:
    static RasterizationRateLayerDescriptor* alloc();
    RasterizationRateSampleArray* horizontal() const;

    /// `sampleCount().width` rates, which may be written.
    float* horizontalSampleStorage() const;

    /// Without rates.
    RasterizationRateLayerDescriptor* init();

    /// Zeros: the lowest rate there is.
    RasterizationRateLayerDescriptor* init(Size sampleCount);

    RasterizationRateLayerDescriptor* init(Size sampleCount, const float* horizontal, const float* vertical);

    /// What it was made with. The depth is 0, as the next one's.
    Size maxSampleCount() const;

    Size sampleCount() const;
    void setSampleCount(Size sampleCount);
    RasterizationRateSampleArray* vertical() const;
    float* verticalSampleStorage() const;
};

/// The layers of a map.
class RasterizationRateLayerArray : public NS::Referencing<RasterizationRateLayerArray> {
public:
    static RasterizationRateLayerArray* alloc();
    RasterizationRateLayerArray* init();

    /// Null when none was set.
    RasterizationRateLayerDescriptor* object(NS::UInteger layerIndex);

    /// Null takes the layer away.
    void setObject(const RasterizationRateLayerDescriptor* layer, NS::UInteger layerIndex);
};

/// What a rate map is made of.
class RasterizationRateMapDescriptor : public NS::Copying<RasterizationRateMapDescriptor> {
public:
    static RasterizationRateMapDescriptor* alloc();
    RasterizationRateMapDescriptor* init();
    NS::String* label() const;
    RasterizationRateLayerDescriptor* layer(NS::UInteger layerIndex);

    /// How many layers there are before the first index without one.
    NS::UInteger layerCount() const;

    RasterizationRateLayerArray* layers() const;
    static RasterizationRateMapDescriptor* rasterizationRateMapDescriptor(Size screenSize);
    static RasterizationRateMapDescriptor* rasterizationRateMapDescriptor(
        Size screenSize, const RasterizationRateLayerDescriptor* layer);
    static RasterizationRateMapDescriptor* rasterizationRateMapDescriptor(
        Size screenSize, NS::UInteger layerCount, const RasterizationRateLayerDescriptor* const* layers);

    /// Pixels; the depth means nothing.
    Size screenSize() const;

    void setLabel(const NS::String* label);
    void setLayer(const RasterizationRateLayerDescriptor* layer, NS::UInteger layerIndex);
    void setScreenSize(Size screenSize);
};

/// Where each pixel of the screen lies in a smaller image that is finer in some parts than in others.
class RasterizationRateMap : public NS::Referencing<RasterizationRateMap> {
public:
    /// Puts the map into a shared buffer, where functions read it as `rasterization_rate_map_data`. The offset is a
    /// multiple of parameterBufferSizeAndAlign().align.
    void copyParameterDataToBuffer(const Buffer* buffer, NS::UInteger offset);

    Device* device() const;
    NS::String* label() const;
    NS::UInteger layerCount() const;
    Coordinate2D mapPhysicalToScreenCoordinates(Coordinate2D physicalCoordinates, NS::UInteger layerIndex);
    Coordinate2D mapScreenToPhysicalCoordinates(Coordinate2D screenCoordinates, NS::UInteger layerIndex);
    SizeAndAlign parameterBufferSizeAndAlign() const;

    /// Rates change at any physical pixel: 1 by 1. The depth of this and the next two is 0.
    Size physicalGranularity() const;

    /// Of the smaller image.
    Size physicalSize(NS::UInteger layerIndex);

    Size screenSize() const;
};

}  // namespace MTL
