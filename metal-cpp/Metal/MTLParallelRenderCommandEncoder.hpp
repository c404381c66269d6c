// SPDX-License-Identifier: MIT

#pragma once

#include "../Foundation/Foundation.hpp"
#include "MTLCommandEncoder.hpp"
#include "MTLRenderPass.hpp"

namespace MTL {

class RenderCommandEncoder;

/// Several encoders of one pass, which different threads may use at the same time.
class ParallelRenderCommandEncoder : public NS::Referencing<ParallelRenderCommandEncoder, CommandEncoder> {
public:
    /// Not owned by the caller. All draw into one pass, in the order in which they were made.
    RenderCommandEncoder* renderCommandEncoder();

    void setColorStoreAction(StoreAction storeAction, NS::UInteger colorAttachmentIndex);
    void setColorStoreActionOptions(StoreActionOptions storeActionOptions, NS::UInteger colorAttachmentIndex);
    void setDepthStoreAction(StoreAction storeAction);
    void setDepthStoreActionOptions(StoreActionOptions storeActionOptions);
    void setStencilStoreAction(StoreAction storeAction);
    void setStencilStoreActionOptions(StoreActionOptions storeActionOptions);
};

}  // namespace MTL
