// SPDX-License-Identifier: MIT

#pragma once

#include "../Metal/Metal.hpp"

namespace metal_objects {

class CommandBufferObject;
class EncoderPart;

/// What the debug layer notes of a render pass when its encoder is made. What its draws touch is not looked at.
void watchPass(CommandBufferObject* commandBuffer, const EncoderPart* encoder, const MTL::RenderPassDescriptor* pass);

}  // namespace metal_objects
