// SPDX-License-Identifier: MIT

#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "../Metal/Metal.hpp"
#include "../executor/log.hpp"
#include "descriptors.hpp"

namespace metal_objects {

struct LogStateValues {
    MTL::LogLevel level = MTL::LogLevelUndefined;
    NS::Integer bufferSize = 1 << 20;
};
using LogStateDescriptorObject = DescriptorOf<MTL::LogStateDescriptor, LogStateValues>;

class LogStateObject final : public Implements<MTL::LogState> {
public:
    explicit LogStateObject(const LogStateValues& values);

    void addHandler(MTL::LogHandlerFunction handler);

    /// For a command buffer's messages. Outlives the object where command buffers are unfinished.
    std::shared_ptr<const metal_executor::LogTarget> target() const { return target_; }

private:
    struct Handlers {
        std::mutex mutex;
        std::vector<MTL::LogHandlerFunction> functions;

        void deliver(const std::vector<metal_executor::LogMessage>& messages);
    };

    std::shared_ptr<Handlers> handlers_;
    std::shared_ptr<const metal_executor::LogTarget> target_;
};

}  // namespace metal_objects
