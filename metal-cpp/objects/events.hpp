// SPDX-License-Identifier: MIT

#pragma once

#include <memory>

#include "../Metal/Metal.hpp"
#include "../executor/event.hpp"
#include "runtime.hpp"

namespace metal_objects {

/// What events of both kinds, and the handles of shared ones, stand for.
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

}  // namespace metal_objects
