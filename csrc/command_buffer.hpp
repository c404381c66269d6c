// SPDX-License-Identifier: MIT

#pragma once

#include <Metal/Metal.hpp>
#include <memory>
#include <optional>

#include "completion.hpp"
#include "handle.hpp"
#include "under_way.hpp"

namespace mtlpy {

/// A command buffer, and what Metal leaves to the program to keep in order: one encoder at a time, one commit.
struct CommandBuffer : std::enable_shared_from_this<CommandBuffer> {
    explicit CommandBuffer(MTL::CommandBuffer* commandBuffer);

    NS::SharedPtr<MTL::CommandBuffer> metal;
    std::shared_ptr<Completion> completion;
    std::shared_ptr<UnderWay> underWay;  // from the commit on; null of commitAndWait()
    bool committed = false;
    bool encoding = false;
    unsigned groups = 0;
    std::unique_ptr<live::Noted> noted;  // of one that Python may keep

    /// Throws a ValidationError when it is committed or another encoder is open.
    void checkEncodable(const char* where) const;
    void checkDevice(const char* where, const char* name, const MTL::Device* other) const;

    void commit();

    /// With the GIL held; releases it. The thread runs short commands itself. Throws as wait().
    void commitAndWait();

    /// With the GIL held: calls `callback(this)` when it has finished, callbacks given before included.
    void addCallback(nb::callable callback);

    /// Whether it has finished, well or badly.
    bool isDone() const { return committed && metal->status() >= MTL::CommandBufferStatusCompleted; }

    /// With the GIL held; releases it. True when it has finished, callbacks included. `commits`: hands it over first.
    bool waitSlice(std::chrono::nanoseconds time, bool commits = false);

    /// With the GIL held; releases it to wait. False when `timeout` seconds pass first. Ctrl-C stops what runs, if the
    /// device can, and throws. Throws an ExecutionError when the command buffer failed.
    bool wait(std::optional<double> timeout, bool commits = false);

private:
    void checkCommit();
    void tellCompletion();
    bool tells = false;  // a handler tells `completion` of the end
};

/// With the GIL held; releases it while the queue has as many unfinished ones as it may. Throws a ResourceError when
/// Metal gives none.
std::shared_ptr<CommandBuffer> newCommandBuffer(MTL::CommandQueue& queue);

}  // namespace mtlpy
