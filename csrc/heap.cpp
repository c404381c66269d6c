// SPDX-License-Identifier: MIT
//
// Heaps: blocks of memory that buffers and textures are made in.

#include "heap.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <optional>

#include "bind.hpp"
#include "errors.hpp"
#include "portable.hpp"
#include "text.hpp"

namespace mtlpy {

namespace {

using namespace nb::literals;
using Number = std::int64_t;

constexpr std::uint64_t allOptions = 0x3ff;

void checkPlacement(const char* where, MTL::Heap& heap, const std::optional<Number>& offset) {
    const bool isPlacement = heap.type() == MTL::HeapTypePlacement;
    if (offset && !isPlacement)
        fail(ErrorKind::validation, concat(where, ": an offset is for heaps of HeapType.Placement; this one chooses"));
    if (!offset && isPlacement)
        fail(ErrorKind::validation, concat(where, ": in a heap of HeapType.Placement an offset must be given"));
}

/// Where in the heap, checked against what the resource takes there.
NS::UInteger place(const char* where, MTL::Heap& heap, Number offset, MTL::SizeAndAlign needed) {
    const NS::UInteger begin = checkedCount(where, "offset", offset, 0, heap.size());
    if (begin % needed.align != 0)
        fail(ErrorKind::validation, concat(where, ": offset is ", offset, ", must be a multiple of ", needed.align));
    if (needed.size > heap.size() - begin)
        fail(ErrorKind::validation, concat(where, ": ", needed.size, " bytes at offset ", offset,
                                           " don't fit the heap, whose size is ", heap.size()));
    return begin;
}

void checkModes(const char* where, MTL::Heap& heap, MTL::ResourceOptions options) {
    const auto storage = MTL::StorageMode(options >> 4 & 0xf);
    const auto cache = MTL::CPUCacheMode(options & 0xf);
    if (storage != heap.storageMode() || cache != heap.cpuCacheMode())
        fail(ErrorKind::validation,
             concat(where, ": storage mode ", NS::UInteger(storage), " and CPU cache mode ", NS::UInteger(cache),
                    " must be the heap's, ", NS::UInteger(heap.storageMode()), " and ",
                    NS::UInteger(heap.cpuCacheMode())));
}

[[noreturn]] void failFull(const char* where, MTL::Heap& heap, NS::UInteger bytes) {
    fail(ErrorKind::resource, concat(where, ": insufficient free space for ", bytes, " bytes (heap size: ", heap.size(),
                                     ", largest free range: ", heap.maxAvailableSize(0), ")"));
}

NS::SharedPtr<MTL::Buffer> newBufferInHeap(MTL::Heap& heap, Number length, const std::optional<Number>& wanted,
                                           const std::optional<Number>& offset) {
    const char* where = "Heap.new_buffer";
    portable::checkProcess(heap.device());
    checkPlacement(where, heap, offset);
    const NS::UInteger bytes = checkedCount(where, "length", length, 1, INT64_MAX);
    const NS::UInteger options =
        wanted ? checkedCount(where, "options", *wanted, 0, allOptions) : NS::UInteger(heap.resourceOptions());
    checkModes(where, heap, options);
    MTL::Buffer* buffer =
        offset ? heap.newBuffer(bytes, options,
                                place(where, heap, *offset, heap.device()->heapBufferSizeAndAlign(bytes, options)))
               : heap.newBuffer(bytes, options);
    if (!buffer) failFull(where, heap, bytes);
    return owned(buffer);
}

NS::SharedPtr<MTL::Texture> newTextureInHeap(MTL::Heap& heap, MTL::TextureDescriptor& descriptor,
                                             const std::optional<Number>& offset) {
    const char* where = "Heap.new_texture";
    portable::checkProcess(heap.device());
    checkPlacement(where, heap, offset);
    checkModes(where, heap, descriptor.resourceOptions());
    const MTL::SizeAndAlign needed = heapTextureSizeAndAlign(*heap.device(), descriptor);
    MTL::Texture* texture =
        offset ? heap.newTexture(&descriptor, place(where, heap, *offset, needed)) : heap.newTexture(&descriptor);
    if (!texture) failFull(where, heap, needed.size);
    return owned(texture);
}

void bindDescriptor(nb::module_& module) {
    using Descriptor = MTL::HeapDescriptor;
    nb::class_<Descriptor>(module, "HeapDescriptor", "What a heap is to be; private storage unless told otherwise.",
                           nb::is_weak_referenceable())
        .def(nb::new_([] { return owned(Descriptor::alloc()->init()); }), pooled)
        .def_static(
            "heap_descriptor", [] { return owned(Descriptor::alloc()->init()); }, pooled, "A descriptor as by default.")
        .def_prop_rw(
            "size", [](Descriptor& self) { return self.size(); },
            [](Descriptor& self, Number size) {
                self.setSize(checkedCount("HeapDescriptor", "size", size, 1, INT64_MAX));
            },
            pooled, "Bytes of the block of memory; must be set.")
        .def_prop_rw(
            "type", &Descriptor::type, &Descriptor::setType, pooled,
            "Automatic: the heap finds places for its resources; Placement: the program does. Automatic unless set.")
        .def_prop_rw("storage_mode", &Descriptor::storageMode, &Descriptor::setStorageMode, pooled,
                     "Who sees the memory of its resources: Shared or Private. Private unless set.")
        .def_prop_rw("cpu_cache_mode", &Descriptor::cpuCacheMode, &Descriptor::setCpuCacheMode, pooled,
                     "How the processor caches its memory; DefaultCache unless set.")
        .def_prop_rw("hazard_tracking_mode", &Descriptor::hazardTrackingMode, &Descriptor::setHazardTrackingMode,
                     pooled,
                     "Whether Metal orders commands that touch its resources; Default: it does not, as Untracked.")
        .def_prop_rw(
            "resource_options", [](Descriptor& self) { return self.resourceOptions(); },
            [](Descriptor& self, Number options) {
                self.setResourceOptions(checkedCount("HeapDescriptor", "resource_options", options, 0, allOptions));
            },
            pooled, "Storage, cache and tracking as one number: flags of the Resource... constants.");
}

}  // namespace

NS::SharedPtr<MTL::Heap> newHeap(MTL::Device& device, MTL::HeapDescriptor& descriptor) {
    const char* where = "new_heap";
    portable::checkProcess(&device);
    const NS::UInteger size =
        checkedCount(where, "size", static_cast<Number>(descriptor.size()), 1, device.maxBufferLength());
    if (descriptor.storageMode() == MTL::StorageModeManaged || descriptor.storageMode() == MTL::StorageModeMemoryless)
        fail(ErrorKind::validation, concat(where, ": a heap has shared or private storage"));
    MTL::Heap* heap = device.newHeap(&descriptor);
    if (!heap) fail(ErrorKind::resource, concat("Failed to allocate Metal heap of ", size, " bytes"));
    return owned(heap);
}

MTL::SizeAndAlign heapBufferSizeAndAlign(MTL::Device& device, std::int64_t length, std::int64_t options) {
    const char* where = "heap_buffer_size_and_align";
    return device.heapBufferSizeAndAlign(checkedCount(where, "length", length, 1, INT64_MAX),
                                         checkedCount(where, "options", options, 0, allOptions));
}

MTL::SizeAndAlign heapTextureSizeAndAlign(MTL::Device& device, MTL::TextureDescriptor& descriptor) {
    if (descriptor.pixelFormat() == MTL::PixelFormatInvalid)
        fail(ErrorKind::validation, "heap_texture_size_and_align: the descriptor has no pixel_format");
    return device.heapTextureSizeAndAlign(&descriptor);
}

void bindHeap(nb::module_& module) {
    using Heap = MTL::Heap;
    bindDescriptor(module);
    nb::class_<Heap>(module, "Heap", "A block of memory that buffers and textures are made in.",
                     nb::is_weak_referenceable())
        .def_prop_ro(
            "device", [](Heap& self) { return shared(self.device()); }, pooled, "The device that made it.")
        .def_prop_rw(
            "label", [](Heap& self) { return pythonText(self.label()); },
            [](Heap& self, const std::string& label) { self.setLabel(metalString(label)); }, pooled,
            "A name, for messages and captures; empty unless set.")
        .def_prop_ro("type", &Heap::type, pooled,
                     "Automatic: the heap finds places for its resources; Placement: the program does.")
        .def_prop_ro("storage_mode", &Heap::storageMode, pooled,
                     "Who sees the memory of its resources: Shared or Private.")
        .def_prop_ro("cpu_cache_mode", &Heap::cpuCacheMode, pooled,
                     "How the processor caches its memory: as usual, or for writing only (WriteCombined).")
        .def_prop_ro("hazard_tracking_mode", &Heap::hazardTrackingMode, pooled,
                     "Whether Metal orders commands that touch its resources, or the program does; heaps leave it to "
                     "the program.")
        .def_prop_ro("resource_options", &Heap::resourceOptions, pooled,
                     "Storage, cache and tracking as one number: flags of the Resource... constants.")
        .def_prop_ro("size", &Heap::size, pooled, "Bytes of the block: what was asked for, or a little more.")
        .def_prop_ro("used_size", &Heap::usedSize, pooled, "Bytes that buffers and textures have of it.")
        .def_prop_ro("current_allocated_size", &Heap::currentAllocatedSize, pooled, "Bytes of memory it takes.")
        .def(
            "max_available_size",
            [](Heap& self, Number alignment) {
                const NS::UInteger step = checkedCount("max_available_size", "alignment", alignment, 0, 1u << 30);
                if ((step & (step - 1)) != 0)
                    fail(ErrorKind::validation,
                         concat("max_available_size: alignment is ", step, ", must be 0 or a power of two"));
                return self.maxAvailableSize(step);
            },
            "alignment"_a = 0, pooled, "Bytes of the largest free range that begins at a multiple of `alignment`.")
        .def("new_buffer", &newBufferInHeap, "length"_a, "options"_a = nb::none(), "offset"_a = nb::none(), pooled,
             "A buffer in the heap, with the heap's options; `offset` where the heap is one for placement. Raises "
             "ResourceError when there is no room.")
        .def("new_texture", &newTextureInHeap, "descriptor"_a, "offset"_a = nb::none(), pooled,
             "A texture in the heap; the descriptor's storage mode must be the heap's.")
        .def("set_purgeable_state", &Heap::setPurgeableState, "state"_a, pooled,
             "Say whether Metal may drop the contents of all that is in it; returns the state before.")
        .def_prop_ro(
            "mtl_ptr", [](Heap& self) { return reinterpret_cast<std::uintptr_t>(&self); },
            "Address of the Metal object.")
        .def("__repr__", [](Heap& self) { return concat("<Heap of ", self.size(), " bytes>"); }, pooled);
}

}  // namespace mtlpy
