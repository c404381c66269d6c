// SPDX-License-Identifier: MIT

#include "events.hpp"

#include <algorithm>
#include <chrono>

namespace metal_objects {

namespace {

/// Commands of a queue run one after the other in the order of commit, which is the order a fence asks for.
class FenceObject final : public Implements<MTL::Fence> {
public:
    explicit FenceObject(const MTL::Device* device) : device(NS::RetainPtr(const_cast<MTL::Device*>(device))) {}

    const NS::SharedPtr<MTL::Device> device;
    Label label;
};

using HandleObject = EventOf<MTL::SharedEventHandle>;

}  // namespace

}  // namespace metal_objects

using metal_objects::as;
using metal_objects::EventOf;
using metal_objects::EventPart;
using metal_objects::FenceObject;
using metal_objects::HandleObject;
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
    const auto* handle = part<EventPart>(sharedEventHandle);
    auto* event = new EventOf<SharedEvent>(this, handle->event);
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
    auto* handle = new HandleObject(event->device.get(), event->event);
    handle->EventPart::label.set(event->label.get());
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

SharedEventHandle* SharedEventHandle::alloc() {
    return new HandleObject(nullptr, std::make_shared<metal_executor::Event>());
}

SharedEventHandle* SharedEventHandle::init() {
    return this;
}

NS::String* SharedEventHandle::label() const {
    return part<EventPart>(this)->label.get();
}

}  // namespace MTL
