// SPDX-License-Identifier: MIT

#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "../Metal/Metal.hpp"
#include "../executor/event.hpp"
#include "runtime.hpp"

namespace metal_objects {

/// What events of both kinds stand for.
class EventPart {
public:
    EventPart(const MTL::Device* device, std::shared_ptr<metal_executor::Event> event)
        : device(NS::RetainPtr(const_cast<MTL::Device*>(device))), event(std::move(event)) {}
    virtual ~EventPart() = default;

    const NS::SharedPtr<MTL::Device> device;
    const std::shared_ptr<metal_executor::Event> event;
    Label label;
};

/// Finds an event's object for those who do not keep it.
template <class Object>
class Link {
public:
    explicit Link(const Object* object) : object_(object) {}

    /// Null when it has gone.
    NS::SharedPtr<Object> object() const {
        std::lock_guard lock(mutex_);
        if (object_ == nullptr || !object_->tryRetain()) return {};
        return NS::TransferPtr(const_cast<Object*>(object_));
    }
    void cut() {
        std::lock_guard lock(mutex_);
        object_ = nullptr;
    }

private:
    mutable std::mutex mutex_;
    const Object* object_;
};

template <class Public>
class EventOf final : public Implements<Public>, public EventPart {
public:
    using EventPart::EventPart;
    ~EventOf() override { link->cut(); }

    const std::shared_ptr<Link<EventOf>> link = std::make_shared<Link<EventOf>>(this);
};

/// What a shared event can be made of again, here or in another process.
class EventHandleObject final : public Implements<MTL::SharedEventHandle> {
public:
    EventHandleObject(std::shared_ptr<metal_executor::Event> event,
                      std::shared_ptr<metal_executor::SharedCounter> counter, std::string whyNot)
        : event(std::move(event)), counter(std::move(counter)), whyNot(std::move(whyNot)) {}

    const std::shared_ptr<metal_executor::Event> event;            // null when it came from another process
    const std::shared_ptr<metal_executor::SharedCounter> counter;  // null when the system had none
    const std::string whyNot;
    Label label;
};

}  // namespace metal_objects
