// SPDX-License-Identifier: MIT
//
// Where the messages go that kernels write with os_log.

#include "log_state.hpp"

#include <nanobind/stl/string.h>

#include "bind.hpp"
#include "completion.hpp"
#include "enums.hpp"
#include "errors.hpp"
#include "text.hpp"

namespace mtlpy {

namespace {

using namespace nb::literals;

/// Kernels write bytes; a message is given whatever they are.
nb::object decoded(const NS::String* text) {
    const std::string bytes = pythonText(text);
    return nb::steal(PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "replace"));
}

void addHandler(MTL::LogState& self, nb::callable handler) {
    self.addLogHandler(MTL::LogHandlerFunction([held = reference(handler)](NS::String* subsystem, NS::String* category,
                                                                           MTL::LogLevel level, NS::String* message) {
        if (!PythonGate::enter()) return;
        {
            nb::gil_scoped_acquire acquire;
            try {
                nb::handle(held.get())(decoded(subsystem), decoded(category), level, decoded(message));
            } catch (nb::python_error& error) {
                error.discard_as_unraisable("a log handler");
            }
        }
        PythonGate::leave();
    }));
}

}  // namespace

NS::SharedPtr<MTL::LogState> newLogState(MTL::Device& device, const MTL::LogStateDescriptor& descriptor) {
    NS::Error* error = nullptr;
    MTL::LogState* state = device.newLogState(&descriptor, &error);
    if (!state) fail(ErrorKind::validation, errorText(error));
    return owned(state);
}

void bindLogState(nb::module_& module) {
    bindEnum<MTL::LogLevel>(module, "LogLevel", "How serious a message is.",
                            {{"Undefined", MTL::LogLevelUndefined},
                             {"Debug", MTL::LogLevelDebug},
                             {"Info", MTL::LogLevelInfo},
                             {"Notice", MTL::LogLevelNotice},
                             {"Error", MTL::LogLevelError},
                             {"Fault", MTL::LogLevelFault}});
    using Descriptor = MTL::LogStateDescriptor;
    nb::class_<Descriptor>(module, "LogStateDescriptor", "What a log state is to be.", nb::is_weak_referenceable())
        .def(nb::new_([] { return owned(Descriptor::alloc()->init()); }), pooled)
        .def_prop_rw("level", &Descriptor::level, &Descriptor::setLevel, pooled, "Messages below it are not written.")
        .def_prop_rw(
            "buffer_size", &Descriptor::bufferSize,
            [](Descriptor& self, std::int64_t value) {
                self.setBufferSize(
                    static_cast<NS::Integer>(checkedCount("LogStateDescriptor", "buffer_size", value, 0, UINT32_MAX)));
            },
            pooled, "Bytes of messages that a dispatch has room for.");
    nb::class_<MTL::LogState>(module, "LogState", "Where kernels' messages go.", nb::is_weak_referenceable())
        .def("add_log_handler", &addHandler, "handler"_a, pooled,
             nb::sig("def add_log_handler(self, handler: collections.abc.Callable[[str, str, LogLevel, str], object]) "
                     "-> None"),
             "Call `handler(subsystem, category, level, message)` from another thread when a command buffer has run.");
    using Queue = MTL::CommandQueueDescriptor;
    nb::class_<Queue>(module, "CommandQueueDescriptor", "What a queue is to be.", nb::is_weak_referenceable())
        .def(nb::new_([] { return owned(Queue::alloc()->init()); }), pooled)
        .def_prop_rw(
            "max_command_buffer_count", &Queue::maxCommandBufferCount,
            [](Queue& self, std::int64_t value) {
                self.setMaxCommandBufferCount(
                    checkedCount("CommandQueueDescriptor", "max_command_buffer_count", value, 1, 65536));
            },
            pooled, "How many command buffers may be on their way at once; the next one is waited for. 64 unless set.")
        .def_prop_rw(
            "log_state", [](Queue& self) { return shared(self.logState()); },
            [](Queue& self, MTL::LogState* state) { self.setLogState(state); }, pooled,
            nb::for_getter(nb::sig("def log_state(self) -> LogState | None")), nb::for_setter(nb::arg("value").none()),
            "For command buffers that have none of their own.");
    using Buffer = MTL::CommandBufferDescriptor;
    nb::class_<Buffer>(module, "CommandBufferDescriptor", "What a command buffer is to be.",
                       nb::is_weak_referenceable())
        .def(nb::new_([] { return owned(Buffer::alloc()->init()); }), pooled)
        .def_prop_rw("retained_references", &Buffer::retainedReferences, &Buffer::setRetainedReferences, pooled,
                     "What a Metal program says; what commands of Python use lives until they have ended, also where "
                     "it is False.")
        .def_prop_rw(
            "log_state", [](Buffer& self) { return shared(self.logState()); },
            [](Buffer& self, MTL::LogState* state) { self.setLogState(state); }, pooled,
            nb::for_getter(nb::sig("def log_state(self) -> LogState | None")), nb::for_setter(nb::arg("value").none()),
            "None: the queue's.");
}

}  // namespace mtlpy
