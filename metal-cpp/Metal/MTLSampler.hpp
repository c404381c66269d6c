// SPDX-License-Identifier: MIT

#pragma once

#include "../Foundation/Foundation.hpp"
#include "MTLDepthStencil.hpp"
#include "MTLTypes.hpp"

namespace MTL {

class Device;
class SamplerDescriptor;

enum SamplerMinMagFilter : NS::UInteger {
    SamplerMinMagFilterNearest = 0,
    SamplerMinMagFilterLinear = 1,
};

enum SamplerMipFilter : NS::UInteger {
    SamplerMipFilterNotMipmapped = 0,
    SamplerMipFilterNearest = 1,
    SamplerMipFilterLinear = 2,
};

enum SamplerAddressMode : NS::UInteger {
    SamplerAddressModeClampToEdge = 0,
    SamplerAddressModeMirrorClampToEdge = 1,
    SamplerAddressModeRepeat = 2,
    SamplerAddressModeMirrorRepeat = 3,
    SamplerAddressModeClampToZero = 4,
    SamplerAddressModeClampToBorderColor = 5,
};

enum SamplerBorderColor : NS::UInteger {
    SamplerBorderColorTransparentBlack = 0,
    SamplerBorderColorOpaqueBlack = 1,
    SamplerBorderColorOpaqueWhite = 2,
};

enum SamplerReductionMode : NS::UInteger {
    SamplerReductionModeWeightedAverage = 0,
    SamplerReductionModeMinimum = 1,
    SamplerReductionModeMaximum = 2,
};

class SamplerDescriptor : public NS::Copying<SamplerDescriptor> {
public:
    static SamplerDescriptor* alloc();
    SamplerBorderColor borderColor() const;
    CompareFunction compareFunction() const;
    SamplerDescriptor* init();
    NS::String* label() const;

    /// Whether a level of detail between two may be rounded to one: leave that this device does not take.
    bool lodAverage() const;

    /// Added to every level of detail before it is clamped; rounded to 1/256.
    float lodBias() const;

    float lodMaxClamp() const;
    float lodMinClamp() const;
    SamplerMinMagFilter magFilter() const;
    NS::UInteger maxAnisotropy() const;
    SamplerMinMagFilter minFilter() const;
    SamplerMipFilter mipFilter() const;
    bool normalizedCoordinates() const;
    SamplerAddressMode rAddressMode() const;
    SamplerReductionMode reductionMode() const;
    SamplerAddressMode sAddressMode() const;
    void setBorderColor(SamplerBorderColor borderColor);
    void setCompareFunction(CompareFunction compareFunction);
    void setLabel(const NS::String* label);
    void setLodAverage(bool lodAverage);
    void setLodBias(float lodBias);
    void setLodMaxClamp(float lodMaxClamp);
    void setLodMinClamp(float lodMinClamp);
    void setMagFilter(SamplerMinMagFilter magFilter);
    void setMaxAnisotropy(NS::UInteger maxAnisotropy);
    void setMinFilter(SamplerMinMagFilter minFilter);
    void setMipFilter(SamplerMipFilter mipFilter);
    void setNormalizedCoordinates(bool normalizedCoordinates);
    void setRAddressMode(SamplerAddressMode rAddressMode);
    void setReductionMode(SamplerReductionMode reductionMode);
    void setSAddressMode(SamplerAddressMode sAddressMode);
    void setSupportArgumentBuffers(bool supportArgumentBuffers);
    void setTAddressMode(SamplerAddressMode tAddressMode);
    bool supportArgumentBuffers() const;
    SamplerAddressMode tAddressMode() const;
};

/// How a kernel reads between texels and past the edges of a texture.
class SamplerState : public NS::Referencing<SamplerState> {
public:
    Device* device() const;

    /// What an argument buffer holds for it. Refused unless the descriptor supports argument buffers.
    ResourceID gpuResourceID() const;

    NS::String* label() const;
};

}  // namespace MTL
