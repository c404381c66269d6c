// SPDX-License-Identifier: MIT

#include "events.hpp"

#include <algorithm>
#include <chrono>

#include "../MetalPortable/MetalPortable.hpp"
#include "error.hpp"

namespace metal_objects {

namespace {

/// Commands of a queue run one after the other in the order of commit, which is the order a fence asks for.
class FenceObject final : public Implements<MTL::Fence> {
public:
    explicit FenceObject(const MTL::Device* device) : device(NS::RetainPtr(const_cast<MTL::Device*>(device))) {}

    const NS::SharedPtr<MTL::Device> device;
    Label label;
};

class ListenerObject final : public Implements<MTL::SharedEventListener> {};

constexpr const char* errorDomain = "MTLSharedEventErrorDomain";

NS::Error* eventError(const std::string& why) {
    return makeError(errorDomain, 1, why);
}

/// The handle of a counter that came from another process. Null, and `error`, without one.
MTL::SharedEventHandle* handleOf(std::shared_ptr<metal_executor::SharedCounter> counter, const std::string& whyNot,
                                 NS::Error** error) {
    report(error, counter ? nullptr : eventError(whyNot));
    if (!counter) return nullptr;
    const std::string label = counter->label();
    auto* handle = new EventHandleObject(nullptr, std::move(counter), {});
    if (!label.empty()) handle->label.set(autoreleasedString(label));
    return handle;
}

}  // namespace

}  // namespace metal_objects

using metal_objects::as;
using metal_objects::EventHandleObject;
using metal_objects::EventOf;
using metal_objects::EventPart;
using metal_objects::FenceObject;
using metal_objects::ListenerObject;
using metal_objects::part;

namespace MTL {

Fence* Device::newFence() {
    return new FenceObject(this);
}

Event* Device::newEvent() {
    return new EventOf<Event>(this, std::make_shared<metal_executor::Event>());
}

SharedEvent* Device::newSharedEvent() {
    return new EventOf<SharedEvent>(this, std::make_shared<metal_executor::Event>());
}

SharedEvent* Device::newSharedEvent(const SharedEventHandle* sharedEventHandle) {
    const auto* handle = as<EventHandleObject>(sharedEventHandle);
    const bool isHere = handle->event && !handle->event->isForeign();
    if (!isHere && !handle->counter) return nullptr;
    auto* event = new EventOf<SharedEvent>(
        this, isHere ? handle->event : std::make_shared<metal_executor::Event>(handle->counter));
    event->setLabel(handle->label.get());
    return event;
}

Device* Fence::device() const {
    return as<FenceObject>(this)->device.get();
}
NS::String* Fence::label() const {
    return as<FenceObject>(this)->label.get();
}
void Fence::setLabel(const NS::String* label) {
    as<FenceObject>(this)->label.set(label);
}

Device* Event::device() const {
    return part<EventPart>(this)->device.get();
}
NS::String* Event::label() const {
    return part<EventPart>(this)->label.get();
}
void Event::setLabel(const NS::String* label) {
    part<EventPart>(this)->label.set(label);
}

SharedEventHandle* SharedEvent::newSharedEventHandle() {
    const auto* event = part<EventPart>(this);
    std::string whyNot;
    auto counter = event->event->share(event->label.text(), whyNot);
    auto* handle = new EventHandleObject(event->event, std::move(counter), std::move(whyNot));
    handle->label.set(event->label.get());
    return handle;
}

void SharedEvent::setSignaledValue(std::uint64_t signaledValue) {
    part<EventPart>(this)->event->signal(signaledValue);
}

std::uint64_t SharedEvent::signaledValue() const {
    return part<EventPart>(this)->event->value();
}

bool SharedEvent::waitUntilSignaledValue(std::uint64_t value, std::uint64_t milliseconds) {
    // A wait of centuries must not overflow the clock.
    constexpr std::uint64_t longest = std::uint64_t{100} * 365 * 24 * 3600 * 1000;
    return part<EventPart>(this)->event->wait(value, std::chrono::milliseconds(std::min(milliseconds, longest)));
}

void SharedEvent::notifyListener(const SharedEventListener*, std::uint64_t value,
                                 const SharedEventNotificationFunction& function) {
    const auto* object = as<EventOf<SharedEvent>>(this);
    // It keeps neither object nor event: for a value that never comes it goes with them, uncalled. When the object has
    // gone and a command buffer signals the event still, the function gets another object of the same event.
    const EventPart& facts = *object;
    facts.event->notify(value, [link = object->link, device = facts.device, event = std::weak_ptr(facts.event),
                                function](std::uint64_t reached) {
        auto self = link->object();
        if (!self) self = NS::TransferPtr(new EventOf<SharedEvent>(device.get(), event.lock()));
        function(self.get(), reached);
    });
}

SharedEventListener* SharedEventListener::alloc() {
    return new ListenerObject;
}

SharedEventListener* SharedEventListener::init() {
    return this;
}

SharedEventListener* SharedEventListener::sharedListener() {
    static auto* const listener = new ListenerObject;
    return listener;
}

SharedEventHandle* SharedEventHandle::alloc() {
    return new EventHandleObject(std::make_shared<metal_executor::Event>(), nullptr, "it is of no event");
}

SharedEventHandle* SharedEventHandle::init() {
    return this;
}

NS::String* SharedEventHandle::label() const {
    return as<EventHandleObject>(this)->label.get();
}

}  // namespace MTL

namespace MTL::Portable {

int fileDescriptor(const SharedEventHandle* handle, NS::Error** error) {
    const auto* object = as<EventHandleObject>(handle);
    metal_objects::report(error, object->counter ? nullptr : metal_objects::eventError(object->whyNot));
    return object->counter ? object->counter->descriptor() : -1;
}

NS::String* name(const SharedEventHandle* handle, NS::Error** error) {
    const auto* object = as<EventHandleObject>(handle);
    metal_objects::report(error, object->counter ? nullptr : metal_objects::eventError(object->whyNot));
    return object->counter ? metal_objects::autoreleasedString(object->counter->name()) : nullptr;
}

SharedEventHandle* newSharedEventHandle(int fileDescriptor, NS::Error** error) {
    std::string whyNot;
    auto counter = metal_executor::SharedCounter::open(fileDescriptor, whyNot);
    return metal_objects::handleOf(std::move(counter), whyNot, error);
}

SharedEventHandle* newSharedEventHandle(const NS::String* name, NS::Error** error) {
    std::string whyNot;
    auto counter = metal_executor::SharedCounter::open(std::string(metal_objects::view(name)), whyNot);
    return metal_objects::handleOf(std::move(counter), whyNot, error);
}

}  // namespace MTL::Portable
