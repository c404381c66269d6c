// SPDX-License-Identifier: MIT
//
// What module.cpp calls, in order: a class is bound before the functions that return it.

#pragma once

#include "handle.hpp"

namespace mtlpy {

void bindErrors(nb::module_& module);
void bindPixelFormats(nb::module_& module);
void bindResourceEnums(nb::module_& module);
void bindFunctionEnums(nb::module_& module);
void bindCommandEnums(nb::module_& module);
void bindTypes(nb::module_& module);
void bindDataTypes(nb::module_& module);
void bindReflection(nb::module_& module);
void bindHeap(nb::module_& module);
void bindResource(nb::module_& module);
void bindBuffer(nb::module_& module);
void bindTexture(nb::module_& module);
void bindSampler(nb::module_& module);
void bindRasterizationRates(nb::module_& module);
void bindEvents(nb::module_& module);
void bindFunction(nb::module_& module);
void bindFunctionTables(nb::module_& module);
void bindIndirectCommands(nb::module_& module);
void bindLibrary(nb::module_& module);
void bindLogState(nb::module_& module);
void bindBinaryArchive(nb::module_& module);
void bindStageInput(nb::module_& module);
void bindCounters(nb::module_& module);
void bindComputePipeline(nb::module_& module);
void bindComputeEncoder(nb::module_& module);
void bindBlitEncoder(nb::module_& module);
void bindCommandBuffer(nb::module_& module);
void bindCommandQueue(nb::module_& module);
void bindDevice(nb::module_& module);
void bindDispatch(nb::module_& module);
void bindExchange(nb::module_& module);
void bindLayers(nb::module_& module);
void bindViews(nb::module_& module);
void bindCapture(nb::module_& module);
void bindPortable(nb::module_& module);
void bindPortableDevices(nb::module_& module);

}  // namespace mtlpy
