// SPDX-License-Identifier: MIT
//
// What the debug layer knows of the images of textures: whether anything was ever written to them, whether a render
// pass threw it away, and whether anybody read what a pass stored. By the order in which commands are encoded.

#pragma once

#include <cstdint>
#include <string>

namespace metal_objects {

class ResourcePart;
class TextureObject;

/// One level of a texture, and some of its slices, or of its planes if it is 3D.
struct TextureImages {
    const TextureObject* texture = nullptr;
    std::uint64_t level = 0, slice = 0, count = 1;
};

namespace texture_contents {

/// The resource goes: nothing is known of it any more.
void forget(const ResourcePart* resource);

/// The processor or a command wrote to a resource, or read it: any part of it.
void written(const ResourcePart* resource);
void read(const ResourcePart* resource);

/// A render pass stores, or throws away, what it drew. `by`: what messages call the pass.
void stored(const TextureImages& images, const std::string& by);
void discarded(const TextureImages& images, const std::string& by);

/// Empty, or why what the images hold is not defined: "which nothing has written to".
std::string whyUndefined(const TextureImages& images);
/// The same of all that the texture has.
std::string whyUndefined(const TextureObject& texture);

/// Who stored what is in the images, if nobody has read any of it since; else empty.
std::string storedForNobody(const TextureImages& images);

}  // namespace texture_contents

}  // namespace metal_objects
