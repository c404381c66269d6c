// SPDX-License-Identifier: MIT
//
// Kernels made ready to run, and their reflection.

#include "compute_pipeline.hpp"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "argument_ranges.hpp"
#include "bind.hpp"
#include "errors.hpp"
#include "portable.hpp"
#include "text.hpp"
#include "types.hpp"

namespace mtlpy {

namespace {

using Descriptor = MTL::ComputePipelineDescriptor;

std::vector<NS::SharedPtr<MTL::BinaryArchive>> archivesOf(Descriptor& self) {
    std::vector<NS::SharedPtr<MTL::BinaryArchive>> archives;
    const NS::Array* array = self.binaryArchives();
    for (NS::UInteger i = 0; array && i < array->count(); ++i)
        archives.push_back(shared(array->object<MTL::BinaryArchive>(i)));
    return archives;
}

void setArchives(Descriptor& self, const std::vector<MTL::BinaryArchive*>& archives) {
    checkNoneIsMissing("ComputePipelineDescriptor", "binary_archives", archives);
    const std::vector<const NS::Object*> objects(archives.begin(), archives.end());
    self.setBinaryArchives(NS::Array::array(objects.data(), objects.size()));
}

void bindDescriptor(nb::module_& module) {
    nb::class_<Descriptor>(module, "ComputePipelineDescriptor", "How a kernel is made ready to run.",
                           nb::is_weak_referenceable())
        .def(nb::new_([] { return owned(Descriptor::alloc()->init()); }), pooled)
        .def_prop_rw(
            "compute_function", [](Descriptor& self) { return shared(self.computeFunction()); },
            [](Descriptor& self, MTL::Function* function) { self.setComputeFunction(function); }, pooled,
            nb::for_getter(nb::sig("def compute_function(self) -> Function | None")),
            nb::for_setter(nb::arg("value").none()), "The kernel; must be set.")
        .def_prop_rw(
            "label", [](Descriptor& self) { return pythonText(self.label()); },
            [](Descriptor& self, const std::string& label) { self.setLabel(metalString(label)); }, pooled,
            "A name, for messages and captures; empty unless set.")
        .def_prop_rw("thread_group_size_is_multiple_of_thread_execution_width",
                     &Descriptor::threadGroupSizeIsMultipleOfThreadExecutionWidth,
                     &Descriptor::setThreadGroupSizeIsMultipleOfThreadExecutionWidth, pooled,
                     "A promise that helps the compiler: every threadgroup fills its SIMD-groups. False unless set.")
        .def_prop_rw(
            "max_total_threads_per_threadgroup", &Descriptor::maxTotalThreadsPerThreadgroup,
            [](Descriptor& self, std::int64_t count) {
                self.setMaxTotalThreadsPerThreadgroup(
                    checkedCount("ComputePipelineDescriptor", "max_total_threads_per_threadgroup", count, 0, 1024));
            },
            pooled, "The largest threadgroup that it is to run with; 0: as large as the device can.")
        .def_prop_rw(
            "required_threads_per_threadgroup", &Descriptor::requiredThreadsPerThreadgroup,
            [](Descriptor& self, const SizeLike& size) {
                self.setRequiredThreadsPerThreadgroup(
                    size.checked("ComputePipelineDescriptor", "required_threads_per_threadgroup", 0, 1024));
            },
            pooled, "What every dispatch must have as its threadgroup; zeros: any size.")
        .def_prop_rw("support_indirect_command_buffers", &Descriptor::supportIndirectCommandBuffers,
                     &Descriptor::setSupportIndirectCommandBuffers, pooled,
                     "Whether commands of an IndirectCommandBuffer may run it.")
        .def_prop_rw(
            "linked_functions", [](Descriptor& self) { return shared(self.linkedFunctions()); },
            [](Descriptor& self, MTL::LinkedFunctions* functions) { self.setLinkedFunctions(functions); }, pooled,
            nb::for_getter(nb::sig("def linked_functions(self) -> LinkedFunctions | None")),
            nb::for_setter(nb::arg("value").none()), "Visible functions that the kernel can call through tables.")
        .def_prop_rw(
            "stage_input_descriptor", [](Descriptor& self) { return shared(self.stageInputDescriptor()); },
            [](Descriptor& self, MTL::StageInputOutputDescriptor* descriptor) {
                self.setStageInputDescriptor(descriptor);
            },
            pooled, nb::for_getter(nb::sig("def stage_input_descriptor(self) -> StageInputOutputDescriptor")),
            nb::for_setter(nb::arg("value").none()), "Where the kernel's [[stage_in]] comes from; set by copy.")
        .def_prop_rw("binary_archives", &archivesOf, &setArchives, pooled,
                     "Where the kernel's code is looked for before it is compiled.")
        .def("reset", &Descriptor::reset, pooled, "Forget all settings.");
}

}  // namespace

namespace {

/// That all which the descriptor brings along is of the device too.
void checkDevices(const MTL::Device& device, const MTL::ComputePipelineDescriptor& descriptor) {
    const auto check = [&](const NS::Array* array, const char* what, auto* first) {
        using Item = std::remove_pointer_t<decltype(first)>;
        for (NS::UInteger i = 0; array && i < array->count(); ++i)
            if (array->object<Item>(i)->device() != &device)
                fail(ErrorKind::validation,
                     concat("new_compute_pipeline_state: ", what, "[", i, "] belongs to another device"));
    };
    check(descriptor.binaryArchives(), "binary_archives", static_cast<MTL::BinaryArchive*>(nullptr));
    const MTL::LinkedFunctions* linked = descriptor.linkedFunctions();
    check(linked ? linked->functions() : nullptr, "linked_functions.functions", static_cast<MTL::Function*>(nullptr));
    check(linked ? linked->privateFunctions() : nullptr, "linked_functions.private_functions",
          static_cast<MTL::Function*>(nullptr));
}

}  // namespace

std::shared_ptr<ComputePipeline> compilePipeline(MTL::Device& device, MTL::ComputePipelineDescriptor* descriptor,
                                                 MTL::PipelineOption options) {
    portable::checkProcess(&device);
    const MTL::Function* function = descriptor->computeFunction();
    if (!function) fail(ErrorKind::validation, "new_compute_pipeline_state: the descriptor has no compute_function");
    auto pipeline = std::make_shared<ComputePipeline>();
    pipeline->name = pythonText(function->name());
    if (function->device() != &device)
        fail(ErrorKind::validation,
             concat("new_compute_pipeline_state: function ", pipeline->name, " belongs to another device"));
    checkDevices(device, *descriptor);
    if (function->functionType() != MTL::FunctionTypeKernel)
        fail(ErrorKind::pipeline, concat("new_compute_pipeline_state: function ", pipeline->name, " isn't a kernel"));
    MTL::AutoreleasedComputePipelineReflection reflection = nullptr;
    NS::Error* error = nullptr;
    options |= MTL::PipelineOptionBindingInfo | MTL::PipelineOptionBufferTypeInfo;
    pipeline->metal = portable::interruptible(
        [&] { return owned(device.newComputePipelineState(descriptor, options, &reflection, &error)); });
    if (!pipeline->metal.get())
        throw Failure(ErrorKind::pipeline, "Failed to create compute pipeline state: " + errorText(error),
                      errorText(error));
    if (reflection) pipeline->arguments = readArguments(reflection->bindings());
    pipeline->maxTotalThreads = pipeline->metal->maxTotalThreadsPerThreadgroup();
    pipeline->requiredThreads = pipeline->metal->requiredThreadsPerThreadgroup();
    pipeline->threadgroupMemory = pipeline->metal->staticThreadgroupMemoryLength();
    pipeline->maxThreads = device.maxThreadsPerThreadgroup();
    pipeline->maxThreadgroupMemory = device.maxThreadgroupMemoryLength();
    return pipeline;
}

void bindComputePipeline(nb::module_& module) {
    bindDescriptor(module);
    nb::class_<ComputePipeline>(module, "ComputePipelineState", "A kernel ready to run.", nb::is_weak_referenceable())
        .def_prop_ro(
            "device", [](ComputePipeline& self) { return shared(self.metal->device()); }, pooled,
            "The device that made it.")
        .def_prop_ro(
            "label", [](ComputePipeline& self) { return pythonText(self.metal->label()); }, pooled,
            "The name that its descriptor gave it.")
        .def_prop_ro(
            "max_total_threads_per_threadgroup", [](ComputePipeline& self) { return self.maxTotalThreads; },
            "How many threads a threadgroup may have.")
        .def_prop_ro(
            "required_threads_per_threadgroup", [](ComputePipeline& self) { return self.requiredThreads; },
            "Of [[required_threads_per_threadgroup(x, y, z)]] or the descriptor; zeros: any size.")
        .def_prop_ro(
            "support_indirect_command_buffers",
            [](ComputePipeline& self) { return self.metal->supportIndirectCommandBuffers(); }, pooled,
            "Whether commands of an IndirectCommandBuffer can run it.")
        .def_prop_ro(
            "gpu_resource_id", [](ComputePipeline& self) { return self.metal->gpuResourceID()._impl; }, pooled,
            "What an argument buffer holds for a compute_pipeline_state.")
        .def_prop_ro(
            "thread_execution_width", [](ComputePipeline& self) { return self.metal->threadExecutionWidth(); }, pooled,
            "Threads that run as one SIMD-group.")
        .def_prop_ro(
            "static_threadgroup_memory_length", [](ComputePipeline& self) { return self.threadgroupMemory; },
            "Bytes of threadgroup memory that the kernel declares.")
        .def_ro("name", &ComputePipeline::name, "The kernel's name.")
        .def_ro("arguments", &ComputePipeline::arguments, "The kernel's arguments by reflection.")
        .def(
            "function_handle",
            [](ComputePipeline& self, MTL::Function& function) {
                if (function.device() != self.metal->device())
                    fail(ErrorKind::validation, concat("function_handle: function ", pythonText(function.name()),
                                                       " belongs to another device"));
                return shared(self.metal->functionHandle(&function));
            },
            nb::arg("function"), pooled,
            nb::sig("def function_handle(self, function: Function) -> FunctionHandle | None"),
            "A visible function that is linked to the kernel; None for others.")
        .def(
            "new_visible_function_table",
            [](ComputePipeline& self, MTL::VisibleFunctionTableDescriptor& descriptor) {
                if (descriptor.functionCount() == 0)
                    fail(ErrorKind::validation, "new_visible_function_table: function_count is 0, must be 1 or more");
                return owned(self.metal->newVisibleFunctionTable(&descriptor));
            },
            nb::arg("descriptor"), pooled, "A table that the kernel calls functions through.")
        .def_prop_ro(
            "mtl_ptr", [](ComputePipeline& self) { return reinterpret_cast<std::uintptr_t>(self.metal.get()); },
            "Address of the Metal object.")
        .def("__repr__", [](ComputePipeline& self) { return "<ComputePipelineState of " + self.name + ">"; });
}

}  // namespace mtlpy
