// SPDX-License-Identifier: MIT

#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "../Metal/Metal.hpp"
#include "../executor/command_buffer.hpp"
#include "../executor/stream.hpp"
#include "device.hpp"
#include "layer.hpp"
#include "runtime.hpp"

namespace metal_objects {

class BufferObject;
class BufferRecord;
class CommandWatch;
class DrawableWork;
class TextureObject;

/// Counts the command buffers of a queue that are committed and not ended; commandBuffer() waits at the limit.
class InFlight {
public:
    explicit InFlight(NS::UInteger limit) : limit_(limit) {}

    void begin() {
        std::lock_guard lock(mutex_);
        ++count_;
    }
    void end() {
        std::lock_guard lock(mutex_);
        --count_;
        below_.notify_all();
    }
    void waitUntilBelowLimit() {
        std::unique_lock lock(mutex_);
        below_.wait(lock, [&] { return count_ < limit_; });
    }
    bool isBelowLimit(std::chrono::nanoseconds timeout) {
        std::unique_lock lock(mutex_);
        return below_.wait_for(lock, timeout, [&] { return count_ < limit_; });
    }

private:
    const NS::UInteger limit_;
    std::mutex mutex_;
    std::condition_variable below_;
    NS::UInteger count_ = 0;
};

class QueueObject final : public Implements<MTL::CommandQueue> {
public:
    QueueObject(const MTL::Device* device, NS::UInteger limit)
        : device(NS::RetainPtr(const_cast<MTL::Device*>(device))),
          stream(std::make_shared<metal_executor::Stream>(as<DeviceObject>(device)->index)),
          inFlight(std::make_shared<InFlight>(limit)) {}

    const NS::SharedPtr<MTL::Device> device;
    const std::shared_ptr<metal_executor::Stream> stream;
    const std::shared_ptr<InFlight> inFlight;
    NS::SharedPtr<MTL::LogState> logState;  // of command buffers with none of their own; null: none
    Label label;
};

/// What a command buffer uses; let go when it has ended. Knows where a fault was while it still does.
struct Used {
    std::vector<NS::SharedPtr<NS::Object>> objects;
    std::vector<const BufferObject*> buffers;
    std::vector<std::shared_ptr<DrawableWork>> drawables;
    bool retains = true;
};

/// Of a kernel that touched what it must not: the buffer next to the address.
struct NearestBuffer {
    std::string label;
    std::int64_t distance = 0;
    NS::UInteger length = 0;
    bool isKnown = false;
};

class CommandBufferObject final : public Implements<MTL::CommandBuffer> {
public:
    CommandBufferObject(QueueObject* queue, const struct CommandBufferValues& values);
    ~CommandBufferObject() override;

    // ---- For encoders ----

    /// False, having noted the mistake, when nothing can be encoded any more.
    bool mayEncode(const char* call);
    bool isCommitted() const { return isCommitted_; }

    /// The first mistake decides the command buffer's error: none of its commands run.
    void noteMistake(std::string message);

    template <class Command>
    void append(Command command) {
        commands_.emplace_back(std::move(command));
        if (record_) noteAppended();
    }
    /// Where a capture notes what is encoded; null where there is no capture.
    BufferRecord* record() const { return record_.get(); }
    /// What the debug layer notes; null where it is off.
    CommandWatch* watch() const { return watch_.get(); }
    std::size_t commandCount() const { return commands_.size(); }
    void* allocate(std::size_t bytes, std::size_t alignment) {
        const auto turn = takeTurn();
        return executor->allocate(bytes, alignment);
    }
    /// From now on, several encoders write into it at the same time.
    void share() { isShared_ = true; }

    void use(const NS::Object* object);
    void use(const TextureObject* texture);
    void useBuffer(const BufferObject* buffer);

    void beginEncoder(const void* encoder) { openEncoder_ = encoder; }
    void pushGroup(const NS::String* name);
    void popGroup();
    void endEncoder() { openEncoder_ = nullptr; }

    // ---- For the public class ----

    void commit();
    void present(const char* call, const MTL::Drawable* drawable, Presentation presentation);
    void addHandler(MTL::HandlerFunction handler, bool isCompletion);
    NS::Error* error();

    const NS::SharedPtr<QueueObject> queue;
    const std::shared_ptr<metal_executor::CommandBuffer> executor;
    const bool retainsReferences;
    const MTL::CommandBufferErrorOption errorOptions;
    Label label;

    bool isFault(struct metal_executor::Fault& fault, NearestBuffer& nearest) const;

private:
    void noteAppended();
    void recordCommands();
    /// Costs nothing while one thread encodes, as all but the encoders of a parallel one must.
    std::unique_lock<std::mutex> takeTurn() {
        return isShared_ ? std::unique_lock(sharing_) : std::unique_lock<std::mutex>();
    }
    void keep(const NS::Object* object);

    std::vector<metal_executor::Command> commands_;
    std::shared_ptr<BufferRecord> record_;
    std::unique_ptr<CommandWatch> watch_;
    unsigned groupDepth_ = 0;
    std::shared_ptr<Used> used_;
    std::shared_ptr<NearestBuffer> nearest_;
    std::vector<std::pair<NS::SharedPtr<MTL::Drawable>, Presentation>> presented_;
    const void* openEncoder_ = nullptr;
    bool isCommitted_ = false;
    bool isShared_ = false;
    std::mutex sharing_;
    std::string mistake_;

    std::mutex mutex_;
    std::vector<MTL::HandlerFunction> scheduledHandlers_, completedHandlers_;
    NS::SharedPtr<NS::Error> error_;
};

}  // namespace metal_objects
