// SPDX-License-Identifier: MIT
//
// A dispatch or a copy in one call from Python: command buffer, encoder, arguments, commit and wait. What the
// high-level API calls for each kernel.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>

#include "bind.hpp"
#include "blit_encoder.hpp"
#include "buffer.hpp"
#include "bytes.hpp"
#include "command_buffer.hpp"
#include "compute_encoder.hpp"

namespace mtlpy {

namespace {

using namespace nb::literals;
using Number = std::int64_t;

/// The items of a list or tuple, each with its index.
template <class F>
void forEach(nb::handle sequence, const char* name, F&& function) {
    const bool isList = PyList_Check(sequence.ptr());
    if (!isList && !PyTuple_Check(sequence.ptr()))
        throw nb::type_error(concat("dispatch: ", name, " must be a list or a tuple").c_str());
    const Py_ssize_t count = isList ? PyList_Size(sequence.ptr()) : PyTuple_Size(sequence.ptr());
    for (Py_ssize_t i = 0; i < count; ++i)
        function(nb::handle(isList ? PyList_GetItem(sequence.ptr(), i) : PyTuple_GetItem(sequence.ptr(), i)),
                 static_cast<Number>(i));
}

[[noreturn]] void failItem(const char* name, Number index, const char* expected, nb::handle item) {
    throw nb::type_error(concat("dispatch: ", name, "[", index, "] must be ", expected, ", got ",
                                nb::str(item.type().attr("__name__")).c_str())
                             .c_str());
}

void bindBytes(ComputeEncoder& encoder, nb::handle item, Number index) {
    const ByteView bytes({item}, ByteView::Access::read, "dispatch", "buffers");
    if (bytes.size() <= maximumBytes) return encoder.setBytes(bytes.data(), bytes.size(), index);
    auto buffer = newBufferOfBytes(*encoder.metal->device(), bytes.data(), bytes.size());
    encoder.setBuffer(buffer.get(), 0, index);  // the command buffer keeps it
}

void bindBufferItem(ComputeEncoder& encoder, nb::handle item, Number index) {
    MTL::Buffer* buffer = nullptr;
    Number offset = 0;
    if (item.is_none()) return;
    if (nb::try_cast(item, buffer)) return encoder.setBuffer(buffer, 0, index);
    if (PyTuple_Check(item.ptr()) && PyTuple_Size(item.ptr()) == 2 &&
        nb::try_cast(nb::handle(PyTuple_GetItem(item.ptr(), 0)), buffer) &&
        nb::try_cast(nb::handle(PyTuple_GetItem(item.ptr(), 1)), offset))
        return encoder.setBuffer(buffer, offset, index);
    if (!PyObject_CheckBuffer(item.ptr()))
        failItem("buffers", index, "a Buffer, (Buffer, offset), bytes or None", item);
    bindBytes(encoder, item, index);
}

/// What a kernel is run with.
struct Launch {
    ComputePipeline& pipeline;
    nb::handle buffers, textures, samplers, threadgroupLengths;
    const SizeLike& grid;
    const SizeLike& threadgroup;
    bool threadgroups;
};

void encode(ComputeEncoder& encoder, const Launch& launch) {
    encoder.setPipeline(launch.pipeline);
    forEach(launch.buffers, "buffers", [&](nb::handle item, Number index) { bindBufferItem(encoder, item, index); });
    forEach(launch.textures, "textures", [&](nb::handle item, Number index) {
        MTL::Texture* texture = nullptr;
        if (item.is_none()) return;
        if (!nb::try_cast(item, texture)) failItem("textures", index, "a Texture or None", item);
        encoder.setTexture(texture, index);
    });
    forEach(launch.samplers, "samplers", [&](nb::handle item, Number index) {
        MTL::SamplerState* sampler = nullptr;
        if (item.is_none()) return;
        if (!nb::try_cast(item, sampler)) failItem("samplers", index, "a SamplerState or None", item);
        encoder.setSampler(sampler, index);
    });
    forEach(launch.threadgroupLengths, "threadgroup_lengths", [&](nb::handle item, Number index) {
        Number length = 0;
        if (!nb::try_cast(item, length)) failItem("threadgroup_lengths", index, "an int", item);
        if (length != 0) encoder.setThreadgroupMemoryLength(length, index);
    });
    if (launch.threadgroups)
        encoder.dispatchThreadgroups(launch.grid, launch.threadgroup);
    else
        encoder.dispatchThreads(launch.grid, launch.threadgroup);
}

std::shared_ptr<CommandBuffer> finish(std::shared_ptr<CommandBuffer> commandBuffer, bool wait) {
    if (wait) {
        commandBuffer->commitAndWait();
    } else {
        commandBuffer->commit();
        commandBuffer->noted = std::make_unique<live::Noted>(commandBuffer.get());
    }
    return commandBuffer;
}

std::shared_ptr<CommandBuffer> dispatch(MTL::CommandQueue& queue, ComputePipeline& pipeline, nb::object buffers,
                                        nb::object textures, nb::object samplers, nb::object threadgroupLengths,
                                        const SizeLike& grid, const SizeLike& threadgroup, bool wait,
                                        bool threadgroups) {
    auto commandBuffer = newCommandBuffer(queue);
    {
        ComputeEncoder encoder(commandBuffer, commandBuffer->metal->computeCommandEncoder());
        encode(encoder, {pipeline, buffers, textures, samplers, threadgroupLengths, grid, threadgroup, threadgroups});
    }
    return finish(std::move(commandBuffer), wait);
}

void encodeDispatch(ComputeEncoder& encoder, ComputePipeline& pipeline, nb::object buffers, nb::object textures,
                    nb::object samplers, nb::object threadgroupLengths, const SizeLike& grid,
                    const SizeLike& threadgroup, bool threadgroups) {
    encode(encoder, {pipeline, buffers, textures, samplers, threadgroupLengths, grid, threadgroup, threadgroups});
}

/// Runs `function` with a blit encoder of a new command buffer.
template <class F>
std::shared_ptr<CommandBuffer> blit(MTL::CommandQueue& queue, bool wait, F&& function) {
    auto commandBuffer = newCommandBuffer(queue);
    function(*newBlitEncoder(*commandBuffer));
    return finish(std::move(commandBuffer), wait);
}

std::shared_ptr<CommandBuffer> copy(MTL::CommandQueue& queue, MTL::Buffer& source, Number sourceOffset,
                                    MTL::Buffer& destination, Number destinationOffset, Number size, bool wait) {
    return blit(queue, wait, [&](BlitEncoder& encoder) {
        encoder.copyBuffer(source, sourceOffset, destination, destinationOffset, size);
    });
}

std::shared_ptr<CommandBuffer> copyToTexture(MTL::CommandQueue& queue, MTL::Buffer& source, Number offset,
                                             Number bytesPerRow, Number bytesPerImage, MTL::Texture& texture,
                                             const std::optional<RegionLike>& region, Number level, Number slice,
                                             bool wait) {
    return blit(queue, wait, [&](BlitEncoder& encoder) {
        encoder.copyToTexture(source, offset, bytesPerRow, bytesPerImage, texture, slice, level, region);
    });
}

std::shared_ptr<CommandBuffer> copyFromTexture(MTL::CommandQueue& queue, MTL::Texture& texture,
                                               MTL::Buffer& destination, Number offset, Number bytesPerRow,
                                               Number bytesPerImage, const std::optional<RegionLike>& region,
                                               Number level, Number slice, bool wait) {
    return blit(queue, wait, [&](BlitEncoder& encoder) {
        encoder.copyFromTexture(texture, slice, level, region, destination, offset, bytesPerRow, bytesPerImage);
    });
}

void bindDispatches(nb::module_& module) {
    const nb::object none = nb::tuple();
#define MTLPY_BUFFERS "collections.abc.Sequence[Buffer | tuple[Buffer, int] | typing_extensions.Buffer | None]"
    module.def(
        "dispatch", &dispatch, "queue"_a, "pipeline"_a, "buffers"_a = none, "textures"_a = none, "samplers"_a = none,
        "threadgroup_lengths"_a = none, "grid"_a, "threadgroup"_a, nb::kw_only(), "wait"_a = true,
        "threadgroups"_a = false, pooled,
        nb::sig("def dispatch(queue: CommandQueue, pipeline: ComputePipelineState, buffers: " MTLPY_BUFFERS
                " = (), textures: collections.abc.Sequence[Texture | None] = (), "
                "samplers: collections.abc.Sequence[SamplerState | None] = (), threadgroup_lengths: "
                "collections.abc.Sequence[int] = (), grid: Size | int | collections.abc.Sequence[int] = ..., "
                "threadgroup: Size | int | collections.abc.Sequence[int] = ..., *, wait: bool = True, threadgroups: "
                "bool = False) -> CommandBuffer"),
        "Run a kernel in a command buffer of its own. `grid` counts threads, or threadgroups if `threadgroups`.");
    module.def(
        "encode_dispatch", &encodeDispatch, "encoder"_a, "pipeline"_a, "buffers"_a = none, "textures"_a = none,
        "samplers"_a = none, "threadgroup_lengths"_a = none, "grid"_a, "threadgroup"_a, nb::kw_only(),
        "threadgroups"_a = false, pooled,
        nb::sig(
            "def encode_dispatch(encoder: ComputeCommandEncoder, pipeline: ComputePipelineState, "
            "buffers: " MTLPY_BUFFERS " = (), textures: collections.abc.Sequence[Texture | None] = (), "
            "samplers: collections.abc.Sequence[SamplerState | None] = (), threadgroup_lengths: "
            "collections.abc.Sequence[int] = (), grid: Size | int | collections.abc.Sequence[int] = ..., "
            "threadgroup: Size | int | collections.abc.Sequence[int] = ..., *, threadgroups: bool = False) -> None"),
        "Encode a dispatch as `dispatch` would.");
#undef MTLPY_BUFFERS
}

}  // namespace

void bindDispatch(nb::module_& module) {
    bindDispatches(module);
    module.def(
        "commit_and_wait", [](CommandBuffer& self) { self.commitAndWait(); }, "command_buffer"_a, pooled,
        "The same as its commit() and wait_until_completed(), in less time where the commands are short.");
    module.def("copy", &copy, "queue"_a, "source"_a, "source_offset"_a, "destination"_a, "destination_offset"_a,
               "size"_a, nb::kw_only(), "wait"_a = true, pooled, "Copy bytes between buffers.");
    module.def("copy_to_texture", &copyToTexture, "queue"_a, "source"_a, "offset"_a, "bytes_per_row"_a,
               "bytes_per_image"_a, "texture"_a, nb::kw_only(), "region"_a = nb::none(), "level"_a = 0, "slice"_a = 0,
               "wait"_a = true, pooled, "Copy texels of a buffer into a texture; 0 bytes per row or image: tight.");
    module.def("copy_from_texture", &copyFromTexture, "queue"_a, "texture"_a, "destination"_a, "offset"_a,
               "bytes_per_row"_a, "bytes_per_image"_a, nb::kw_only(), "region"_a = nb::none(), "level"_a = 0,
               "slice"_a = 0, "wait"_a = true, pooled,
               "Copy texels of a texture into a buffer; 0 bytes per row or image: tight.");
}

}  // namespace mtlpy
