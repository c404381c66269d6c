// SPDX-License-Identifier: MIT

#pragma once

#include <memory>
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

template <class Public>
class EventOf final : public Implements<Public>, public EventPart {
public:
    using EventPart::EventPart;
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
