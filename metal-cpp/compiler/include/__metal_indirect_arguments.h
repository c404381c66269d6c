// SPDX-License-Identifier: MIT
//
// What a kernel writes for commands that read their arguments from a buffer, in the layout that Metal's API gives them.

#pragma once
#pragma clang system_header

#include <metal_types>

struct MTLDrawPrimitivesIndirectArguments {
    uint32_t vertexCount;
    uint32_t instanceCount;
    uint32_t vertexStart;
    uint32_t baseInstance;
};

struct MTLDrawIndexedPrimitivesIndirectArguments {
    uint32_t indexCount;
    uint32_t instanceCount;
    uint32_t indexStart;
    int32_t baseVertex;
    uint32_t baseInstance;
};

struct MTLDrawPatchIndirectArguments {
    uint32_t patchCount;
    uint32_t instanceCount;
    uint32_t patchStart;
    uint32_t baseInstance;
};

struct MTLDispatchThreadgroupsIndirectArguments {
    uint32_t threadgroupsPerGrid[3];
};

struct MTLTriangleTessellationFactorsHalf {
    half edgeTessellationFactor[3];
    half insideTessellationFactor;
};

struct MTLQuadTessellationFactorsHalf {
    half edgeTessellationFactor[4];
    half insideTessellationFactor[2];
};
