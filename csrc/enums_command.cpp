// SPDX-License-Identifier: MIT

#include "enums.hpp"

#include <Metal/Metal.hpp>

#include "bind.hpp"

namespace mtlpy {

void bindCommandEnums(nb::module_& module) {
    bindEnum<MTL::CommandBufferStatus>(module, "CommandBufferStatus", "How far a command buffer has come.",
                                       {{"NotEnqueued", MTL::CommandBufferStatusNotEnqueued},
                                        {"Enqueued", MTL::CommandBufferStatusEnqueued},
                                        {"Committed", MTL::CommandBufferStatusCommitted},
                                        {"Scheduled", MTL::CommandBufferStatusScheduled},
                                        {"Completed", MTL::CommandBufferStatusCompleted},
                                        {"Error", MTL::CommandBufferStatusError}});
    bindEnum<MTL::CommandBufferError>(module, "CommandBufferError", "Codes of the errors of command buffers.",
                                      {{"None_", MTL::CommandBufferErrorNone},
                                       {"Internal", MTL::CommandBufferErrorInternal},
                                       {"Timeout", MTL::CommandBufferErrorTimeout},
                                       {"PageFault", MTL::CommandBufferErrorPageFault},
                                       {"AccessRevoked", MTL::CommandBufferErrorAccessRevoked},
                                       {"NotPermitted", MTL::CommandBufferErrorNotPermitted},
                                       {"OutOfMemory", MTL::CommandBufferErrorOutOfMemory},
                                       {"InvalidResource", MTL::CommandBufferErrorInvalidResource},
                                       {"Memoryless", MTL::CommandBufferErrorMemoryless},
                                       {"DeviceRemoved", MTL::CommandBufferErrorDeviceRemoved},
                                       {"StackOverflow", MTL::CommandBufferErrorStackOverflow}});
    bindEnum<MTL::DispatchType>(module, "DispatchType", "Whether the dispatches of an encoder run one after another.",
                                {{"Serial", MTL::DispatchTypeSerial}, {"Concurrent", MTL::DispatchTypeConcurrent}});
    bindEnum<MTL::CounterSamplingPoint>(module, "CounterSamplingPoint", "Between what commands samples are taken.",
                                        {{"AtStageBoundary", MTL::CounterSamplingPointAtStageBoundary},
                                         {"AtDrawBoundary", MTL::CounterSamplingPointAtDrawBoundary},
                                         {"AtDispatchBoundary", MTL::CounterSamplingPointAtDispatchBoundary},
                                         {"AtTileDispatchBoundary", MTL::CounterSamplingPointAtTileDispatchBoundary},
                                         {"AtBlitBoundary", MTL::CounterSamplingPointAtBlitBoundary}});
    bindOptions(module, "BarrierScope", "Kinds of resources that a memory barrier covers.",
                {{"Buffers", MTL::BarrierScopeBuffers},
                 {"Textures", MTL::BarrierScopeTextures},
                 {"RenderTargets", MTL::BarrierScopeRenderTargets}});
    bindOptions(module, "BlitOption", "Which part of a depth and stencil texture a copy is about.",
                {{"None_", MTL::BlitOptionNone},
                 {"DepthFromDepthStencil", MTL::BlitOptionDepthFromDepthStencil},
                 {"StencilFromDepthStencil", MTL::BlitOptionStencilFromDepthStencil},
                 {"RowLinearPVRTC", MTL::BlitOptionRowLinearPVRTC}});
    bindEnum<MTL::IndexType>(module, "IndexType", "Type of indices.",
                             {{"UInt16", MTL::IndexTypeUInt16}, {"UInt32", MTL::IndexTypeUInt32}});
    bindEnum<MTL::GPUFamily>(module, "GPUFamily", "Families of devices.",
                             {{"Apple1", MTL::GPUFamilyApple1},
                              {"Apple2", MTL::GPUFamilyApple2},
                              {"Apple3", MTL::GPUFamilyApple3},
                              {"Apple4", MTL::GPUFamilyApple4},
                              {"Apple5", MTL::GPUFamilyApple5},
                              {"Apple6", MTL::GPUFamilyApple6},
                              {"Apple7", MTL::GPUFamilyApple7},
                              {"Apple8", MTL::GPUFamilyApple8},
                              {"Apple9", MTL::GPUFamilyApple9},
                              {"Apple10", MTL::GPUFamilyApple10},
                              {"Mac1", MTL::GPUFamilyMac1},
                              {"Mac2", MTL::GPUFamilyMac2},
                              {"Common1", MTL::GPUFamilyCommon1},
                              {"Common2", MTL::GPUFamilyCommon2},
                              {"Common3", MTL::GPUFamilyCommon3},
                              {"MacCatalyst1", MTL::GPUFamilyMacCatalyst1},
                              {"MacCatalyst2", MTL::GPUFamilyMacCatalyst2},
                              {"Metal3", MTL::GPUFamilyMetal3},
                              {"Metal4", MTL::GPUFamilyMetal4}});
    bindEnum<MTL::ReadWriteTextureTier>(module, "ReadWriteTextureTier",
                                        "Formats that a kernel may both read and write.",
                                        {{"None_", MTL::ReadWriteTextureTierNone},
                                         {"Tier1", MTL::ReadWriteTextureTier1},
                                         {"Tier2", MTL::ReadWriteTextureTier2}});
    bindEnum<MTL::ArgumentBuffersTier>(module, "ArgumentBuffersTier", "How far argument buffers go.",
                                       {{"Tier1", MTL::ArgumentBuffersTier1}, {"Tier2", MTL::ArgumentBuffersTier2}});
}

}  // namespace mtlpy
