// SPDX-License-Identifier: MIT
//
// Binary archives: kernels' machine code in a file.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <Metal/Metal.hpp>

#include <optional>

#include "binary_archive.hpp"

#include "bind.hpp"
#include "errors.hpp"
#include "portable.hpp"
#include "render_pipeline.hpp"
#include "text.hpp"

namespace mtlpy {

namespace {

using namespace nb::literals;
using Archive = MTL::BinaryArchive;
using Descriptor = MTL::BinaryArchiveDescriptor;

NS::URL* fileUrl(const std::string& path) {
    return NS::URL::fileURLWithPath(metalString(path));
}

std::optional<std::string> pathOf(Descriptor& self) {
    const NS::URL* url = self.url();
    const char* path = url ? url->fileSystemRepresentation() : nullptr;
    if (!path) return std::nullopt;
    return path;
}

void setPath(Descriptor& self, const std::optional<std::string>& path) {
    self.setUrl(path ? fileUrl(*path) : nullptr);
}

void addFunctions(Archive& self, MTL::ComputePipelineDescriptor& descriptor) {
    portable::checkProcess(self.device());
    // A copy: another thread may change Python's while this compiles.
    const auto copy = owned(descriptor.copy());
    const MTL::Function* function = copy->computeFunction();
    if (!function)
        fail(ErrorKind::validation, "add_compute_pipeline_functions: the descriptor has no compute_function");
    if (function->device() != self.device())
        fail(ErrorKind::validation, concat("add_compute_pipeline_functions: function ", pythonText(function->name()),
                                           " belongs to another device"));
    NS::Error* error = nullptr;
    if (!portable::interruptible([&] { return self.addComputePipelineFunctions(copy.get(), &error); }))
        fail(ErrorKind::resource, "Failed to add to Metal binary archive: " + errorText(error));
}

void addRenderFunctions(Archive& self, MTL::RenderPipelineDescriptor& descriptor) {
    constexpr const char* where = "add_render_pipeline_functions";
    portable::checkProcess(self.device());
    const auto copy = owned(descriptor.copy());
    checkRenderDescriptor(where, *self.device(), *copy.get());
    NS::Error* error = nullptr;
    if (!portable::interruptible([&] { return self.addRenderPipelineFunctions(copy.get(), &error); }))
        fail(ErrorKind::resource, "Failed to add to Metal binary archive: " + errorText(error));
}

void serialize(Archive& self, const std::string& path) {
    NS::URL* url = fileUrl(path);
    NS::Error* error = nullptr;
    const bool isWritten = [&] {
        ReleasedGil release;
        return self.serializeToURL(url, &error);
    }();
    if (!isWritten) fail(ErrorKind::resource, "Failed to save Metal binary archive: " + errorText(error));
}

}  // namespace

NS::SharedPtr<Archive> newBinaryArchive(MTL::Device& device, Descriptor& descriptor) {
    portable::checkProcess(&device);
    NS::Error* error = nullptr;
    auto archive = owned(device.newBinaryArchive(&descriptor, &error));
    if (!archive.get())
        fail(ErrorKind::resource, concat(descriptor.url() ? "Failed to open" : "Failed to create",
                                         " Metal binary archive: ", errorText(error)));
    return archive;
}

void bindBinaryArchive(nb::module_& module) {
    nb::class_<Descriptor>(module, "BinaryArchiveDescriptor", "What a binary archive begins with.",
                           nb::is_weak_referenceable())
        .def(nb::new_([] { return owned(Descriptor::alloc()->init()); }), pooled)
        .def_static(
            "binary_archive_descriptor", [] { return owned(Descriptor::alloc()->init()); }, pooled,
            "An empty descriptor, as the constructor makes.")
        .def("set_url", &setPath, "path"_a.none(), pooled, "Begin with this file; None for an empty archive.")
        .def_prop_rw("url", &pathOf, &setPath, pooled, nb::for_setter("value"_a.none()), "Path of the file.");
    nb::class_<Archive>(module, "BinaryArchive", "Machine code of kernels, to be kept in a file.",
                        nb::is_weak_referenceable())
        .def_prop_ro(
            "device", [](const Archive& self) { return shared(self.device()); }, pooled, "The device that made it.")
        .def_prop_rw(
            "label", [](const Archive& self) { return pythonText(self.label()); },
            [](Archive& self, const std::string& label) { self.setLabel(metalString(label)); }, pooled,
            "A name, for messages and captures; empty unless set.")
        .def("add_compute_pipeline_functions", &addFunctions, "descriptor"_a, pooled,
             "Compile the descriptor's kernel where the archive does not have it. Raises ResourceError.")
        .def("add_render_pipeline_functions", &addRenderFunctions, "descriptor"_a, pooled,
             "The same for a vertex and a fragment function. Raises ResourceError.")
        .def("serialize_to_url", &serialize, "path"_a, pooled, "Write the archive to a file. Raises ResourceError.")
        .def_prop_ro(
            "mtl_ptr", [](const Archive& self) { return reinterpret_cast<std::uintptr_t>(&self); },
            "Address of the Metal object.");
}

}  // namespace mtlpy
