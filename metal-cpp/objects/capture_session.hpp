// SPDX-License-Identifier: MIT
//
// A capture while it is under way. Recorded commands run one at a time, whatever their queues, so that what memory
// holds before and after each is its doing alone.

#pragma once

#include <sys/types.h>

#include <atomic>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "../MetalPortable/MetalPortable.hpp"
#include "../capture/content_store.hpp"
#include "../executor/fault.hpp"
#include "capture_objects.hpp"
#include "capture_record.hpp"
#include "command_buffer.hpp"

namespace metal_objects {

/// What MTL::CaptureScope stands for.
class CaptureScopeObject final : public Implements<MTL::CaptureScope> {
public:
    CaptureScopeObject(const MTL::Device* device, const MTL::CommandQueue* queue)
        : device(NS::RetainPtr(const_cast<MTL::Device*>(device))),
          queue(NS::RetainPtr(const_cast<MTL::CommandQueue*>(queue))) {}
    ~CaptureScopeObject() override;

    void begin();
    void end();

    const NS::SharedPtr<MTL::Device> device;
    const NS::SharedPtr<MTL::CommandQueue> queue;  // null: all of the device
    Label label;
};

class CaptureSession : public std::enable_shared_from_this<CaptureSession> {
public:
    /// Of which command buffers: one of them is not null.
    struct Target {
        NS::SharedPtr<MTL::Device> device;
        NS::SharedPtr<QueueObject> queue;
        NS::SharedPtr<CaptureScopeObject> scope;
    };

    /// The capture that is under way; null when there is none. Costs one relaxed load then.
    static std::shared_ptr<CaptureSession> current() {
        return isAny_.load(std::memory_order_relaxed) ? find() : nullptr;
    }

    enum class Start : std::uint8_t { begun, busy, failed };
    /// Fails, and says why, when the file cannot be made.
    static Start start(Target target, const std::string& path, std::string& whyNot);

    /// The capture that is under way, which then is no longer; null when there is none.
    static std::shared_ptr<CaptureSession> take();

    CaptureSession(Target target, std::string path, std::unique_ptr<metal_capture::ZipWriter> zip);

    /// Null when command buffers of the queue are not recorded now.
    std::shared_ptr<BufferRecord> recordOf(const QueueObject* queue);

    /// Whether the command buffer is recorded still, now that it is committed.
    bool commit(const BufferRecord& record, const std::string& label);
    void ended(std::uint32_t number, std::uint32_t queue, metal_executor::CommandBuffer& commandBuffer,
               const std::string& error);

    void began(const CaptureScopeObject* scope);
    void ended(const CaptureScopeObject* scope);
    void noteBoundary(const QueueObject* queue);

    /// Records no more command buffers, and waits for those that are recorded and can go on; false when `seconds` pass
    /// first.
    bool wait(double seconds);

    /// Finishes the file. Once, by who took it.
    MTL::Portable::CaptureEnd stop();

    // ---- For CaptureObserver ----

    std::mutex& turn() { return turn_; }
    /// What the command is before it runs, with the contents of what it touches.
    void commandBegins(CommandRecord& record, std::uint32_t commandBuffer, std::size_t index);
    void commandEnded(CommandRecord& record, std::uint32_t commandBuffer, double start, double end,
                      const metal_executor::Fault& fault);
    void waits(std::uint32_t queue, bool isWaiting);

    CaptureObjects objects;

    /// Of an argument's bytes, while a command is encoded.
    std::uint32_t contentOf(const void* bytes, std::size_t size);

private:
    struct Span {
        const void* scope;
        std::string label;
        std::optional<std::uint32_t> queue;
        double begin, end;
    };
    struct QueueState {
        unsigned inFlight = 0, waiting = 0;
    };
    struct BufferState {
        std::uint32_t queue = 0;
        std::string label, encoders, status = "committed", error;
        std::vector<std::uint32_t> scopes;
        std::size_t commandCount = 0;
        double committed = 0;
        metal_executor::Times times;
    };

    static std::shared_ptr<CaptureSession> find();
    bool canGoOn() const;  // with mutex_ held
    unsigned close();
    void writeBefore(metal_capture::JsonWriter& json, const CommandRecord& record);
    void writeAfter(metal_capture::JsonWriter& json, const CommandRecord& record);
    void writeManifest(unsigned unfinished);
    void writeObjects();
    void writeBuffers(metal_capture::JsonWriter& json);
    void writeScopes(metal_capture::JsonWriter& json);
    void addJson(const char* name, metal_capture::JsonWriter& json);

    static std::atomic<bool> isAny_;

    const Target target_;  // one of device, queue and scope
    const std::string path_;
    const std::uint64_t process_;
    const double started_;
    const double startedWall_;
    std::unique_ptr<metal_capture::ZipWriter> zip_;
    std::unique_ptr<metal_capture::ContentStore> contents_;

    std::mutex turn_;     // of the command that runs
    std::mutex writing_;  // while contents are taken; after it closed_ is set nothing is
    bool closed_ = false;
    metal_capture::JsonWriter commands_;
    std::map<std::uint32_t, std::string> running_;  // what is known of commands that have begun, by command buffer

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    bool isOpen_ = true;
    std::uint32_t bufferCount_ = 0;
    std::map<std::uint32_t, BufferState> buffers_;  // that were committed
    std::map<std::uint32_t, QueueState> queues_;
    std::vector<Span> spans_;
    std::vector<std::pair<std::uint32_t, double>> boundaries_;
    std::uint64_t scopeSpan_ = 0;  // of the scope that is captured, counted; changes when it begins and ends
    bool isScopeOpen_ = false;
};

/// Tells a session of a command buffer's commands.
class CaptureObserver final : public metal_executor::Observer {
public:
    explicit CaptureObserver(std::shared_ptr<BufferRecord> record) : record_(std::move(record)) {}

    void begins(std::size_t command) override;
    void ended(std::size_t command, double start, double end, const metal_executor::Fault& fault) override;

private:
    const std::shared_ptr<BufferRecord> record_;
};

}  // namespace metal_objects
