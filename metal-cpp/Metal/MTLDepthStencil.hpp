// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>

#include "../Foundation/Foundation.hpp"
#include "MTLTypes.hpp"

namespace MTL {

class Device;

enum CompareFunction : NS::UInteger {
    CompareFunctionNever = 0,
    CompareFunctionLess = 1,
    CompareFunctionEqual = 2,
    CompareFunctionLessEqual = 3,
    CompareFunctionGreater = 4,
    CompareFunctionNotEqual = 5,
    CompareFunctionGreaterEqual = 6,
    CompareFunctionAlways = 7,
};

enum StencilOperation : NS::UInteger {
    StencilOperationKeep = 0,
    StencilOperationZero = 1,
    StencilOperationReplace = 2,
    StencilOperationIncrementClamp = 3,
    StencilOperationDecrementClamp = 4,
    StencilOperationInvert = 5,
    StencilOperationIncrementWrap = 6,
    StencilOperationDecrementWrap = 7,
};

/// What happens to the stencil of a sample, for the primitives of one facing.
class StencilDescriptor : public NS::Copying<StencilDescriptor> {
public:
    static StencilDescriptor* alloc();
    StencilOperation depthFailureOperation() const;
    StencilOperation depthStencilPassOperation() const;
    StencilDescriptor* init();
    std::uint32_t readMask() const;
    void setDepthFailureOperation(StencilOperation depthFailureOperation);
    void setDepthStencilPassOperation(StencilOperation depthStencilPassOperation);
    void setReadMask(std::uint32_t readMask);
    void setStencilCompareFunction(CompareFunction stencilCompareFunction);
    void setStencilFailureOperation(StencilOperation stencilFailureOperation);
    void setWriteMask(std::uint32_t writeMask);
    CompareFunction stencilCompareFunction() const;
    StencilOperation stencilFailureOperation() const;
    std::uint32_t writeMask() const;
};

class DepthStencilDescriptor : public NS::Copying<DepthStencilDescriptor> {
public:
    static DepthStencilDescriptor* alloc();

    StencilDescriptor* backFaceStencil() const;
    CompareFunction depthCompareFunction() const;
    StencilDescriptor* frontFaceStencil() const;
    DepthStencilDescriptor* init();
    bool isDepthWriteEnabled() const;
    NS::String* label() const;

    /// Copies it, as for the front. Null puts a new one there, which neither tests nor changes the stencil.
    void setBackFaceStencil(const StencilDescriptor* backFaceStencil);

    void setDepthCompareFunction(CompareFunction depthCompareFunction);
    void setDepthWriteEnabled(bool depthWriteEnabled);
    void setFrontFaceStencil(const StencilDescriptor* frontFaceStencil);
    void setLabel(const NS::String* label);
};

/// How draws test and change depth and stencil.
class DepthStencilState : public NS::Referencing<DepthStencilState> {
public:
    Device* device() const;
    ResourceID gpuResourceID() const;
    NS::String* label() const;
};

}  // namespace MTL
