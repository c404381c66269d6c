// SPDX-License-Identifier: MIT

#pragma once

#include "texture.hpp"

namespace metal_objects {

/// Fills the levels from 1 on, each texel from the texels of the level above that it covers.
void makeLevels(const TextureObject& texture);

}  // namespace metal_objects
