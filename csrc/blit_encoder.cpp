// SPDX-License-Identifier: MIT

#include "blit_encoder.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>

#include "bind.hpp"
#include "buffer.hpp"
#include "counters.hpp"
#include "indirect_commands.hpp"
#include "texture.hpp"

namespace mtlpy {

namespace {

using namespace nb::literals;
using Number = std::int64_t;

void copyTextures(BlitEncoder& self, MTL::Texture& source, Number sourceSlice, Number sourceLevel,
                  const OriginLike& sourceOrigin, const SizeLike& size, MTL::Texture& destination, Number slice,
                  Number level, const OriginLike& origin) {
    const char* where = "copy_from_texture_to_texture";
    self.checkTexture(where, "source_texture", source);
    self.checkTexture(where, "destination_texture", destination);
    if (source.pixelFormat() != destination.pixelFormat())
        fail(ErrorKind::validation, concat(where, ": the pixel formats are ", NS::UInteger(source.pixelFormat()),
                                           " and ", NS::UInteger(destination.pixelFormat()), ", must be the same"));
    const TexturePart from(where, source, RegionLike{sourceOrigin, size}, sourceLevel, sourceSlice);
    const TexturePart to(where, destination, RegionLike{origin, size}, level, slice);
    self.metal->copyFromTexture(&source, from.slice, from.level, from.region.origin, from.region.size, &destination,
                                to.slice, to.level, to.region.origin);
}

void synchronize(BlitEncoder& self, MTL::Resource& resource) {
    self.checkOpen("synchronize_resource");
    self.commandBuffer->checkDevice("synchronize_resource", "resource", resource.device());
    if (resource.storageMode() != MTL::StorageModeManaged)
        fail(ErrorKind::validation, "synchronize_resource: the resource's storage isn't managed");
    self.metal->synchronizeResource(&resource);
}

void bindBuffers(nb::class_<BlitEncoder>& type) {
    type.def("copy_from_buffer", &BlitEncoder::copyBuffer, "source_buffer"_a, "source_offset"_a, "destination_buffer"_a,
             "destination_offset"_a, "size"_a, pooled, "Copy bytes of one buffer into another.")
        .def("copy_from_buffer_to_buffer", &BlitEncoder::copyBuffer, "source"_a, "source_offset"_a, "destination"_a,
             "destination_offset"_a, "size"_a, pooled, "Copy bytes of one buffer into another.")
        .def("fill_buffer", &BlitEncoder::fillBuffer, "buffer"_a, "range"_a, "value"_a, pooled,
             "Set bytes of a buffer to `value`.")
        .def("synchronize_resource", &synchronize, "resource"_a, pooled,
             "Make what the device wrote to a managed resource visible to the CPU.")
        .def("synchronize_resource", &synchronize, "buffer"_a, pooled)
        .def(
            "sample_counters_in_buffer",
            [](BlitEncoder& self, const MTL::CounterSampleBuffer& buffer, Number index, bool barrier) {
                sampleCounters(self, MTL::CounterSamplingPointAtBlitBoundary, buffer, index, barrier);
            },
            "sample_buffer"_a, "sample_index"_a, "barrier"_a = true, pooled,
            "Take a sample when the commands before have ended.")
        .def("resolve_counters", &resolveCounters, "sample_buffer"_a, "range"_a, "destination_buffer"_a,
             "destination_offset"_a, pooled, "Copy samples into a buffer, 8 bytes each.");
}

NS::Range checkedCommands(BlitEncoder& self, const char* where, const MTL::IndirectCommandBuffer& commands,
                          const RangeLike& range) {
    self.checkOpen(where);
    self.commandBuffer->checkDevice(where, "commands", commands.device());
    return checkedCommands(where, commands, range);
}

void bindCommands(nb::class_<BlitEncoder>& type) {
    type.def(
            "copy_indirect_command_buffer",
            [](BlitEncoder& self, MTL::IndirectCommandBuffer& source, const RangeLike& range,
               MTL::IndirectCommandBuffer& destination, Number index) {
                constexpr const char* where = "copy_indirect_command_buffer";
                const NS::Range from = checkedCommands(self, where, source, range);
                checkedCommands(self, where, destination, RangeLike{{index, range.value[1]}});
                self.metal->copyIndirectCommandBuffer(&source, from, &destination, static_cast<NS::UInteger>(index));
            },
            "source"_a, "source_range"_a, "destination"_a, "destination_index"_a, pooled,
            "Copy commands; both buffers must have been made alike.")
        .def(
            "reset_commands_in_buffer",
            [](BlitEncoder& self, MTL::IndirectCommandBuffer& commands, const RangeLike& range) {
                const NS::Range checked = checkedCommands(self, "reset_commands_in_buffer", commands, range);
                self.metal->resetCommandsInBuffer(&commands, checked);
            },
            "commands"_a, "range"_a, pooled, "Empty commands.")
        .def(
            "optimize_indirect_command_buffer",
            [](BlitEncoder& self, MTL::IndirectCommandBuffer& commands, const RangeLike& range) {
                const NS::Range checked = checkedCommands(self, "optimize_indirect_command_buffer", commands, range);
                self.metal->optimizeIndirectCommandBuffer(&commands, checked);
            },
            "commands"_a, "range"_a, pooled, "Let the device arrange the commands for itself.");
}

/// Flags of BlitOption; which of them a texture can have, shows with the texture.
MTL::BlitOption checkedOption(const char* where, Number options) {
    constexpr auto all =
        MTL::BlitOptionDepthFromDepthStencil | MTL::BlitOptionStencilFromDepthStencil | MTL::BlitOptionRowLinearPVRTC;
    return MTL::BlitOption(checkedCount(where, "options", options, 0, all));
}

void bindTextures(nb::class_<BlitEncoder>& type) {
    type.def(
            "copy_from_buffer_to_texture",
            [](BlitEncoder& self, MTL::Buffer& source, Number offset, Number bytesPerRow, Number bytesPerImage,
               const SizeLike& size, MTL::Texture& destination, Number slice, Number level, const OriginLike& origin,
               Number options) {
                self.copyToTexture(source, offset, bytesPerRow, bytesPerImage, destination, slice, level,
                                   RegionLike{origin, size}, checkedOption("copy_from_buffer_to_texture", options));
            },
            "source_buffer"_a, "source_offset"_a, "source_bytes_per_row"_a, "source_bytes_per_image"_a, "source_size"_a,
            "destination_texture"_a, "destination_slice"_a, "destination_level"_a, "destination_origin"_a,
            "options"_a = NS::UInteger(MTL::BlitOptionNone), pooled,
            "Copy texels of a buffer into a texture; `options`: of texels with depth and stencil, which.")
        .def(
            "copy_from_buffer_to_texture",
            [](BlitEncoder& self, MTL::Buffer& source, Number offset, Number bytesPerRow, Number bytesPerImage,
               const SizeLike& size, MTL::Texture& destination, Number slice, Number level, const OriginLike& origin,
               Number options) {
                self.copyToTexture(source, offset, bytesPerRow, bytesPerImage, destination, slice, level,
                                   RegionLike{origin, size}, checkedOption("copy_from_buffer_to_texture", options));
            },
            "source"_a, "source_offset"_a, "source_bytes_per_row"_a, "source_bytes_per_image"_a, "source_size"_a,
            "destination"_a, "destination_slice"_a, "destination_level"_a, "destination_origin"_a,
            "options"_a = NS::UInteger(MTL::BlitOptionNone), pooled)
        .def(
            "copy_from_texture_to_buffer",
            [](BlitEncoder& self, MTL::Texture& source, Number slice, Number level, const OriginLike& origin,
               const SizeLike& size, MTL::Buffer& destination, Number offset, Number bytesPerRow, Number bytesPerImage,
               Number options) {
                self.copyFromTexture(source, slice, level, RegionLike{origin, size}, destination, offset, bytesPerRow,
                                     bytesPerImage, checkedOption("copy_from_texture_to_buffer", options));
            },
            "source_texture"_a, "source_slice"_a, "source_level"_a, "source_origin"_a, "source_size"_a,
            "destination_buffer"_a, "destination_offset"_a, "destination_bytes_per_row"_a,
            "destination_bytes_per_image"_a, "options"_a = NS::UInteger(MTL::BlitOptionNone), pooled,
            "Copy texels of a texture into a buffer; `options`: of texels with depth and stencil, which.")
        .def(
            "copy_from_texture_to_buffer",
            [](BlitEncoder& self, MTL::Texture& source, Number slice, Number level, const OriginLike& origin,
               const SizeLike& size, MTL::Buffer& destination, Number offset, Number bytesPerRow, Number bytesPerImage,
               Number options) {
                self.copyFromTexture(source, slice, level, RegionLike{origin, size}, destination, offset, bytesPerRow,
                                     bytesPerImage, checkedOption("copy_from_texture_to_buffer", options));
            },
            "source"_a, "source_slice"_a, "source_level"_a, "source_origin"_a, "source_size"_a, "destination"_a,
            "destination_offset"_a, "destination_bytes_per_row"_a, "destination_bytes_per_image"_a,
            "options"_a = NS::UInteger(MTL::BlitOptionNone), pooled)
        .def("copy_from_texture_to_texture", &copyTextures, "source"_a, "source_slice"_a, "source_level"_a,
             "source_origin"_a, "source_size"_a, "destination"_a, "destination_slice"_a, "destination_level"_a,
             "destination_origin"_a, pooled, "Copy texels of one texture into another.")
        .def(
            "generate_mipmaps",
            [](BlitEncoder& self, MTL::Texture& texture) {
                self.checkTexture("generate_mipmaps", "texture", texture);
                if (texture.mipmapLevelCount() < 2)
                    fail(ErrorKind::validation, "generate_mipmaps: the texture has one level");
                self.metal->generateMipmaps(&texture);
            },
            "texture"_a, pooled, "Fill the smaller levels from the largest.")
        .def(
            "synchronize_texture",
            [](BlitEncoder& self, MTL::Texture& texture, Number slice, Number level) {
                self.checkTexture("synchronize_texture", "texture", texture);
                const TexturePart part("synchronize_texture", texture, std::nullopt, level, slice);
                self.metal->synchronizeTexture(&texture, part.slice, part.level);
            },
            "texture"_a, "slice"_a, "level"_a, pooled,
            "Make what the device wrote to a managed texture visible to the CPU.")
        .def(
            "optimize_contents_for_gpu_access",
            [](BlitEncoder& self, MTL::Texture& texture) {
                self.checkTexture("optimize_contents_for_gpu_access", "texture", texture);
                self.metal->optimizeContentsForGPUAccess(&texture);
            },
            "texture"_a, pooled, "Let the device arrange the texels for itself.")
        .def(
            "optimize_contents_for_cpu_access",
            [](BlitEncoder& self, MTL::Texture& texture) {
                self.checkTexture("optimize_contents_for_cpu_access", "texture", texture);
                self.metal->optimizeContentsForCPUAccess(&texture);
            },
            "texture"_a, pooled, "Let the device arrange the texels for the CPU.");
}

}  // namespace

void BlitEncoder::checkBuffer(const char* where, const char* name, MTL::Buffer& buffer) {
    checkOpen(where);
    commandBuffer->checkDevice(where, name, buffer.device());
}

void BlitEncoder::checkTexture(const char* where, const char* name, MTL::Texture& texture) {
    checkOpen(where);
    commandBuffer->checkDevice(where, name, texture.device());
}

void BlitEncoder::copyBuffer(MTL::Buffer& source, std::int64_t sourceOffset, MTL::Buffer& destination,
                             std::int64_t destinationOffset, std::int64_t size) {
    const char* where = "copy_from_buffer";
    checkBuffer(where, "source_buffer", source);
    checkBuffer(where, "destination_buffer", destination);
    checkRange(where, "the source", sourceOffset, size, source.length());
    checkRange(where, "the destination", destinationOffset, size, destination.length());
    if (size == 0) return;
    if (&source == &destination && sourceOffset < destinationOffset + size && destinationOffset < sourceOffset + size)
        fail(ErrorKind::validation, concat(where, ": ", size, " bytes at ", sourceOffset, " and at ", destinationOffset,
                                           " of one buffer overlap"));
    metal->copyFromBuffer(&source, static_cast<NS::UInteger>(sourceOffset), &destination,
                          static_cast<NS::UInteger>(destinationOffset), static_cast<NS::UInteger>(size));
}

void BlitEncoder::fillBuffer(MTL::Buffer& buffer, const RangeLike& range, std::int64_t value) {
    const char* where = "fill_buffer";
    checkBuffer(where, "buffer", buffer);
    checkRange(where, "the buffer", range.value[0], range.value[1], buffer.length());
    const NS::UInteger byte = checkedCount(where, "value", value, 0, 255);
    if (range.value[1] == 0) return;
    metal->fillBuffer(&buffer,
                      NS::Range(static_cast<NS::UInteger>(range.value[0]), static_cast<NS::UInteger>(range.value[1])),
                      static_cast<std::uint8_t>(byte));
}

void BlitEncoder::copyToTexture(MTL::Buffer& source, std::int64_t offset, std::int64_t bytesPerRow,
                                std::int64_t bytesPerImage, MTL::Texture& destination, std::int64_t slice,
                                std::int64_t level, const std::optional<RegionLike>& region, MTL::BlitOption options) {
    const char* where = "copy_from_buffer_to_texture";
    checkBuffer(where, "source_buffer", source);
    checkTexture(where, "destination_texture", destination);
    const TexturePart part(where, destination, region, level, slice);
    const TexelLayout layout(where, destination, part.region, bytesPerRow, bytesPerImage, options);
    checkRange(where, "the source", offset, static_cast<std::int64_t>(layout.size), source.length());
    metal->copyFromBuffer(&source, static_cast<NS::UInteger>(offset), layout.bytesPerRow, layout.bytesPerImage,
                          part.region.size, &destination, part.slice, part.level, part.region.origin, options);
}

void BlitEncoder::copyFromTexture(MTL::Texture& source, std::int64_t slice, std::int64_t level,
                                  const std::optional<RegionLike>& region, MTL::Buffer& destination,
                                  std::int64_t offset, std::int64_t bytesPerRow, std::int64_t bytesPerImage,
                                  MTL::BlitOption options) {
    const char* where = "copy_from_texture_to_buffer";
    checkTexture(where, "source_texture", source);
    checkBuffer(where, "destination_buffer", destination);
    const TexturePart part(where, source, region, level, slice);
    const TexelLayout layout(where, source, part.region, bytesPerRow, bytesPerImage, options);
    checkRange(where, "the destination", offset, static_cast<std::int64_t>(layout.size), destination.length());
    metal->copyFromTexture(&source, part.slice, part.level, part.region.origin, part.region.size, &destination,
                           static_cast<NS::UInteger>(offset), layout.bytesPerRow, layout.bytesPerImage, options);
}

std::shared_ptr<BlitEncoder> newBlitEncoder(CommandBuffer& commandBuffer) {
    commandBuffer.checkEncodable("blit_command_encoder");
    MTL::BlitCommandEncoder* encoder = commandBuffer.metal->blitCommandEncoder();
    if (!encoder) fail(ErrorKind::resource, "blit_command_encoder: the command buffer gave no encoder");
    return std::make_shared<BlitEncoder>(commandBuffer.shared_from_this(), encoder);
}

void bindBlitEncoder(nb::module_& module) {
    nb::class_<BlitEncoder> type(module, "BlitCommandEncoder", "Copies of buffers and textures into a command buffer.",
                                 nb::is_weak_referenceable());
    bindEncoder(type);
    bindFences(type);
    bindBuffers(type);
    bindTextures(type);
    bindCommands(type);
}

}  // namespace mtlpy
