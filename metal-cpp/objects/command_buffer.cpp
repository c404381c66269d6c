// SPDX-License-Identifier: MIT

#include "command_buffer.hpp"

#include <sstream>
#include <stdexcept>

#include "../MetalPortable/Committing.hpp"
#include "../MetalPortable/MetalPortable.hpp"
#include "../executor/clock.hpp"
#include "../executor/committing.hpp"
#include "blit_encoder.hpp"
#include "buffer.hpp"
#include "capture_session.hpp"
#include "command_watch.hpp"
#include "compute_encoder.hpp"
#include "descriptors.hpp"
#include "error.hpp"
#include "events.hpp"
#include "log_state.hpp"
#include "passes.hpp"
#include "texture.hpp"

namespace metal_objects {

namespace {

using metal_executor::Fault;
using metal_executor::FaultKind;

constexpr const char* errorDomain = "MTLCommandBufferErrorDomain";

MTL::CommandBufferError errorCode(FaultKind kind) {
    switch (kind) {
        case FaultKind::none:
            return MTL::CommandBufferErrorNone;
        case FaultKind::invalidAddress:
        case FaultKind::busError:
            return MTL::CommandBufferErrorPageFault;
        case FaultKind::stopped:
            return MTL::CommandBufferErrorTimeout;
        case FaultKind::outOfMemory:
            return MTL::CommandBufferErrorOutOfMemory;
        case FaultKind::forked:
            return MTL::CommandBufferErrorNotPermitted;
        case FaultKind::badDispatch:
            return MTL::CommandBufferErrorInvalidResource;
        default:
            return MTL::CommandBufferErrorInternal;
    }
}

bool isOfAddress(const Fault& fault) {
    return (fault.kind == FaultKind::invalidAddress || fault.kind == FaultKind::busError) && fault.addressKnown;
}

NearestBuffer nearestBuffer(const Used& used, std::uintptr_t address) {
    NearestBuffer nearest;
    std::uint64_t least = UINT64_MAX;
    for (const BufferObject* buffer : used.buffers) {
        const auto start = reinterpret_cast<std::uintptr_t>(buffer->bytes());
        const std::uint64_t away = address < start                     ? start - address
                                   : address >= start + buffer->length ? address - start - buffer->length + 1
                                                                       : 0;
        if (away >= least) continue;
        least = away;
        nearest = {buffer->ResourcePart::label.text(), static_cast<std::int64_t>(address - start), buffer->length,
                   true};
    }
    return nearest;
}

std::string placeOf(const NearestBuffer& nearest, std::uintptr_t address) {
    constexpr std::uintptr_t firstPages = 64u << 10;
    if (address < firstPages) return "; a null pointer was used";
    constexpr std::int64_t far = std::int64_t{1} << 44;  // nobody's index: it says nothing about that buffer
    if (nearest.distance < -far || nearest.distance > far) return "";
    std::ostringstream text;
    text << "; the nearest buffer";
    if (!nearest.label.empty()) text << " '" << nearest.label << "'";
    text << " has " << nearest.length << " bytes, the address is at byte " << nearest.distance << " of it";
    return text.str();
}

}  // namespace

CommandBufferObject::CommandBufferObject(QueueObject* queue, const CommandBufferValues& values)
    : queue(NS::RetainPtr(queue)),
      executor(std::make_shared<metal_executor::CommandBuffer>(queue->stream)),
      retainsReferences(values.retainedReferences),
      errorOptions(values.errorOptions),
      used_(std::make_shared<Used>()),
      nearest_(std::make_shared<NearestBuffer>()) {
    executor->keep(used_);
    if (const auto capture = CaptureSession::current()) record_ = capture->recordOf(queue);
    if (DebugLayer::get().isOn) watch_ = std::make_unique<CommandWatch>(this);
}

CommandBufferObject::~CommandBufferObject() {
    if (watch_ && !isCommitted_) watch_->released(!commands_.empty());
}

void CommandBufferObject::noteAppended() {
    record_->appended();
}

void CommandBufferObject::pushGroup(const NS::String* name) {
    ++groupDepth_;
    if (record_) record_->pushGroup(std::string(view(name)));
}

void CommandBufferObject::popGroup() {
    if (groupDepth_ == 0) return noteMistake("popDebugGroup: no debug group was pushed");
    --groupDepth_;
    if (record_) record_->popGroup();
}

void CommandBufferObject::recordCommands() {
    // Of what has a mistake no command runs.
    if (!mistake_.empty()) {
        record_->commands().clear();
        record_->appended();
    }
    if (!record_->session->commit(*record_, label.text())) return record_.reset();
    executor->observe(std::make_shared<CaptureObserver>(record_));
    executor->onEnd([session = record_->session, number = record_->number, queue = record_->queue,
                     mistake = mistake_](metal_executor::CommandBuffer& ended) {
        session->ended(number, queue, ended, mistake.empty() ? ended.fault().message : mistake);
    });
}

bool CommandBufferObject::mayEncode(const char* call) {
    if (isCommitted_) {
        reportMistake(std::string(call) + ": the command buffer has been committed already");
        return false;
    }
    if (openEncoder_ != nullptr) {
        noteMistake(std::string(call) + ": the encoder before has not ended encoding");
        return false;
    }
    return true;
}

void CommandBufferObject::noteMistake(std::string message) {
    const auto turn = takeTurn();
    if (!mistake_.empty()) return;
    mistake_ = std::move(message);
    if (watch_) mistake_ += watch_->place();
}

void CommandBufferObject::keep(const NS::Object* object) {
    if (retainsReferences) used_->objects.push_back(NS::RetainPtr(const_cast<NS::Object*>(object)));
}

void CommandBufferObject::use(const NS::Object* object) {
    const auto turn = takeTurn();
    keep(object);
}

void CommandBufferObject::use(const TextureObject* texture) {
    const auto turn = takeTurn();
    keep(texture);
    // Whatever references it keeps: the display waits for what draws.
    if (texture->drawableWork) used_->drawables.push_back(texture->drawableWork);
}

void CommandBufferObject::present(const char* call, const MTL::Drawable* drawable, Presentation presentation) {
    if (isCommitted_) return reportMistake(std::string(call) + ": the command buffer has been committed already");
    if (drawable == nullptr) return noteMistake(std::string(call) + ": drawable must not be nil");
    presented_.emplace_back(NS::RetainPtr(const_cast<MTL::Drawable*>(drawable)), presentation);
}

void CommandBufferObject::useBuffer(const BufferObject* buffer) {
    if (!retainsReferences) return;
    const auto turn = takeTurn();
    keep(buffer);
    used_->buffers.push_back(buffer);
}

void CommandBufferObject::commit() {
    if (isCommitted_) return reportMistake("commit: the command buffer has been committed already");
    if (openEncoder_ != nullptr) noteMistake("commit: an encoder of the command buffer has not ended encoding");
    if (watch_) watch_->commit(groupDepth_);
    isCommitted_ = true;
    if (mistake_.empty()) {
        for (auto& command : commands_) executor->append(std::move(command));
    } else {
        executor->append(metal_executor::Call{[mistake = mistake_] { throw std::runtime_error(mistake); }});
    }
    commands_.clear();
    if (record_) recordCommands();
    {
        // Handlers keep this object alive until they have been called.
        std::lock_guard lock(mutex_);
        const auto self = NS::RetainPtr(this);
        for (auto& handler : scheduledHandlers_) {
            executor->onScheduled([self, handler](metal_executor::CommandBuffer&) { handler(self.get()); });
        }
        for (auto& handler : completedHandlers_) {
            executor->onCompleted([self, handler](metal_executor::CommandBuffer&) { handler(self.get()); });
        }
        scheduledHandlers_.clear();
        completedHandlers_.clear();
    }
    queue->inFlight->begin();
    for (const auto& work : used_->drawables) work->begin();
    if (!used_->drawables.empty()) {
        executor->onEnd([drawables = used_->drawables](metal_executor::CommandBuffer&) {
            for (const auto& work : drawables) work->end();
        });
    }
    if (!presented_.empty()) {
        executor->onEnd([presented = std::move(presented_)](metal_executor::CommandBuffer&) {
            for (const auto& [drawable, when] : presented)
                as<DrawableObject>(drawable.get())->present("presentDrawable", when);
        });
        presented_.clear();
    }
    executor->onEnd([inFlight = queue->inFlight, nearest = nearest_,
                     used = std::weak_ptr<Used>(used_)](metal_executor::CommandBuffer& ended) {
        const Fault fault = ended.fault();
        const auto inUse = used.lock();
        if (isOfAddress(fault) && inUse) *nearest = nearestBuffer(*inUse, fault.address);
        inFlight->end();
    });
    used_.reset();
    executor->commit();
}

void CommandBufferObject::addHandler(MTL::HandlerFunction handler, bool isCompletion) {
    {
        std::lock_guard lock(mutex_);
        if (!isCommitted_)
            return (isCompletion ? completedHandlers_ : scheduledHandlers_).push_back(std::move(handler));
    }
    const auto self = NS::RetainPtr(this);
    const auto call = [self, handler = std::move(handler)](metal_executor::CommandBuffer&) { handler(self.get()); };
    if (isCompletion) {
        executor->onCompleted(call);
    } else {
        executor->onScheduled(call);
    }
}

bool CommandBufferObject::isFault(Fault& fault, NearestBuffer& nearest) const {
    if (executor->status() != metal_executor::Status::error) return false;
    fault = executor->fault();
    nearest = *nearest_;
    return true;
}

NS::Error* CommandBufferObject::error() {
    Fault fault;
    NearestBuffer nearest;
    if (!isFault(fault, nearest)) return nullptr;
    std::lock_guard lock(mutex_);
    if (!error_) {
        const bool isMistake = fault.kind == FaultKind::hostError && !mistake_.empty();
        std::string text = isMistake ? mistake_ : fault.message;
        if (nearest.isKnown) text += placeOf(nearest, fault.address);
        const auto code = isMistake ? MTL::CommandBufferErrorInvalidResource : errorCode(fault.kind);
        error_ = NS::RetainPtr(makeError(errorDomain, static_cast<NS::Integer>(code), text));
    }
    return error_.get();
}

}  // namespace metal_objects

using metal_executor::Committer;
using metal_executor::Committing;
using metal_objects::as;
using metal_objects::CommandBufferObject;
using metal_objects::CommandBufferValues;
using metal_objects::EventPart;
using metal_objects::LogStateObject;
using metal_objects::part;
using metal_objects::QueueObject;

namespace MTL {

namespace {

constexpr NS::UInteger usualLimit = 64;

void recordEvent(CommandBufferObject* commandBuffer, metal_objects::CommandRecord::Kind kind, const Event* event,
                 std::uint64_t value) {
    auto* record = commandBuffer->record();
    if (record == nullptr) return;
    metal_objects::CommandRecord command(kind);
    command.fields.member("event", record->session->objects.event(part<EventPart>(event))).member("value", value);
    record->describe(std::move(command));
}

CommandBuffer* makeCommandBuffer(const CommandQueue* queue, const CommandBufferValues& values) {
    auto* object = as<QueueObject>(queue);
    if (object->stream->belongsToThisProcess()) object->inFlight->waitUntilBelowLimit();
    auto* commandBuffer = new CommandBufferObject(object, values);
    const LogState* logState = values.logState ? values.logState.get() : object->logState.get();
    if (logState != nullptr) commandBuffer->executor->setLogTarget(as<LogStateObject>(logState)->target());
    return commandBuffer->autorelease();
}

}  // namespace

// ---- CommandQueue ----

CommandQueue* Device::newCommandQueue() {
    return newCommandQueue(usualLimit);
}

CommandQueue* Device::newCommandQueue(NS::UInteger maxCommandBufferCount) {
    if (maxCommandBufferCount == 0) {
        metal_objects::reportMistake("newCommandQueue: maxCommandBufferCount must be > 0");
        return nullptr;
    }
    return new QueueObject(this, maxCommandBufferCount);
}

CommandQueue* Device::newCommandQueue(const CommandQueueDescriptor* descriptor) {
    CommandQueue* queue = newCommandQueue(descriptor->maxCommandBufferCount());
    if (queue != nullptr) as<QueueObject>(queue)->logState = NS::RetainPtr(descriptor->logState());
    return queue;
}

CommandBuffer* CommandQueue::commandBuffer() {
    return makeCommandBuffer(this, {});
}

CommandBuffer* CommandQueue::commandBuffer(const CommandBufferDescriptor* descriptor) {
    return makeCommandBuffer(this, as<metal_objects::CommandBufferDescriptorObject>(descriptor)->values);
}

CommandBuffer* CommandQueue::commandBufferWithUnretainedReferences() {
    CommandBufferValues values;
    values.retainedReferences = false;
    return makeCommandBuffer(this, values);
}

Device* CommandQueue::device() const {
    return as<QueueObject>(this)->device.get();
}
NS::String* CommandQueue::label() const {
    return as<QueueObject>(this)->label.get();
}
void CommandQueue::setLabel(const NS::String* label) {
    as<QueueObject>(this)->label.set(label);
}

void CommandQueue::insertDebugCaptureBoundary() {
    if (const auto capture = metal_objects::CaptureSession::current()) capture->noteBoundary(as<QueueObject>(this));
}

// ---- CommandBuffer ----

CommandQueue* CommandBuffer::commandQueue() const {
    return as<CommandBufferObject>(this)->queue.get();
}
Device* CommandBuffer::device() const {
    return as<CommandBufferObject>(this)->queue->device.get();
}
NS::String* CommandBuffer::label() const {
    return as<CommandBufferObject>(this)->label.get();
}
void CommandBuffer::setLabel(const NS::String* label) {
    as<CommandBufferObject>(this)->label.set(label);
}
bool CommandBuffer::retainedReferences() const {
    return as<CommandBufferObject>(this)->retainsReferences;
}
CommandBufferErrorOption CommandBuffer::errorOptions() const {
    return as<CommandBufferObject>(this)->errorOptions;
}
NS::Error* CommandBuffer::error() const {
    return as<CommandBufferObject>(this)->error();
}

CommandBufferStatus CommandBuffer::status() const {
    return static_cast<CommandBufferStatus>(as<CommandBufferObject>(this)->executor->status());
}

CFTimeInterval CommandBuffer::GPUStartTime() const {
    return as<CommandBufferObject>(this)->executor->times().gpuStart;
}
CFTimeInterval CommandBuffer::GPUEndTime() const {
    return as<CommandBufferObject>(this)->executor->times().gpuEnd;
}
CFTimeInterval CommandBuffer::kernelStartTime() const {
    return as<CommandBufferObject>(this)->executor->times().kernelStart;
}
CFTimeInterval CommandBuffer::kernelEndTime() const {
    return as<CommandBufferObject>(this)->executor->times().kernelEnd;
}

void CommandBuffer::addCompletedHandler(const HandlerFunction& function) {
    as<CommandBufferObject>(this)->addHandler(function, true);
}

void CommandBuffer::addScheduledHandler(const HandlerFunction& function) {
    as<CommandBufferObject>(this)->addHandler(function, false);
}

void CommandBuffer::presentDrawable(const Drawable* drawable) {
    as<CommandBufferObject>(this)->present("presentDrawable", drawable, {});
}

void CommandBuffer::presentDrawableAfterMinimumDuration(const Drawable* drawable, CFTimeInterval duration) {
    as<CommandBufferObject>(this)->present("presentDrawableAfterMinimumDuration", drawable,
                                           {.minimumDuration = duration});
}

void CommandBuffer::presentDrawableAtTime(const Drawable* drawable, CFTimeInterval presentationTime) {
    as<CommandBufferObject>(this)->present("presentDrawableAtTime", drawable, {.earliest = presentationTime});
}

void CommandBuffer::enqueue() {
    as<CommandBufferObject>(this)->executor->enqueue();
}
void CommandBuffer::commit() {
    const Committing goesOn(Committer::goesOn);
    as<CommandBufferObject>(this)->commit();
}

void CommandBuffer::waitUntilCompleted() {
    as<CommandBufferObject>(this)->executor->wait(metal_executor::Waiting::helping);
}

void CommandBuffer::waitUntilScheduled() {
    as<CommandBufferObject>(this)->executor->waitUntilScheduled();
}

void CommandBuffer::encodeSignalEvent(const Event* event, std::uint64_t value) {
    auto* commandBuffer = as<CommandBufferObject>(this);
    if (!commandBuffer->mayEncode("encodeSignalEvent")) return;
    recordEvent(commandBuffer, metal_objects::CommandRecord::Kind::signal, event, value);
    commandBuffer->append(metal_executor::SignalEvent{part<EventPart>(event)->event, value});
}

void CommandBuffer::encodeWait(const Event* event, std::uint64_t value) {
    auto* commandBuffer = as<CommandBufferObject>(this);
    if (!commandBuffer->mayEncode("encodeWait")) return;
    recordEvent(commandBuffer, metal_objects::CommandRecord::Kind::wait, event, value);
    commandBuffer->append(metal_executor::WaitEvent{part<EventPart>(event)->event, value});
}

ComputeCommandEncoder* CommandBuffer::computeCommandEncoder() {
    return computeCommandEncoder(DispatchTypeSerial);
}

ComputeCommandEncoder* CommandBuffer::computeCommandEncoder(const ComputePassDescriptor* computePassDescriptor) {
    if (computePassDescriptor == nullptr) return computeCommandEncoder(DispatchTypeSerial);
    const auto& values = as<metal_objects::ComputePassDescriptorObject>(computePassDescriptor)->values;
    ComputeCommandEncoder* encoder = computeCommandEncoder(values.dispatchType);
    if (encoder != nullptr) takeSamples(as<metal_objects::ComputeEncoderObject>(encoder), *values.samples.get());
    return encoder;
}

ComputeCommandEncoder* CommandBuffer::computeCommandEncoder(DispatchType dispatchType) {
    auto* commandBuffer = as<CommandBufferObject>(this);
    if (!commandBuffer->mayEncode("computeCommandEncoder")) return nullptr;
    if (auto* record = commandBuffer->record()) record->beginEncoder("compute");
    auto* encoder = new metal_objects::ComputeEncoderObject(commandBuffer, dispatchType);
    if (auto* watch = commandBuffer->watch())
        watch->beginEncoder(encoder, "compute", dispatchType == DispatchTypeConcurrent);
    return encoder->autorelease();
}

BlitCommandEncoder* CommandBuffer::blitCommandEncoder() {
    auto* commandBuffer = as<CommandBufferObject>(this);
    if (!commandBuffer->mayEncode("blitCommandEncoder")) return nullptr;
    if (auto* record = commandBuffer->record()) record->beginEncoder("blit");
    auto* encoder = new metal_objects::BlitEncoderObject(commandBuffer);
    if (auto* watch = commandBuffer->watch()) watch->beginEncoder(encoder, "blit", false);
    return encoder->autorelease();
}

BlitCommandEncoder* CommandBuffer::blitCommandEncoder(const BlitPassDescriptor* blitPassDescriptor) {
    BlitCommandEncoder* encoder = blitCommandEncoder();
    if (encoder == nullptr || blitPassDescriptor == nullptr) return encoder;
    const auto& values = as<metal_objects::BlitPassDescriptorObject>(blitPassDescriptor)->values;
    takeSamples(as<metal_objects::BlitEncoderObject>(encoder), *values.samples.get());
    return encoder;
}

}  // namespace MTL

// ---- MTL::Portable ----

namespace MTL::Portable {

using metal_executor::duration;

void commitAndRun(CommandBuffer* commandBuffer) {
    const Committing waits(Committer::waits);
    as<CommandBufferObject>(commandBuffer)->commit();
}

void atEnd(CommandBuffer* commandBuffer, std::function<void()> function) {
    as<CommandBufferObject>(commandBuffer)->executor->onEnd([call = std::move(function)](auto&) { call(); });
}

bool wait(CommandBuffer* commandBuffer, double seconds) {
    return as<CommandBufferObject>(commandBuffer)->executor->wait(metal_executor::Waiting::idle, duration(seconds));
}

void stop(CommandBuffer* commandBuffer, double seconds) {
    as<CommandBufferObject>(commandBuffer)->executor->stop(duration(seconds));
}

void keepDispatchTimes(CommandBuffer* commandBuffer) {
    auto* object = as<CommandBufferObject>(commandBuffer);
    if (object->isCommitted()) {
        return metal_objects::reportMistake("keepDispatchTimes: the command buffer has been committed already");
    }
    object->executor->keepDispatchTimes();
}

std::vector<std::pair<double, double>> dispatchTimes(const CommandBuffer* commandBuffer) {
    std::vector<std::pair<double, double>> times;
    for (const auto& one : as<CommandBufferObject>(commandBuffer)->executor->dispatchTimes()) {
        times.emplace_back(one.start, one.end);
    }
    return times;
}

bool waitForRoom(CommandQueue* queue, double seconds) {
    const auto* object = as<QueueObject>(queue);
    return !object->stream->belongsToThisProcess() || object->inFlight->isBelowLimit(duration(seconds));
}

bool fault(const CommandBuffer* commandBuffer, Fault& fault) {
    metal_executor::Fault happened;
    metal_objects::NearestBuffer nearest;
    if (!as<CommandBufferObject>(commandBuffer)->isFault(happened, nearest) || happened.kernel.empty()) return false;
    fault = {happened.kernel, happened.address, happened.isWrite, nearest.label, nearest.distance, nearest.length};
    return true;
}

}  // namespace MTL::Portable
