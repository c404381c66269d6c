// SPDX-License-Identifier: MIT

#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "render_encoder.hpp"

namespace metal_objects {

/// Several encoders of one pass. Each has a list of draws of its own; the pass has the lists in the order of the
/// encoders.
class ParallelRenderEncoderObject final : public Implements<MTL::ParallelRenderCommandEncoder>, public EncoderPart {
public:
    ParallelRenderEncoderObject(CommandBufferObject* commandBuffer, std::shared_ptr<PassInProgress> pass)
        : EncoderPart(commandBuffer), pass_(std::move(pass)) {
        commandBuffer->share();
    }

    /// Not owned by the caller. Null, having noted the mistake, after the end.
    RenderEncoderObject* makeEncoder();

    PassTargets& targets() const { return pass_->targets; }

protected:
    bool finish() override;

private:
    const std::shared_ptr<PassInProgress> pass_;
    std::mutex mutex_;
    std::vector<NS::SharedPtr<RenderEncoderObject>> encoders_;
};

}  // namespace metal_objects
