// SPDX-License-Identifier: MIT
//
// mtlpy_nb._native: Metal's objects in Python, one for one, over metal-cpp. On a Mac that is Apple's, elsewhere this
// repository's; the files here are the same.

#include "bind.hpp"
#include "bind_render.hpp"

NB_MODULE(_native, module) {
    module.doc() = "Metal's objects, one for one.";
    // At exit, commands that wait for ever are abandoned, and with them what their callbacks hold.
    nanobind::set_leak_warnings(false);
    mtlpy::bindErrors(module);
    mtlpy::bindPixelFormats(module);
    mtlpy::bindResourceEnums(module);
    mtlpy::bindFunctionEnums(module);
    mtlpy::bindCommandEnums(module);
    mtlpy::bindRenderEnums(module);
    mtlpy::bindTypes(module);
    mtlpy::bindRenderTypes(module);
    mtlpy::bindDataTypes(module);
    mtlpy::bindReflection(module);
    mtlpy::bindLogState(module);
    mtlpy::bindDevice(module);
    mtlpy::bindResource(module);
    mtlpy::bindBuffer(module);
    mtlpy::bindTexture(module);
    mtlpy::bindHeap(module);
    mtlpy::bindSampler(module);
    mtlpy::bindRasterizationRates(module);
    mtlpy::bindEvents(module);
    mtlpy::bindLayers(module);
    mtlpy::bindViews(module);
    mtlpy::bindIndirectCommands(module);
    mtlpy::bindIndirectRenderCommand(module);
    mtlpy::bindArgumentDescriptor(module);
    mtlpy::bindFunctionTables(module);
    mtlpy::bindFunction(module);
    mtlpy::bindLibrary(module);
    mtlpy::bindBinaryArchive(module);
    mtlpy::bindStageInput(module);
    mtlpy::bindCounters(module);
    mtlpy::bindVertexDescriptor(module);
    mtlpy::bindDepthStencil(module);
    mtlpy::bindComputePipeline(module);
    mtlpy::bindRenderPipeline(module);
    mtlpy::bindRenderPass(module);
    mtlpy::bindCommandQueue(module);
    mtlpy::bindCommandBuffer(module);
    mtlpy::bindComputeEncoder(module);
    mtlpy::bindRenderEncoder(module);
    mtlpy::bindBlitEncoder(module);
    mtlpy::bindDispatch(module);
    mtlpy::bindExchange(module);
    mtlpy::bindCapture(module);
    mtlpy::bindPortable(module);
    mtlpy::bindPortableDevices(module);
    mtlpy::live::bind(module);
}
