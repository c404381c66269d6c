// SPDX-License-Identifier: MIT

#pragma once

#include "../Metal/MTLDrawable.hpp"
#include "../Metal/MTLTexture.hpp"

namespace CA {

class MetalLayer;

/// A layer's next picture. Its texture goes back to the layer when nobody has a reference to the drawable any more and
/// it is not what the display shows.
class MetalDrawable : public NS::Referencing<MetalDrawable, MTL::Drawable> {
public:
    MetalLayer* layer() const;
    MTL::Texture* texture() const;
};

}  // namespace CA
