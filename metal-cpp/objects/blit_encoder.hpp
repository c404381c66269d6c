// SPDX-License-Identifier: MIT

#pragma once

#include "encoder.hpp"

namespace metal_objects {

class BlitEncoderObject final : public Implements<MTL::BlitCommandEncoder>, public EncoderPart {
public:
    using EncoderPart::EncoderPart;
};

}  // namespace metal_objects
