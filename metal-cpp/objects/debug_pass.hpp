// SPDX-License-Identifier: MIT

#pragma once

#include "pass_targets.hpp"

namespace metal_objects {

class CommandBufferObject;
class EncoderPart;

/// What the debug layer notes of a render pass when its encoder is made: what it loads, clears and draws into.
void watchPass(CommandBufferObject* commandBuffer, const EncoderPart* encoder, const PassTargets& targets);

/// The same when the pass has been encoded: what it stores.
void watchPassEnd(CommandBufferObject* commandBuffer, const PassTargets& targets);

}  // namespace metal_objects
