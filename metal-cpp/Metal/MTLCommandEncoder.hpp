// SPDX-License-Identifier: MIT

#pragma once

#include "../Foundation/Foundation.hpp"

namespace MTL {

class Device;

using ResourceUsage = NS::UInteger;
enum : ResourceUsage {
    ResourceUsageRead = 1,
    ResourceUsageWrite = 1 << 1,
    ResourceUsageSample = 1 << 2,
};

using BarrierScope = NS::UInteger;
enum : BarrierScope {
    BarrierScopeBuffers = 1,
    BarrierScopeTextures = 1 << 1,
    BarrierScopeRenderTargets = 1 << 2,
};

using Stages = NS::UInteger;
enum : Stages {
    StageVertex = 1,
    StageFragment = 1 << 1,
    StageTile = 1 << 2,
    StageObject = 1 << 3,
    StageMesh = 1 << 4,
    StageResourceState = 1 << 26,
    StageDispatch = 1 << 27,
    StageBlit = 1 << 28,
    StageAccelerationStructure = 1 << 29,
    StageMachineLearning = 1 << 30,
    StageAll = 9223372036854775807,
};

/// Writes commands into a command buffer, one encoder at a time, until endEncoding().
///
/// A command that Metal's validation would stop the program for is left out, and the command buffer ends with
/// CommandBufferStatusError and an error that says what was wrong.
class CommandEncoder : public NS::Referencing<CommandEncoder> {
public:
    Device* device() const;
    void endEncoding();
    void insertDebugSignpost(const NS::String* string);
    NS::String* label() const;
    void popDebugGroup();
    void pushDebugGroup(const NS::String* string);
    void setLabel(const NS::String* label);
};

}  // namespace MTL
