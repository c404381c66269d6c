// SPDX-License-Identifier: MIT
//
// Render pipelines made ready to draw, and their reflection.

#include "render_pipeline.hpp"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind_render.hpp"
#include "errors.hpp"
#include "portable.hpp"
#include "text.hpp"

namespace mtlpy {

namespace {

using namespace nb::literals;
using Descriptor = MTL::RenderPipelineDescriptor;

void checkFunction(const char* where, const MTL::Device& device, const MTL::Function& function, MTL::FunctionType type,
                   const char* stage) {
    const std::string name = pythonText(function.name());
    if (function.device() != &device)
        fail(ErrorKind::validation, concat(where, ": function ", name, " belongs to another device"));
    if (function.functionType() != type)
        fail(ErrorKind::pipeline, concat(where, ": function ", name, " isn't a ", stage, " function"));
}

/// That all objects of an array are of the device.
template <class Item>
void checkDevices(const char* where, const MTL::Device& device, const NS::Array* array, const char* what) {
    for (NS::UInteger i = 0; array && i < array->count(); ++i)
        if (array->object<Item>(i)->device() != &device)
            fail(ErrorKind::validation, concat(where, ": ", what, "[", i, "] belongs to another device"));
}

void checkLinked(const char* where, const MTL::Device& device, const MTL::LinkedFunctions* linked, const char* what) {
    if (!linked) return;
    checkDevices<MTL::Function>(where, device, linked->functions(), what);
    checkDevices<MTL::Function>(where, device, linked->privateFunctions(), what);
}

std::string nameOf(const Descriptor& descriptor) {
    std::string name = pythonText(descriptor.label());
    if (!name.empty()) return name;
    name = pythonText(descriptor.vertexFunction()->name());
    if (const MTL::Function* fragment = descriptor.fragmentFunction()) name += " and " + pythonText(fragment->name());
    return name;
}

/// One stage, as functions that are linked to one of them are asked for.
MTL::RenderStages checkedStage(const char* where, std::int64_t stage) {
    if (stage != MTL::RenderStageVertex && stage != MTL::RenderStageFragment)
        fail(ErrorKind::validation,
             concat(where, ": stage is ", stage, ", must be RenderStages.Vertex or RenderStages.Fragment"));
    return static_cast<MTL::RenderStages>(stage);
}

}  // namespace

void checkRenderDescriptor(const char* where, const MTL::Device& device, const Descriptor& descriptor) {
    const MTL::Function* vertex = descriptor.vertexFunction();
    if (!vertex) fail(ErrorKind::validation, concat(where, ": the descriptor has no vertex_function"));
    checkFunction(where, device, *vertex, MTL::FunctionTypeVertex, "vertex");
    if (const MTL::Function* fragment = descriptor.fragmentFunction())
        checkFunction(where, device, *fragment, MTL::FunctionTypeFragment, "fragment");
    checkDevices<MTL::BinaryArchive>(where, device, descriptor.binaryArchives(), "binary_archives");
    checkLinked(where, device, descriptor.vertexLinkedFunctions(), "vertex_linked_functions");
    checkLinked(where, device, descriptor.fragmentLinkedFunctions(), "fragment_linked_functions");
}

std::shared_ptr<RenderPipeline> compileRenderPipeline(MTL::Device& device, const Descriptor& descriptor,
                                                      MTL::PipelineOption options) {
    portable::checkProcess(&device);
    checkRenderDescriptor("new_render_pipeline_state", device, descriptor);
    auto pipeline = std::make_shared<RenderPipeline>();
    pipeline->name = nameOf(descriptor);
    MTL::AutoreleasedRenderPipelineReflection reflection = nullptr;
    NS::Error* error = nullptr;
    options |= MTL::PipelineOptionBindingInfo | MTL::PipelineOptionBufferTypeInfo;
    pipeline->metal = portable::interruptible(
        [&] { return owned(device.newRenderPipelineState(&descriptor, options, &reflection, &error)); });
    if (!pipeline->metal.get())
        throw Failure(ErrorKind::pipeline, "Failed to create render pipeline state: " + errorText(error),
                      errorText(error));
    if (reflection) {
        pipeline->vertexArguments = readArguments(reflection->vertexBindings());
        pipeline->fragmentArguments = readArguments(reflection->fragmentBindings());
    }
    return pipeline;
}

void bindRenderPipeline(nb::module_& module) {
    bindRenderPipelineDescriptor(module);
    nb::class_<RenderPipeline>(module, "RenderPipelineState", "A vertex and a fragment function ready to draw.",
                               nb::is_weak_referenceable())
        .def_prop_ro(
            "device", [](RenderPipeline& self) { return shared(self.metal->device()); }, pooled,
            "The device that it draws on.")
        .def_prop_ro(
            "label", [](RenderPipeline& self) { return pythonText(self.metal->label()); }, pooled,
            "The name that its descriptor had.")
        .def_ro("vertex_arguments", &RenderPipeline::vertexArguments, "The vertex function's arguments by reflection.")
        .def_ro("fragment_arguments", &RenderPipeline::fragmentArguments,
                "The fragment function's arguments by reflection.")
        .def_prop_ro(
            "support_indirect_command_buffers",
            [](RenderPipeline& self) { return self.metal->supportIndirectCommandBuffers(); }, pooled,
            "Whether commands of an IndirectCommandBuffer may draw with it.")
        .def_prop_ro(
            "gpu_resource_id", [](RenderPipeline& self) { return self.metal->gpuResourceID()._impl; }, pooled,
            "What an argument buffer holds for a render_pipeline_state.")
        .def(
            "function_handle",
            [](RenderPipeline& self, MTL::Function& function, std::int64_t stage) {
                if (function.device() != self.metal->device())
                    fail(ErrorKind::validation, concat("function_handle: function ", pythonText(function.name()),
                                                       " belongs to another device"));
                return shared(self.metal->functionHandle(&function, checkedStage("function_handle", stage)));
            },
            "function"_a, "stage"_a, pooled,
            nb::sig("def function_handle(self, function: Function, stage: int) -> FunctionHandle | None"),
            "A visible function that is linked to a stage; None for others.")
        .def(
            "new_visible_function_table",
            [](RenderPipeline& self, MTL::VisibleFunctionTableDescriptor& descriptor, std::int64_t stage) {
                constexpr const char* where = "new_visible_function_table";
                if (descriptor.functionCount() == 0)
                    fail(ErrorKind::validation, concat(where, ": function_count is 0, must be 1 or more"));
                return made(self.metal->newVisibleFunctionTable(&descriptor, checkedStage(where, stage)),
                            "visible function table");
            },
            "descriptor"_a, "stage"_a, pooled, "A table that a stage calls functions through.")
        .def_prop_ro(
            "mtl_ptr", [](RenderPipeline& self) { return reinterpret_cast<std::uintptr_t>(self.metal.get()); },
            "Address of the Metal object.")
        .def("__repr__", [](RenderPipeline& self) { return "<RenderPipelineState of " + self.name + ">"; });
}

}  // namespace mtlpy
