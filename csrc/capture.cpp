// SPDX-License-Identifier: MIT
//
// Captures: what commands did, in a file. Apple's .gputrace on a Mac; elsewhere the file of docs/capture.md.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <Metal/Metal.hpp>

#include <array>
#include <ctime>
#include <filesystem>
#include <optional>

#include "bind.hpp"
#include "enums.hpp"
#include "errors.hpp"
#include "portable.hpp"
#include "text.hpp"

namespace mtlpy {

namespace {

using namespace nb::literals;
using Manager = MTL::CaptureManager;
using Scope = MTL::CaptureScope;

/// What is captured is held as Python has it too: Metal only tells that it is an object.
struct CaptureDescriptor {
    NS::SharedPtr<MTL::CaptureDescriptor> metal = owned(MTL::CaptureDescriptor::alloc()->init());
    nb::object object = nb::none();
};

void setObject(CaptureDescriptor& self, nb::object object) {
    NS::Object* metal = nullptr;
    MTL::Device* device = nullptr;
    MTL::CommandQueue* queue = nullptr;
    Scope* scope = nullptr;
    if (nb::try_cast(object, device) && device) {
        metal = device;
    } else if (nb::try_cast(object, queue) && queue) {
        metal = queue;
    } else if (nb::try_cast(object, scope) && scope) {
        metal = scope;
    } else if (!object.is_none()) {
        throw nb::type_error(
            concat("CaptureDescriptor: capture_object must be a Device, a CommandQueue, a CaptureScope "
                   "or None, got ",
                   nb::str(object.type().attr("__name__")).c_str())
                .c_str());
    }
    self.metal->setCaptureObject(metal);
    self.object = std::move(object);
}

std::optional<std::string> outputPath(CaptureDescriptor& self) {
    const NS::URL* url = self.metal->outputURL();
    const char* path = url ? url->fileSystemRepresentation() : nullptr;
    if (!path) return std::nullopt;
    return path;
}

void setOutputPath(CaptureDescriptor& self, const std::optional<std::string>& path) {
    self.metal->setOutputURL(path ? NS::URL::fileURLWithPath(metalString(*path)) : nullptr);
}

NS::SharedPtr<Manager> sharedManager() {
    return shared(Manager::sharedCaptureManager());
}

void startCapture(Manager& self, CaptureDescriptor& descriptor) {
    NS::Error* error = nullptr;
    if (!self.startCapture(descriptor.metal.get(), &error))
        fail(ErrorKind::resource, "Failed to start Metal capture: " + errorText(error));
}

/// A file of its own in the current folder, as of `Device.start_capture()`.
std::string freshPath() {
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    localtime_r(&now, &local);
    std::array<char, 32> stem{};
    std::strftime(stem.data(), stem.size(), "capture-%Y%m%d-%H%M%S", &local);
    std::string path = std::string(stem.data()) + ".metalcapture";
    for (int i = 2; std::filesystem::exists(path); ++i) path = concat(stem.data(), "-", i, ".metalcapture");
    return path;
}

/// Apple's tools take it where they are there; elsewhere a new file does.
template <class T>
void startCaptureOf(Manager& self, T& object) {
    CaptureDescriptor descriptor;
    descriptor.metal->setCaptureObject(&object);
    if (!self.supportsDestination(MTL::CaptureDestinationDeveloperTools)) {
        descriptor.metal->setDestination(MTL::CaptureDestinationGPUTraceDocument);
        setOutputPath(descriptor, freshPath());
    }
    startCapture(self, descriptor);
}

/// Ctrl-C ends the waiting: what has not ended then is not whole in the file.
nb::dict stopCapture(Manager&, bool wait) {
    constexpr std::chrono::milliseconds slice{50};
    std::optional<nb::python_error> interrupt;
    const auto goesOn = [&] {
        ReleasedGil release;
        return !portable::waitForCapture(slice);
    };
    while (wait && !interrupt && goesOn()) {
        if (PyErr_CheckSignals() != 0) interrupt.emplace();
    }
    const portable::CaptureEnd end = [] {
        ReleasedGil release;
        return portable::stopCapture();
    }();
    if (!end.error.empty()) fail(ErrorKind::resource, concat("stop_capture: cannot write ", end.path, ": ", end.error));
    if (interrupt) throw *interrupt;
    nb::dict result;
    result["path"] = end.path;
    result["unfinished"] = end.unfinished;
    result["bytes"] = end.bytes;
    return result;
}

NS::SharedPtr<Scope> scopeOfDevice(Manager& self, const MTL::Device& device) {
    portable::checkProcess(&device);
    return made(self.newCaptureScope(&device), "capture scope");
}

NS::SharedPtr<Scope> scopeOfQueue(Manager& self, const MTL::CommandQueue& queue) {
    portable::checkProcess(queue.device());
    return made(self.newCaptureScope(&queue), "capture scope");
}

void bindDescriptor(nb::module_& module) {
    using Descriptor = CaptureDescriptor;
    nb::class_<Descriptor>(module, "CaptureDescriptor", "What is captured, and where to.")
        .def(nb::init<>(), pooled)
        .def_prop_rw(
            "capture_object", [](Descriptor& self) { return self.object; }, &setObject, pooled,
            nb::for_getter(nb::sig("def capture_object(self) -> Device | CommandQueue | CaptureScope | None")),
            nb::for_setter(
                nb::sig("def capture_object(self, value: Device | CommandQueue | CaptureScope | None) -> None")),
            nb::for_setter("value"_a.none()), "Whose command buffers are captured.")
        .def_prop_rw(
            "destination", [](Descriptor& self) { return self.metal->destination(); },
            [](Descriptor& self, MTL::CaptureDestination value) { self.metal->setDestination(value); }, pooled,
            "DeveloperTools, which only a Mac has, or GPUTraceDocument.")
        .def_prop_rw("output_url", &outputPath, &setOutputPath, pooled, nb::for_setter("value"_a.none()),
                     "Path of the file of a GPUTraceDocument.");
}

void bindScope(nb::module_& module) {
    nb::class_<Scope>(module, "CaptureScope", "A named part of a program, which captures show or are of.",
                      nb::is_weak_referenceable())
        .def_prop_ro(
            "device", [](const Scope& self) { return shared(self.device()); }, pooled,
            "The device whose commands it takes.")
        .def_prop_ro(
            "command_queue", [](const Scope& self) { return shared(self.commandQueue()); }, pooled,
            nb::sig("def command_queue(self) -> CommandQueue | None"), "None: all queues of the device.")
        .def_prop_rw(
            "label", [](const Scope& self) { return pythonText(self.label()); },
            [](Scope& self, const std::string& label) { self.setLabel(metalString(label)); }, pooled,
            "A name, for messages and captures; empty unless set.")
        .def("begin_scope", &Scope::beginScope, pooled,
             "Command buffers made after this and committed before `end_scope` belong to the scope.")
        .def("end_scope", &Scope::endScope, pooled, "The scope ends here.")
        .def(
            "__enter__",
            [](nb::handle self) {
                nb::cast<Scope&>(self).beginScope();
                return nb::borrow(self);
            },
            pooled, nb::sig("def __enter__(self) -> typing_extensions.Self"))
        .def(
            "__exit__", [](Scope& self, nb::handle, nb::handle, nb::handle) { self.endScope(); }, "exc_type"_a.none(),
            "exc_value"_a.none(), "traceback"_a.none(), pooled,
            nb::sig("def __exit__(self, exc_type: object, exc_value: object, traceback: object) -> None"));
}

void bindManager(nb::module_& module) {
    nb::class_<Manager>(module, "CaptureManager", "Captures command buffers into a file, one capture at a time.",
                        nb::is_weak_referenceable())
        .def_static("shared_capture_manager", &sharedManager, pooled, "The one capture manager.")
        .def_prop_ro("is_capturing", &Manager::isCapturing, pooled, "Whether a capture is being taken.")
        .def("supports_destination", &Manager::supportsDestination, "destination"_a, pooled,
             "Whether a capture can go there.")
        .def("start_capture", &startCapture, "descriptor"_a, pooled,
             "Capture command buffers that are made from now on and committed before `stop_capture`. Raises "
             "ResourceError.")
        .def("start_capture_with_scope", &startCaptureOf<Scope>, "scope"_a, pooled,
             "Capture what belongs to a scope: for Apple's developer tools or, where there are none, into a new file "
             "`capture-DATE-TIME.metalcapture` in the current folder. Raises ResourceError.")
        .def("start_capture_with_device", &startCaptureOf<MTL::Device>, "device"_a, pooled,
             "The same of all queues of a device.")
        .def("start_capture_with_command_queue", &startCaptureOf<MTL::CommandQueue>, "queue"_a, pooled,
             "The same of one queue.")
        .def("stop_capture", &stopCapture, nb::kw_only(), "wait"_a = true, pooled,
             nb::sig("def stop_capture(self, *, wait: bool = True) -> dict[str, object]"),
             "Finish the file; first, unless told not to, wait for what is captured and can go on. Gives `path`, "
             "`bytes` and how many command buffers were `unfinished`. Raises ResourceError when the file cannot be "
             "written.")
        .def("new_capture_scope", &scopeOfDevice, "device"_a, pooled,
             "A scope of all queues of a device, or of one queue.")
        .def("new_capture_scope", &scopeOfQueue, "command_queue"_a, pooled)
        .def("new_capture_scope_with_device", &scopeOfDevice, "device"_a, pooled, "A scope of all queues of a device.")
        .def("new_capture_scope_with_command_queue", &scopeOfQueue, "queue"_a, pooled, "A scope of one queue.")
        .def("new_capture_scope_with_command_queue", &scopeOfQueue, "command_queue"_a, pooled)
        .def_prop_rw(
            "default_capture_scope", [](const Manager& self) { return shared(self.defaultCaptureScope()); },
            [](Manager& self, Scope* scope) { self.setDefaultCaptureScope(scope); }, pooled,
            nb::for_getter(nb::sig("def default_capture_scope(self) -> CaptureScope | None")),
            nb::for_setter("value"_a.none()),
            "What a capture takes where nothing else is asked for; None: all that the device does.");
}

}  // namespace

void bindCapture(nb::module_& module) {
    bindEnum<MTL::CaptureDestination>(module, "CaptureDestination", "Where a capture goes.",
                                      {{"DeveloperTools", MTL::CaptureDestinationDeveloperTools},
                                       {"GPUTraceDocument", MTL::CaptureDestinationGPUTraceDocument}});
    bindEnum<MTL::CaptureError>(module, "CaptureError", "Codes of the errors of captures.",
                                {{"NotSupported", MTL::CaptureErrorNotSupported},
                                 {"AlreadyCapturing", MTL::CaptureErrorAlreadyCapturing},
                                 {"InvalidDescriptor", MTL::CaptureErrorInvalidDescriptor}});
    bindScope(module);
    bindDescriptor(module);
    bindManager(module);
    module.def("shared_capture_manager", &sharedManager, pooled, "The one capture manager.");
}

}  // namespace mtlpy
