// SPDX-License-Identifier: MIT
//
// As bind.hpp, of what renders.

#pragma once

#include "handle.hpp"

namespace mtlpy {

void bindRenderEnums(nb::module_& module);
void bindRenderTypes(nb::module_& module);
void bindVertexDescriptor(nb::module_& module);
void bindDepthStencil(nb::module_& module);
void bindRenderPipeline(nb::module_& module);
void bindRenderPass(nb::module_& module);
void bindRenderEncoder(nb::module_& module);
void bindIndirectRenderCommand(nb::module_& module);
void bindArgumentDescriptor(nb::module_& module);

}  // namespace mtlpy
