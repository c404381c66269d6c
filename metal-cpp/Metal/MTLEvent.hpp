// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <functional>

#include "../Foundation/Foundation.hpp"

namespace MTL {

class Device;
class SharedEvent;
class SharedEventHandle;
class SharedEventListener;

using SharedEventNotificationFunction = std::function<void(SharedEvent* event, std::uint64_t value)>;

/// A number that only grows; command buffers of one device signal it and wait for it.
class Event : public NS::Referencing<Event> {
public:
    Device* device() const;
    NS::String* label() const;
    void setLabel(const NS::String* label);
};

/// Where notifications of shared events are called: on a thread of Metal's.
class SharedEventListener : public NS::Referencing<SharedEventListener> {
public:
    static SharedEventListener* alloc();
    SharedEventListener* init();
    static SharedEventListener* sharedListener();
};

/// An event that the processor also signals and waits for.
class SharedEvent : public NS::Referencing<SharedEvent, Event> {
public:
    /// Caller owns the result (+1).
    SharedEventHandle* newSharedEventHandle();

    /// Calls `function` once the event has reached `value`; at once when it has. Keeps the event until then.
    void notifyListener(const SharedEventListener* listener, std::uint64_t value,
                        const SharedEventNotificationFunction& function);

    void setSignaledValue(std::uint64_t signaledValue);
    std::uint64_t signaledValue() const;

    /// Blocks until the event has reached `value`. False when `milliseconds` passed first.
    bool waitUntilSignaledValue(std::uint64_t value, std::uint64_t milliseconds);
};

/// Stands for a shared event; newSharedEvent() makes the event of it again.
class SharedEventHandle : public NS::SecureCoding<SharedEventHandle> {
public:
    static SharedEventHandle* alloc();
    SharedEventHandle* init();
    NS::String* label() const;
};

}  // namespace MTL
