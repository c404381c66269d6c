// SPDX-License-Identifier: MIT
//
// Buffers, their bytes as NumPy sees them, and buffers over memory that Python owns.

#include "buffer.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <unistd.h>

#include "bind.hpp"
#include "completion.hpp"
#include "errors.hpp"
#include "portable.hpp"
#include "text.hpp"
#include "texture.hpp"
#include "types.hpp"

namespace mtlpy {

namespace {

using namespace nb::literals;

/// The four storage modes, cache modes and hazard tracking; anything else is a mistake.
constexpr std::uint64_t allOptions = 0x3ff;

NS::UInteger checkedLength(MTL::Device& device, const char* where, std::int64_t length) {
    portable::checkProcess(&device);
    return checkedCount(where, "length", length, 1, device.maxBufferLength());
}

NS::SharedPtr<MTL::Buffer> checked(MTL::Buffer* buffer, const char* where, NS::UInteger length) {
    if (!buffer) fail(ErrorKind::resource, concat(where, ": no memory for a buffer of ", length, " bytes"));
    return owned(buffer);
}

std::byte* checkedContents(MTL::Buffer& buffer, const char* where) {
    void* contents = buffer.storageMode() == MTL::StorageModePrivate ? nullptr : buffer.contents();
    if (!contents)
        fail(ErrorKind::resource,
             concat(where, ": the buffer has private storage, which only the device can reach; copy it with a blit"));
    return static_cast<std::byte*>(contents);
}

void didModify(MTL::Buffer& buffer, NS::UInteger offset, NS::UInteger length) {
    if (buffer.storageMode() == MTL::StorageModeManaged && length > 0) buffer.didModifyRange(NS::Range(offset, length));
}

nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<1>> contents(nb::handle_t<MTL::Buffer> self) {
    auto& buffer = nb::cast<MTL::Buffer&>(self);
    return {checkedContents(buffer, "contents"), {buffer.length()}, self};
}

void didModifyRange(MTL::Buffer& buffer, std::int64_t offset, std::int64_t length) {
    checkRange("did_modify_range", "the buffer", offset, length, buffer.length());
    if (buffer.storageMode() != MTL::StorageModeManaged)
        fail(ErrorKind::validation, "did_modify_range: the buffer's storage isn't managed");
    buffer.didModifyRange(NS::Range(static_cast<NS::UInteger>(offset), static_cast<NS::UInteger>(length)));
}

void copyFrom(MTL::Buffer& buffer, BytesLike data, std::int64_t offset) {
    const ByteView bytes(data, ByteView::Access::read, "copy_from");
    checkRange("copy_from", "the buffer", offset, static_cast<std::int64_t>(bytes.size()), buffer.length());
    std::byte* destination = checkedContents(buffer, "copy_from") + offset;
    ReleasedGil release;
    portable::copyMemory(buffer.device(), destination, bytes.data(), bytes.size());
    didModify(buffer, static_cast<NS::UInteger>(offset), bytes.size());
}

void copyTo(MTL::Buffer& buffer, BytesLike out, std::int64_t offset) {
    const ByteView bytes(out, ByteView::Access::write, "copy_to", "out");
    checkRange("copy_to", "the buffer", offset, static_cast<std::int64_t>(bytes.size()), buffer.length());
    const std::byte* source = checkedContents(buffer, "copy_to") + offset;
    ReleasedGil release;
    portable::copyMemory(buffer.device(), bytes.data(), source, bytes.size());
}

int getBuffer(PyObject* self, Py_buffer* view, int flags) noexcept {
    auto* buffer = nb::inst_ptr<MTL::Buffer>(self);
    void* memory = buffer->storageMode() == MTL::StorageModePrivate ? nullptr : buffer->contents();
    if (memory) return PyBuffer_FillInfo(view, self, memory, static_cast<Py_ssize_t>(buffer->length()), 0, flags);
    view->obj = nullptr;
    PyErr_SetString(PyExc_BufferError, "the buffer has private storage, which only the device can reach");
    return -1;
}

PyType_Slot bufferSlots[] = {{Py_bf_getbuffer, reinterpret_cast<void*>(getBuffer)}, {0, nullptr}};

void makeAliasable(MTL::Resource& resource) {
    if (!resource.heap()) fail(ErrorKind::validation, "make_aliasable: the resource is not in a heap");
    resource.makeAliasable();
}

MTL::PurgeableState setPurgeable(MTL::Resource& resource, MTL::PurgeableState state) {
    if (resource.heap() && state != MTL::PurgeableStateKeepCurrent)
        fail(ErrorKind::validation, "set_purgeable_state: the resource is in a heap; set the heap's state");
    return resource.setPurgeableState(state);
}

}  // namespace

NS::SharedPtr<MTL::Buffer> newBuffer(MTL::Device& device, std::int64_t length, std::int64_t options) {
    const NS::UInteger size = checkedLength(device, "new_buffer", length);
    const NS::UInteger checkedOptions = checkedCount("new_buffer", "options", options, 0, allOptions);
    ReleasedGil release;
    return checked(device.newBuffer(size, checkedOptions), "new_buffer", size);
}

NS::SharedPtr<MTL::Buffer> newBufferWithData(MTL::Device& device, BytesLike data, std::int64_t length,
                                             std::int64_t options) {
    const char* where = "new_buffer_with_data";
    const ByteView bytes(data, ByteView::Access::read, where);
    const NS::UInteger size =
        checkedLength(device, where, length < 0 ? static_cast<std::int64_t>(bytes.size()) : length);
    if (size > bytes.size())
        fail(ErrorKind::validation, concat(where, ": length is ", size, ", data has ", bytes.size(), " bytes"));
    const NS::UInteger checkedOptions = checkedCount(where, "options", options, 0, allOptions);
    if (checkedOptions & (MTL::ResourceStorageModePrivate))
        fail(ErrorKind::validation, concat(where, ": the storage may not be private; copy the data with a blit"));
    ReleasedGil release;
    return checked(device.newBuffer(bytes.data(), size, checkedOptions), where, size);
}

NS::SharedPtr<MTL::Buffer> newBufferOfBytes(MTL::Device& device, const void* data, std::size_t length) {
    return checked(device.newBuffer(data, length, MTL::ResourceStorageModeShared), "dispatch", length);
}

NS::SharedPtr<MTL::Buffer> newBufferNoCopy(MTL::Device& device, BytesLike data, std::int64_t options) {
    const char* where = "new_buffer_no_copy";
    // A view of its own keeps Python from moving or freeing the memory: a bytearray may not be resized meanwhile.
    nb::object view = nb::steal(PyMemoryView_FromObject(data.object.ptr()));
    if (!view.is_valid()) throw nb::python_error();
    const ByteView bytes({view}, ByteView::Access::write, where);
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    if (reinterpret_cast<std::uintptr_t>(bytes.data()) % page != 0 || bytes.size() % page != 0)
        fail(ErrorKind::validation,
             concat(where, ": data must begin at a page and have whole pages of ", page, " bytes; it is ", bytes.size(),
                    " bytes, ", reinterpret_cast<std::uintptr_t>(bytes.data()) % page, " past a page"));
    const NS::UInteger size = checkedLength(device, where, static_cast<std::int64_t>(bytes.size()));
    const NS::UInteger checkedOptions = checkedCount(where, "options", options, 0, allOptions);
    // Metal knows best what uses the memory: textures, descriptors, commands. It lets go on any thread.
    const auto owner = std::make_shared<PythonReference>(reference(view));
#ifdef __BLOCKS__
    const auto letGo = ^(void*, NS::UInteger) {
      owner->reset();
    };
#else
    const auto letGo = [owner](void*, NS::UInteger) { owner->reset(); };
#endif
    return checked(device.newBuffer(bytes.data(), size, checkedOptions, letGo), where, size);
}

void bindResource(nb::module_& module) {
    using Resource = MTL::Resource;
    nb::class_<Resource>(module, "Resource", "What buffers and textures share.", nb::is_weak_referenceable())
        .def_prop_ro(
            "device", [](const Resource& self) { return shared(self.device()); }, pooled, "The device that made it.")
        .def_prop_rw(
            "label", [](const Resource& self) { return pythonText(self.label()); },
            [](Resource& self, const std::string& label) { self.setLabel(metalString(label)); }, pooled,
            "A name, for messages and captures; empty unless set.")
        .def_prop_ro("storage_mode", &Resource::storageMode, pooled,
                     "Who sees its memory: Shared, Managed, Private or Memoryless.")
        .def_prop_ro("cpu_cache_mode", &Resource::cpuCacheMode, pooled,
                     "How the processor caches its memory: as usual, or for writing only (WriteCombined).")
        .def_prop_ro("hazard_tracking_mode", &Resource::hazardTrackingMode, pooled,
                     "Whether Metal orders commands that touch it (Tracked), or the program does (Untracked).")
        .def_prop_ro("resource_options", &Resource::resourceOptions, pooled,
                     "Storage, cache and tracking as one number: flags of the Resource... constants.")
        .def_prop_ro("allocated_size", &Resource::allocatedSize, pooled, "Bytes of memory it takes.")
        .def_prop_ro(
            "heap", [](Resource& self) { return shared(self.heap()); }, pooled,
            nb::sig("def heap(self) -> Heap | None"), "The heap it lies in.")
        .def_prop_ro("heap_offset", &Resource::heapOffset, pooled, "Where in the heap it begins.")
        .def_prop_ro("is_aliasable", &Resource::isAliasable, pooled, "Whether the heap may give its bytes to others.")
        .def("make_aliasable", &makeAliasable, pooled,
             "Let the heap give its bytes to others. It goes on seeing them; there is no way back.")
        .def("set_purgeable_state", &setPurgeable, "state"_a, pooled,
             "Say whether Metal may drop the contents; returns the state before.")
        .def_prop_ro(
            "mtl_ptr", [](const Resource& self) { return reinterpret_cast<std::uintptr_t>(&self); },
            "Address of the Metal object.");
    module.attr("ResourceCPUCacheModeDefaultCache") = NS::UInteger(MTL::ResourceCPUCacheModeDefaultCache);
    module.attr("ResourceCPUCacheModeWriteCombined") = NS::UInteger(MTL::ResourceCPUCacheModeWriteCombined);
    module.attr("ResourceStorageModeShared") = NS::UInteger(MTL::ResourceStorageModeShared);
    module.attr("ResourceStorageModeManaged") = NS::UInteger(MTL::ResourceStorageModeManaged);
    module.attr("ResourceStorageModePrivate") = NS::UInteger(MTL::ResourceStorageModePrivate);
    // metal-cpp gives it the value of Private; Metal's own is the mode 3 in the same place.
    module.attr("ResourceStorageModeMemoryless") = NS::UInteger(MTL::StorageModeMemoryless) << 4;
    module.attr("ResourceHazardTrackingModeUntracked") = NS::UInteger(MTL::ResourceHazardTrackingModeUntracked);
    module.attr("ResourceHazardTrackingModeTracked") = NS::UInteger(MTL::ResourceHazardTrackingModeTracked);
    module.attr("page_size") = sysconf(_SC_PAGESIZE);
}

void bindBuffer(nb::module_& module) {
    using Buffer = MTL::Buffer;
    nb::class_<Buffer, MTL::Resource>(module, "Buffer", "Memory of the device. Has the buffer protocol unless private.",
                                      nb::is_weak_referenceable(), nb::type_slots(bufferSlots))
        .def_prop_ro(
            "length", [](const Buffer& self) { return self.length(); }, pooled, "Its size in bytes.")
        .def_prop_ro(
            "size_bytes", [](const Buffer& self) { return self.length(); }, pooled, "The same, under mtlpy's name.")
        .def_prop_ro(
            "gpu_address", [](const Buffer& self) { return std::uint64_t(self.gpuAddress()); }, pooled,
            "Address at which kernels see the first byte; an argument buffer holds it as a pointer.")
        .def_prop_ro(
            "data_ptr",
            [](Buffer& self) {
                return self.storageMode() == MTL::StorageModePrivate
                           ? 0
                           : reinterpret_cast<std::uintptr_t>(self.contents());
            },
            pooled, "Address of the bytes; 0 when private.")
        .def("contents", &contents, pooled, nb::sig("def contents(self) -> numpy.typing.NDArray[numpy.uint8]"),
             "The bytes themselves, no copy; writable.")
        .def("did_modify_range", &didModifyRange, "offset"_a, "length"_a, pooled,
             "Tell Metal that the CPU changed these bytes of a managed buffer.")
        .def(
            "did_modify_range",
            [](Buffer& self, const RangeLike& range) { didModifyRange(self, range.value[0], range.value[1]); },
            "range"_a, pooled)
        .def("copy_from", &copyFrom, "data"_a, "offset"_a = 0, pooled, "Copy bytes in, from byte `offset` on.")
        .def("copy_to", &copyTo, "out"_a, "offset"_a = 0, pooled,
             "Copy bytes out, from byte `offset` on, as many as `out` holds.")
        .def(
            "new_texture", &newTextureOnBuffer, "descriptor"_a, "offset"_a, "bytes_per_row"_a, pooled,
            nb::sig("def new_texture(self, descriptor: TextureDescriptor, offset: int, bytes_per_row: int) -> Texture"),
            "Make a texture whose texels are this buffer's bytes.")
        .def(
            "__len__", [](const Buffer& self) { return self.length(); }, pooled)
        .def("__repr__", [](const Buffer& self) { return concat("<Buffer of ", self.length(), " bytes>"); }, pooled);
}

}  // namespace mtlpy
