// SPDX-License-Identifier: MIT
//
// Beside portable.cpp: what only the software device has for several devices, several processes and the files they
// share.

#include <nanobind/stl/string.h>

#include "bind.hpp"
#include "errors.hpp"
#include "portable.hpp"
#include "text.hpp"

#if __has_include(<MetalPortable/MetalPortable.hpp>)
#include <MetalPortable/MetalPortable.hpp>
#define MTLPY_SOFTWARE 1
#else
#define MTLPY_SOFTWARE 0
#endif

namespace mtlpy {

namespace {

using Handle = MTL::SharedEventHandle;

#if MTLPY_SOFTWARE

namespace software = MTL::Portable;

NS::UInteger threadCount(const MTL::Device& device) {
    return software::threadCount(&device);
}

int descriptorOf(const Handle& handle) {
    NS::Error* error = nullptr;
    const int descriptor = software::fileDescriptor(&handle, &error);
    if (descriptor < 0) fail(ErrorKind::resource, "the shared event cannot leave this process: " + errorText(error));
    return descriptor;
}

std::string nameOf(const Handle& handle) {
    NS::Error* error = nullptr;
    const NS::String* name = software::name(&handle, &error);
    if (!name) fail(ErrorKind::resource, "the shared event cannot leave this process: " + errorText(error));
    return pythonText(name);
}

NS::SharedPtr<Handle> checkedHandle(Handle* handle, const NS::Error* error) {
    if (!handle) fail(ErrorKind::resource, "this handle of a shared event is stale or no handle: " + errorText(error));
    return owned(handle);
}

NS::SharedPtr<Handle> handleOfDescriptor(std::int64_t descriptor) {
    const auto checked = checkedCount("shared_event_handle_of_descriptor", "descriptor", descriptor, 0, INT32_MAX);
    NS::Error* error = nullptr;
    Handle* handle = software::newSharedEventHandle(static_cast<int>(checked), &error);
    return checkedHandle(handle, error);
}

NS::SharedPtr<Handle> handleOfName(const std::string& name) {
    NS::Error* error = nullptr;
    Handle* handle = software::newSharedEventHandle(metalString(name), &error);
    return checkedHandle(handle, error);
}

bool serializeTogether(MTL::BinaryArchive& archive, const std::string& path) {
    portable::checkProcess(archive.device());
    if (path.find('\0') != path.npos)
        fail(ErrorKind::resource, "Failed to save Metal binary archive: the path has a zero byte");
    NS::Error* error = nullptr;
    const bool isWritten = [&] {
        const ReleasedGil release;
        return software::serializeTogether(&archive, path, &error);
    }();
    if (!isWritten) fail(ErrorKind::resource, "Failed to save Metal binary archive: " + errorText(error));
    return true;
}

#else

[[noreturn]] void unavailable() {
    fail(ErrorKind::metal, "not available on this device");
}

NS::UInteger threadCount(const MTL::Device&) {
    return 0;
}

int descriptorOf(const Handle&) {
    unavailable();
}

std::string nameOf(const Handle&) {
    unavailable();
}

NS::SharedPtr<Handle> handleOfDescriptor(std::int64_t) {
    unavailable();
}

NS::SharedPtr<Handle> handleOfName(const std::string&) {
    unavailable();
}

bool serializeTogether(MTL::BinaryArchive&, const std::string&) {
    return false;
}

#endif

}  // namespace

void bindPortableDevices(nb::module_& module) {
    using namespace nb::literals;
    module.def("device_thread_count", &threadCount, "device"_a, pooled,
               "Threads that run this device's kernels; 0 on a Mac.");
    module.def("shared_event_descriptor", &descriptorOf, "handle"_a, pooled,
               "A file descriptor that stands for the event while the handle lives.");
    module.def("shared_event_name", &nameOf, "handle"_a, pooled,
               "A name for the event, for other processes of this user while this one has it.");
    module.def("shared_event_handle_of_descriptor", &handleOfDescriptor, "descriptor"_a, pooled,
               "The handle of an event of another process. Raises ResourceError.");
    module.def("shared_event_handle_of_name", &handleOfName, "name"_a, pooled,
               "The handle of an event of another process. Raises ResourceError.");
    module.def("serialize_together", &serializeTogether, "archive"_a, "path"_a, pooled,
               "Write the archive with what the file holds already; whether it did: on a Mac it does nothing.");
}

}  // namespace mtlpy
