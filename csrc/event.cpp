// SPDX-License-Identifier: MIT
//
// Fences within a queue, events between queues, shared events between device and CPU.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <Metal/Metal.hpp>

#include <algorithm>
#include <chrono>
#include <optional>

#include "bind.hpp"
#include "completion.hpp"
#include "errors.hpp"
#include "portable.hpp"
#include "text.hpp"
#include "under_way.hpp"

namespace mtlpy {

namespace {

using namespace nb::literals;
using Clock = std::chrono::steady_clock;

/// Waits in slices, so that Python's signals get through.
bool waitUntilSignaledValue(MTL::SharedEvent& event, std::int64_t value, std::optional<std::int64_t> timeout) {
    constexpr std::chrono::milliseconds slice{50}, forever{std::int64_t(1) << 40};
    portable::checkProcess(event.device());
    const std::uint64_t wanted = checkedCount("wait_until_signaled_value", "value", value, 0, INT64_MAX);
    const auto end =
        Clock::now() +
        (timeout ? std::chrono::milliseconds(std::clamp<std::int64_t>(*timeout, 0, forever.count())) : forever);
    while (event.signaledValue() < wanted) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now());
        if (left.count() <= 0) return false;
        {
            ReleasedGil release;
            if (event.waitUntilSignaledValue(wanted, static_cast<std::uint64_t>(std::min(left, slice).count())))
                return true;
        }
        if (PyErr_CheckSignals() != 0) {
            nb::python_error interrupt;
            UnderWay::stopAll();
            throw interrupt;
        }
    }
    return true;
}

void notify(MTL::SharedEvent& event, std::int64_t value, nb::object callback) {
    portable::checkProcess(event.device());
    const std::uint64_t wanted = checkedCount("notify", "value", value, 0, INT64_MAX);
    if (!PyCallable_Check(callback.ptr())) throw nb::type_error("notify: callback must be callable");
    const auto listener = owned(MTL::SharedEventListener::alloc()->init());
    const MTL::SharedEventNotificationFunction call = [listener, callback = reference(callback)](
                                                          MTL::SharedEvent* reached, std::uint64_t present) {
        if (!PythonGate::enter()) return;
        {
            const nb::gil_scoped_acquire acquire;
            try {
                nb::handle(callback.get())(shared(reached), present);
            } catch (nb::python_error& error) {
                error.discard_as_unraisable("a callback of a shared event");
            }
        }
        PythonGate::leave();
    };
    const ReleasedGil release;
    event.notifyListener(listener.get(), wanted, call);
}

template <class T>
void bindLabel(nb::class_<T>& type) {
    type.def_prop_ro(
            "device", [](const T& self) { return shared(self.device()); }, pooled, "The device that made it.")
        .def_prop_rw(
            "label", [](const T& self) { return pythonText(self.label()); },
            [](T& self, const std::string& label) { self.setLabel(metalString(label)); }, pooled,
            "A name, for messages and captures; empty unless set.")
        .def_prop_ro(
            "mtl_ptr", [](const T& self) { return reinterpret_cast<std::uintptr_t>(&self); },
            "Address of the Metal object.");
}

}  // namespace

void bindEvents(nb::module_& module) {
    nb::class_<MTL::Fence> fence(module, "Fence", "Orders encoders of one queue that use untracked resources.",
                                 nb::is_weak_referenceable());
    bindLabel(fence);
    nb::class_<MTL::Event> event(module, "Event",
                                 "A number that grows, by which command buffers of one device wait for each other.",
                                 nb::is_weak_referenceable());
    bindLabel(event);
    nb::class_<MTL::SharedEventHandle>(module, "SharedEventHandle",
                                       "Stands for a shared event; new_shared_event() makes the event of it again.",
                                       nb::is_weak_referenceable())
        .def_prop_ro(
            "label", [](const MTL::SharedEventHandle& self) { return pythonText(self.label()); }, pooled,
            "Label of the event.")
        .def_prop_ro(
            "mtl_ptr", [](const MTL::SharedEventHandle& self) { return reinterpret_cast<std::uintptr_t>(&self); },
            "Address of the Metal object.");
    nb::class_<MTL::SharedEvent, MTL::Event>(module, "SharedEvent", "An event that the CPU may read, set and wait for.",
                                             nb::is_weak_referenceable())
        .def_prop_rw(
            "signaled_value",
            [](MTL::SharedEvent& self) {
                portable::checkProcess(self.device());
                return self.signaledValue();
            },
            [](MTL::SharedEvent& self, std::int64_t value) {
                portable::checkProcess(self.device());
                self.setSignaledValue(checkedCount("SharedEvent", "signaled_value", value, 0, INT64_MAX));
            },
            pooled, "The value it has come to. Setting it signals all who wait for that value or a smaller one.")
        .def("wait_until_signaled_value", &waitUntilSignaledValue, "value"_a, "timeout_ms"_a = nb::none(), pooled,
             "Wait until the event has reached `value`, at most so many milliseconds; whether it has.")
        .def(
            "new_shared_event_handle",
            [](MTL::SharedEvent& self) {
                portable::checkProcess(self.device());
                return made(self.newSharedEventHandle(), "shared event handle");
            },
            pooled, "What stands for this event elsewhere.")
        .def("notify", &notify, "value"_a, "callback"_a, pooled,
             nb::sig("def notify(self, value: int, callback: collections.abc.Callable[[SharedEvent, int], object]) -> "
                     "None"),
             "Call `callback(self, value)` with the value reached, from another thread, once that is `value` or more.");
}

}  // namespace mtlpy
