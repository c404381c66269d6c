// SPDX-License-Identifier: MIT
//
// What Metal's validation says of textures, in words; empty where it has nothing to say.

#pragma once

#include <string>

#include "texture.hpp"

namespace metal_objects {

bool isArray(MTL::TextureType type);
bool isMultisample(MTL::TextureType type);
bool isCube(MTL::TextureType type);
/// Whether its texels are nowhere but in the tiles of the pass that draws into it.
bool isMemoryless(const TextureValues& values);

std::string descriptorMistake(const TextureValues& values);

/// Of a view of `parent`, whose values it fills in: those of `values` besides format, type and swizzle.
std::string viewMistake(const TextureObject* parent, TextureValues& values, NS::Range levels, NS::Range slices);

}  // namespace metal_objects
