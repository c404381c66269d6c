// SPDX-License-Identifier: MIT
//
// Devices: what they are, and what they make.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <Metal/Metal.hpp>

#include <optional>
#include <utility>

#include "argument_descriptor.hpp"
#include "binary_archive.hpp"
#include "bind.hpp"
#include "buffer.hpp"
#include "compute_pipeline.hpp"
#include "counters.hpp"
#include "depth_stencil.hpp"
#include "errors.hpp"
#include "heap.hpp"
#include "indirect_commands.hpp"
#include "library.hpp"
#include "log_state.hpp"
#include "pixel_format.hpp"
#include "portable.hpp"
#include "render_pipeline.hpp"
#include "text.hpp"
#include "texture.hpp"

namespace mtlpy {

namespace {

using namespace nb::literals;
using Device = MTL::Device;

NS::SharedPtr<Device> createSystemDefaultDevice() {
    auto device = owned(MTL::CreateSystemDefaultDevice());
    if (!device.get()) fail(ErrorKind::resource, "No Metal-capable device found");
    return device;
}

std::vector<NS::SharedPtr<Device>> copyAllDevices() {
    const auto array = owned(MTL::CopyAllDevices());
    std::vector<NS::SharedPtr<Device>> devices;
    for (NS::UInteger i = 0; array.get() && i < array->count(); ++i)
        devices.push_back(shared(array->object<Device>(i)));
    return devices;
}

NS::SharedPtr<MTL::CommandQueue> newCommandQueue(Device& self, std::int64_t count) {
    portable::checkProcess(&self);
    const NS::UInteger limit = checkedCount("new_command_queue", "max_command_buffer_count", count, 0, 65536);
    return made(limit ? self.newCommandQueue(limit) : self.newCommandQueue(), "command queue");
}

NS::SharedPtr<MTL::CommandQueue> queueOfDescriptor(Device& self, const MTL::CommandQueueDescriptor& descriptor) {
    portable::checkProcess(&self);
    return made(self.newCommandQueue(&descriptor), "command queue");
}

std::shared_ptr<ComputePipeline> pipelineOfFunction(Device& self, const MTL::Function& function) {
    const auto descriptor = owned(MTL::ComputePipelineDescriptor::alloc()->init());
    descriptor->setComputeFunction(&function);
    descriptor->setLabel(function.name());
    return compilePipeline(self, descriptor.get());
}

MTL::PipelineOption checkedOptions(const char* where, std::int64_t options) {
    constexpr auto all =
        MTL::PipelineOptionBindingInfo | MTL::PipelineOptionBufferTypeInfo | MTL::PipelineOptionFailOnBinaryArchiveMiss;
    return checkedCount(where, "options", options, 0, all);
}

std::shared_ptr<ComputePipeline> pipelineOfDescriptor(Device& self, MTL::ComputePipelineDescriptor& descriptor,
                                                      std::int64_t options) {
    // A copy: another thread may change Python's while this compiles.
    const auto copy = owned(descriptor.copy());
    return compilePipeline(self, copy.get(), checkedOptions("new_compute_pipeline_state", options));
}

std::shared_ptr<RenderPipeline> renderPipeline(Device& self, MTL::RenderPipelineDescriptor& descriptor,
                                               std::int64_t options) {
    const auto copy = owned(descriptor.copy());
    return compileRenderPipeline(self, *copy.get(), checkedOptions("new_render_pipeline_state", options));
}

std::pair<NS::UInteger, NS::UInteger> pair(MTL::SizeAndAlign both) {
    return {both.size, both.align};
}

/// Metal stops the program for formats that no texture on a buffer can have.
void checkPlain(const char* where, MTL::PixelFormat format) {
    const bool isDepth = format >= MTL::PixelFormatDepth16Unorm && format <= MTL::PixelFormatX24_Stencil8;
    if (isDepth || pixelFormatBytes(format) == 0)
        fail(ErrorKind::validation,
             concat(where, ": no texture on a buffer has MTLPixelFormat ", NS::UInteger(format)));
}

void bindFacts(nb::class_<Device>& type) {
    type.def_prop_ro(
            "name", [](Device& self) { return pythonText(self.name()); }, pooled, "Its name, for people.")
        .def_prop_ro("registry_id", &Device::registryID, pooled, "A number that tells it from other devices.")
        .def_prop_ro("is_low_power", &Device::isLowPower, pooled,
                     "Whether it is the one of several GPUs that takes less power.")
        .def_prop_ro("is_headless", &Device::isHeadless, pooled, "Whether it drives no display.")
        .def_prop_ro("is_removable", &Device::isRemovable, pooled,
                     "Whether it is in a box of its own that can be unplugged.")
        .def_prop_ro("has_unified_memory", &Device::hasUnifiedMemory, pooled,
                     "Whether it and the processor share one memory.")
        .def_prop_ro(
            "is_software", [](Device& self) { return portable::isSoftware(&self); }, pooled,
            "Whether kernels run on the processor.")
        .def_prop_ro("max_threads_per_threadgroup", &Device::maxThreadsPerThreadgroup, pooled,
                     "The largest threadgroup in each dimension; their product is limited besides, by the pipeline.")
        .def_prop_ro("max_threadgroup_memory_length", &Device::maxThreadgroupMemoryLength, pooled,
                     "Bytes of threadgroup memory that one threadgroup can have.")
        .def_prop_ro("max_buffer_length", &Device::maxBufferLength, pooled, "Bytes of the longest buffer.")
        .def_prop_ro("current_allocated_size", &Device::currentAllocatedSize, pooled, "Bytes of memory in use.")
        .def_prop_ro("recommended_max_working_set_size", &Device::recommendedMaxWorkingSetSize, pooled,
                     "Bytes that can be in use at once without the device becoming slow.")
        .def_prop_ro("read_write_texture_support", &Device::readWriteTextureSupport, pooled,
                     "Which formats `access::read_write` textures may have: TierNone, Tier1 or Tier2.")
        .def("supports_family", &Device::supportsFamily, "family"_a, pooled,
             "Whether it has all that the family promises.")
        .def(
            "supports_vertex_amplification_count",
            [](Device& self, std::int64_t count) {
                return self.supportsVertexAmplificationCount(
                    checkedCount("supports_vertex_amplification_count", "count", count, 0, INT64_MAX));
            },
            "count"_a, pooled, "Whether a draw can run each vertex so many times.")
        .def(
            "supports_texture_sample_count",
            [](Device& self, std::int64_t count) {
                return self.supportsTextureSampleCount(
                    checkedCount("supports_texture_sample_count", "count", count, 0, 1024));
            },
            "count"_a, pooled, "Whether textures may have so many samples.")
        .def(
            "supports_rasterization_rate_map",
            [](Device& self, std::int64_t count) {
                return self.supportsRasterizationRateMap(
                    checkedCount("supports_rasterization_rate_map", "layer_count", count, 0, INT64_MAX));
            },
            "layer_count"_a, pooled, "Whether there are rate maps of so many layers.")
        .def_prop_ro("is_depth24_stencil8_pixel_format_supported", &Device::isDepth24Stencil8PixelFormatSupported,
                     pooled, "Whether textures may have depths of 24 bits.")
        .def_prop_ro("are_programmable_sample_positions_supported", &Device::areProgrammableSamplePositionsSupported,
                     pooled, "Whether passes may say where samples lie.")
        .def_prop_ro("supports_function_pointers", &Device::supportsFunctionPointers, pooled,
                     "Whether kernels can call functions through tables.")
        .def_prop_ro("supports_function_pointers_from_render", &Device::supportsFunctionPointersFromRender, pooled,
                     "Whether vertex and fragment functions can.")
        .def_prop_ro("counter_sets", &counterSets, pooled, "What counter sample buffers can hold.")
        .def("supports_counter_sampling", &Device::supportsCounterSampling, "sampling_point"_a, pooled,
             "Whether commands can take samples there.")
        .def(
            "sample_timestamps",
            [](Device& self) {
                std::pair<MTL::Timestamp, MTL::Timestamp> times;
                self.sampleTimestamps(&times.first, &times.second);
                return times;
            },
            pooled, "The time now on the clocks of the processor and of the device's counters, in nanoseconds.")
        .def_prop_ro(
            "mtl_ptr", [](Device& self) { return reinterpret_cast<std::uintptr_t>(&self); },
            "Address of the Metal object.")
        .def("__repr__", [](Device& self) { return "<Device " + pythonText(self.name()) + ">"; }, pooled);
}

void bindMakers(nb::class_<Device>& type) {
    type.def("new_command_queue", &newCommandQueue, "max_command_buffer_count"_a = 0, pooled,
             "A queue; 0: as many unfinished command buffers as Metal allows by default.")
        .def("new_command_queue", &queueOfDescriptor, "descriptor"_a, pooled)
        .def("new_log_state", &newLogState, "descriptor"_a, pooled,
             "Where kernels' messages go. Raises ValidationError when its buffer is smaller than 1,024 bytes.")
        .def("new_buffer", &newBuffer, "length"_a, "options"_a = 0, pooled,
             "Memory of `length` bytes; contents undefined.")
        .def(
            "new_buffer_with_data",
            [](Device& self, BytesLike data, std::optional<std::int64_t> length, std::int64_t options) {
                if (length && *length < 0)
                    fail(ErrorKind::validation,
                         concat("new_buffer_with_data: length is ", *length, ", may not be negative"));
                return newBufferWithData(self, data, length.value_or(-1), options);
            },
            "data"_a, "length"_a = nb::none(), "options"_a = 0, pooled, "A buffer with a copy of the bytes.")
        .def("new_buffer_no_copy", &newBufferNoCopy, "data"_a, "options"_a = 0, pooled,
             nb::sig("def new_buffer_no_copy(self, data: typing_extensions.Buffer, options: int = 0) -> Buffer"),
             "A buffer over the object's own memory, which must be writable and whole pages.")
        .def("new_texture", &newTexture, "descriptor"_a, pooled, "A texture; contents undefined.")
        .def("new_heap", &newHeap, "descriptor"_a, pooled, "A block of memory that buffers and textures are made in.")
        .def(
            "heap_buffer_size_and_align",
            [](Device& self, std::int64_t length, std::int64_t options) {
                return pair(heapBufferSizeAndAlign(self, length, options));
            },
            "length"_a, "options"_a = 0, pooled,
            "Bytes that a buffer takes of a heap, and what its offset is a multiple of.")
        .def(
            "heap_texture_size_and_align",
            [](Device& self, MTL::TextureDescriptor& descriptor) {
                return pair(heapTextureSizeAndAlign(self, descriptor));
            },
            "descriptor"_a, pooled, "The same for a texture.")
        .def(
            "minimum_linear_texture_alignment",
            [](Device& self, MTL::PixelFormat format) {
                checkPlain("minimum_linear_texture_alignment", format);
                return self.minimumLinearTextureAlignmentForPixelFormat(format);
            },
            "pixel_format"_a, pooled, "What offset and bytes per row of a texture on a buffer are multiples of.")
        .def(
            "minimum_texture_buffer_alignment",
            [](Device& self, MTL::PixelFormat format) {
                checkPlain("minimum_texture_buffer_alignment", format);
                return self.minimumTextureBufferAlignmentForPixelFormat(format);
            },
            "pixel_format"_a, pooled, "The same for a texture buffer.")
        .def("new_counter_sample_buffer", &newCounterSampleBuffer, "descriptor"_a, pooled,
             "Room for samples of counters. Raises ValidationError when the device has no such samples.")
        .def(
            "new_sampler_state",
            [](Device& self, MTL::SamplerDescriptor& descriptor) {
                return made(self.newSamplerState(&descriptor), "sampler state");
            },
            "descriptor"_a, pooled, "A sampler with these options.")
        .def(
            "new_rasterization_rate_map",
            [](Device& self, MTL::RasterizationRateMapDescriptor& descriptor) {
                constexpr const char* where = "new_rasterization_rate_map";
                const MTL::Size screen = descriptor.screenSize();
                if (screen.width == 0 || screen.height == 0)
                    fail(ErrorKind::validation, concat(where, ": the descriptor has no screen_size"));
                if (!self.supportsRasterizationRateMap(descriptor.layerCount()))
                    fail(ErrorKind::validation,
                         concat(where, ": the device has no maps of ", descriptor.layerCount(), " layers"));
                return made(self.newRasterizationRateMap(&descriptor), "rasterization rate map");
            },
            "descriptor"_a, pooled, "A map from the screen to a smaller image, and back.")
        .def("new_indirect_command_buffer", &newIndirectCommandBuffer, "descriptor"_a, "max_count"_a, "options"_a,
             pooled, "Commands in memory, all empty.")
        .def("new_library_with_source", &compileLibrary, "source"_a, "options"_a = nb::none(), pooled,
             "Compile Metal source. Raises CompileError with the compiler's text.")
        .def("new_compute_pipeline_state", &pipelineOfFunction, "function"_a, pooled,
             "Make a kernel ready to run. Raises PipelineError.")
        .def("new_compute_pipeline_state", &pipelineOfDescriptor, "descriptor"_a, "options"_a = 0, pooled,
             "The same; `options`: flags of PipelineOption.")
        .def("new_render_pipeline_state", &renderPipeline, "descriptor"_a, "options"_a = 0, pooled,
             "Make a vertex and a fragment function ready to draw. `options`: flags of PipelineOption. Raises "
             "PipelineError.")
        .def("new_depth_stencil_state", &newDepthStencilState, "descriptor"_a, pooled,
             "Tests of depth and stencil, ready to be set.")
        .def("new_argument_encoder", &newArgumentEncoder, "arguments"_a, pooled,
             nb::sig("def new_argument_encoder(self, arguments: collections.abc.Sequence[ArgumentDescriptor]) -> "
                     "ArgumentEncoder"),
             "An encoder of an argument buffer with these members.")
        .def("new_binary_archive", &newBinaryArchive, "descriptor"_a, pooled,
             "An archive of machine code, empty or read from the descriptor's file. Raises ResourceError.")
        .def(
            "new_fence", [](Device& self) { return made(self.newFence(), "fence"); }, pooled,
            "A fence, which orders the encoders of one queue.")
        .def(
            "new_event", [](Device& self) { return made(self.newEvent(), "event"); }, pooled,
            "An event, which orders command buffers of this device's queues.")
        .def(
            "new_shared_event", [](Device& self) { return made(self.newSharedEvent(), "shared event"); }, pooled)
        .def(
            "new_shared_event",
            [](Device& self, const MTL::SharedEventHandle& handle) {
                return made(self.newSharedEvent(&handle), "shared event");
            },
            "handle"_a, pooled, "The event that a handle stands for.");
}

}  // namespace

void bindDevice(nb::module_& module) {
    nb::class_<Device> type(module, "Device", "A processor that runs Metal: a GPU, or the software device.",
                            nb::is_weak_referenceable());
    bindFacts(type);
    bindMakers(type);
    module.def("create_system_default_device", &createSystemDefaultDevice, pooled,
               "The device that Metal prefers. Raises ResourceError when there is none.");
    module.def("copy_all_devices", &copyAllDevices, pooled, "All devices.");
}

}  // namespace mtlpy
