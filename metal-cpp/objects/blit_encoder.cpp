// SPDX-License-Identifier: MIT

#include "blit_encoder.hpp"

#include <algorithm>

#include "buffer.hpp"
#include "capture_session.hpp"
#include "command_watch.hpp"
#include "indirect_commands.hpp"
#include "join.hpp"
#include "mipmaps.hpp"
#include "texel_parts.hpp"
#include "texture.hpp"

namespace metal_objects {

namespace {

bool isWithin(NS::UInteger begin, NS::UInteger size, NS::UInteger whole) {
    return begin <= whole && size <= whole - begin;
}

/// One copy between buffers and textures, as a call describes it.
struct ImageCopy {
    const char* call;
    MTL::Size size;
    Texels to, from;
    NS::UInteger bytesPerPixel;
    TexelPart part{};  // between a texture and a buffer; without bytes: whole texels
};

metal_executor::CopyImage imageCopy(const ImageCopy& copy) {
    return {
        .to = copy.to.data,
        .from = copy.from.data,
        .rowBytes = copy.size.width * copy.bytesPerPixel,
        .rows = copy.size.height,
        .images = copy.size.depth,
        .toBytesPerRow = copy.to.bytesPerRow,
        .toBytesPerImage = copy.to.bytesPerImage,
        .fromBytesPerRow = copy.from.bytesPerRow,
        .fromBytesPerImage = copy.from.bytesPerImage,
    };
}

void append(BlitEncoderObject* encoder, const ImageCopy& copy, bool isToBuffer = false) {
    if (copy.part.bytes == 0) return encoder->commandBuffer->append(imageCopy(copy));
    encoder->commandBuffer->append(copyParts(imageCopy(copy), copy.size.width,
                                             static_cast<std::uint32_t>(copy.bytesPerPixel), copy.part, isToBuffer));
}

/// A buffer's side of a copy; empty mistake when the rows fit into it.
std::string bufferSide(const BufferObject* buffer, const TextureObject* texture, NS::UInteger offset,
                       NS::UInteger bytesPerRow, NS::UInteger bytesPerImage, MTL::Size size, MTL::BlitOption options,
                       TexelPart& part, Texels& side) {
    if (buffer == nullptr) return "the buffer must not be nil";
    if (texture == nullptr) return "the texture must not be nil";
    if (texture->values.sampleCount > 1) return "the texture is multisampled, and a buffer has no samples";
    std::string mistake = partOf(texture, options, part);
    if (mistake.empty()) mistake = rowsMistake(texture, part, size, bytesPerRow, bytesPerImage);
    if (!mistake.empty()) return mistake;
    const NS::UInteger last = (size.depth - 1) * bytesPerImage + (size.height - 1) * bytesPerRow;
    const NS::UInteger needed = last + size.width * (part.bytes != 0 ? part.stride : texture->format.bytes());
    if (!isWithin(offset, needed, buffer->length)) {
        return join("offset(", offset, ") + the region's bytes(", needed, ") must be <= the buffer's length(",
                    buffer->length, ")");
    }
    side = {buffer->bytes() + offset, bytesPerRow, bytesPerImage};
    return {};
}

std::string textureSide(const TextureObject* texture, MTL::Origin origin, MTL::Size size, NS::UInteger level,
                        NS::UInteger slice, Texels& side) {
    if (texture == nullptr) return "the texture must not be nil";
    const std::string mistake = texture->regionMistake(origin, size, level, slice);
    if (mistake.empty()) side = texture->texels(level, slice, origin);
    return mistake;
}

using Kind = CommandRecord::Kind;

const char* nameOf(Kind kind) {
    return kind == Kind::fill              ? "fill"
           : kind == Kind::generateMipmaps ? "generateMipmaps"
           : kind == Kind::synchronize     ? "synchronize"
                                           : "copy";
}

/// For the debug layer. Where in a texture or buffer a blit reads and writes is not looked at.
void watch(BlitEncoderObject* encoder, Kind kind, const ResourcePart* source, const ResourcePart* destination) {
    auto* watch = encoder->commandBuffer->watch();
    if (watch == nullptr) return;
    watch->command(nameOf(kind));
    watch->access(source, CommandWatch::anywhere, false);
    watch->access(destination, CommandWatch::anywhere, kind != Kind::synchronize);
}

/// For a capture, of what is appended next: `write` adds to its fields.
template <class Write>
void record(BlitEncoderObject* encoder, Kind kind, const ResourcePart* source, const ResourcePart* destination,
            const Write& write) {
    watch(encoder, kind, source, destination);
    auto* buffer = encoder->commandBuffer->record();
    if (buffer == nullptr) return;
    CommandRecord command(kind);
    write(command.fields, *buffer->session);
    if (source != nullptr) command.touch(source, false);
    command.touch(destination, true);
    buffer->describe(std::move(command));
}

/// Of a copy between a buffer and a texture.
void writeOptions(metal_capture::JsonWriter& json, MTL::BlitOption options) {
    if (options != MTL::BlitOptionNone) json.member("options", options);
}

BlitEncoderObject* self(const MTL::BlitCommandEncoder* encoder) {
    return as<BlitEncoderObject>(encoder);
}

/// Copies all that kernels wrote to where the processor sees it.
void synchronize(BlitEncoderObject* encoder, const ResourcePart* resource) {
    if (!resource->isManaged()) return;
    record(encoder, Kind::synchronize, nullptr, resource,
           [&](auto& json, CaptureSession& session) { json.member("resource", session.objects.resource(resource)); });
    encoder->commandBuffer->append(
        metal_executor::Copy{resource->hostBytes(), resource->bytes(), resource->memory->size()});
}

}  // namespace

}  // namespace metal_objects

using namespace metal_objects;

namespace MTL {

void BlitCommandEncoder::copyFromBuffer(const Buffer* sourceBuffer, NS::UInteger sourceOffset,
                                        const Buffer* destinationBuffer, NS::UInteger destinationOffset,
                                        NS::UInteger size) {
    auto* encoder = self(this);
    if (!encoder->mayEncode("copyFromBuffer")) return;
    const auto* source = as<BufferObject>(sourceBuffer);
    const auto* destination = as<BufferObject>(destinationBuffer);
    if (source == nullptr || destination == nullptr) {
        return encoder->noteMistake("copyFromBuffer: sourceBuffer and destinationBuffer must not be nil");
    }
    if (!isWithin(sourceOffset, size, source->length)) {
        return encoder->noteMistake(join("copyFromBuffer: sourceOffset(", sourceOffset, ") + size(", size,
                                         ") must be <= the source's length(", source->length, ")"));
    }
    if (!isWithin(destinationOffset, size, destination->length)) {
        return encoder->noteMistake(join("copyFromBuffer: destinationOffset(", destinationOffset, ") + size(", size,
                                         ") must be <= the destination's length(", destination->length, ")"));
    }
    encoder->commandBuffer->use(source);
    encoder->commandBuffer->use(destination);
    record(encoder, Kind::copy, source, destination, [&](auto& json, CaptureSession& session) {
        writeSide(json.key("source"), session, source, sourceOffset);
        writeSide(json.key("destination"), session, destination, destinationOffset);
        json.member("bytes", size);
    });
    encoder->commandBuffer->append(
        metal_executor::Copy{destination->bytes() + destinationOffset, source->bytes() + sourceOffset, size});
}

void BlitCommandEncoder::fillBuffer(const Buffer* buffer, NS::Range range, std::uint8_t value) {
    auto* encoder = self(this);
    if (!encoder->mayEncode("fillBuffer")) return;
    const auto* target = as<BufferObject>(buffer);
    if (target == nullptr) return encoder->noteMistake("fillBuffer: buffer must not be nil");
    if (range.length == 0 || !isWithin(range.location, range.length, target->length)) {
        return encoder->noteMistake(join("fillBuffer: range(", range.location, ", ", range.length,
                                         ") must have a length and be in the buffer, whose length is ",
                                         target->length));
    }
    encoder->commandBuffer->use(target);
    record(encoder, Kind::fill, nullptr, target, [&](auto& json, CaptureSession& session) {
        writeSide(json.key("destination"), session, target, range.location);
        json.member("bytes", range.length).member("value", value);
    });
    encoder->commandBuffer->append(metal_executor::Fill{target->bytes() + range.location, range.length, value});
}

// ---- Indirect command buffers ----

namespace {

/// Null, having noted the mistake, for no buffer or a range outside of it.
const IndirectBufferObject* commandsIn(BlitEncoderObject* encoder, const char* call,
                                       const IndirectCommandBuffer* buffer, NS::Range range) {
    if (!encoder->mayEncode(call)) return nullptr;
    const auto* commands = as<IndirectBufferObject>(buffer);
    const std::string mistake = commands == nullptr ? "the buffer must not be nil" : commands->rangeMistake(range);
    if (mistake.empty()) return commands;
    encoder->noteMistake(join(call, ": ", mistake));
    return nullptr;
}

}  // namespace

void BlitCommandEncoder::copyIndirectCommandBuffer(const IndirectCommandBuffer* source, NS::Range sourceRange,
                                                   const IndirectCommandBuffer* destination,
                                                   NS::UInteger destinationIndex) {
    constexpr const char* call = "copyIndirectCommandBuffer";
    auto* encoder = self(this);
    const auto* from = commandsIn(encoder, call, source, sourceRange);
    const NS::Range range(destinationIndex, sourceRange.length);
    const auto* to = from != nullptr ? commandsIn(encoder, call, destination, range) : nullptr;
    if (to == nullptr) return;
    if (from->facts.firstCount != to->facts.firstCount || from->facts.secondCount != to->facts.secondCount ||
        from->values.draws() != to->values.draws())
        return encoder->noteMistake(join(call, ": the buffers' descriptors must be the same"));
    encoder->commandBuffer->use(from);
    encoder->commandBuffer->use(to);
    if (auto* watch = encoder->commandBuffer->watch())
        watch->note(call, {{from, CommandWatch::anywhere, false}, {to, CommandWatch::anywhere, true}});
    const_cast<IndirectBufferObject*>(to)->holdWhat(const_cast<IndirectBufferObject&>(*from), sourceRange,
                                                    destinationIndex);
    encoder->commandBuffer->append(metal_executor::Copy{
        to->command(destinationIndex), from->command(sourceRange.location), sourceRange.length * from->facts.size});
}

void BlitCommandEncoder::resetCommandsInBuffer(const IndirectCommandBuffer* buffer, NS::Range range) {
    constexpr const char* call = "resetCommandsInBuffer";
    auto* encoder = self(this);
    const auto* commands = commandsIn(encoder, call, buffer, range);
    if (commands == nullptr) return;
    encoder->commandBuffer->use(commands);
    if (auto* watch = encoder->commandBuffer->watch()) watch->note(call, {{commands, CommandWatch::anywhere, true}});
    encoder->commandBuffer->append(
        metal_executor::Fill{commands->command(range.location), range.length * commands->facts.size, 0});
}

// Commands are read one by one as they lie.
void BlitCommandEncoder::optimizeIndirectCommandBuffer(const IndirectCommandBuffer* indirectCommandBuffer,
                                                       NS::Range range) {
    commandsIn(self(this), "optimizeIndirectCommandBuffer", indirectCommandBuffer, range);
}

void BlitCommandEncoder::copyFromBuffer(const Buffer* sourceBuffer, NS::UInteger sourceOffset,
                                        NS::UInteger sourceBytesPerRow, NS::UInteger sourceBytesPerImage,
                                        Size sourceSize, const Texture* destinationTexture,
                                        NS::UInteger destinationSlice, NS::UInteger destinationLevel,
                                        Origin destinationOrigin) {
    copyFromBuffer(sourceBuffer, sourceOffset, sourceBytesPerRow, sourceBytesPerImage, sourceSize, destinationTexture,
                   destinationSlice, destinationLevel, destinationOrigin, BlitOptionNone);
}

void BlitCommandEncoder::copyFromBuffer(const Buffer* sourceBuffer, NS::UInteger sourceOffset,
                                        NS::UInteger sourceBytesPerRow, NS::UInteger sourceBytesPerImage,
                                        Size sourceSize, const Texture* destinationTexture,
                                        NS::UInteger destinationSlice, NS::UInteger destinationLevel,
                                        Origin destinationOrigin, BlitOption options) {
    auto* encoder = self(this);
    if (!encoder->mayEncode("copyFromBuffer")) return;
    const auto* source = as<BufferObject>(sourceBuffer);
    const auto* destination = as<TextureObject>(destinationTexture);
    ImageCopy copy{"copyFromBuffer", sourceSize, {}, {}, 0};
    std::string mistake =
        textureSide(destination, destinationOrigin, sourceSize, destinationLevel, destinationSlice, copy.to);
    if (mistake.empty()) {
        mistake = bufferSide(source, destination, sourceOffset, sourceBytesPerRow, sourceBytesPerImage, sourceSize,
                             options, copy.part, copy.from);
    }
    if (!mistake.empty()) return encoder->noteMistake("copyFromBuffer: " + mistake);
    copy.bytesPerPixel = destination->format.bytes();
    encoder->commandBuffer->use(source);
    encoder->commandBuffer->use(destination);
    record(encoder, Kind::copy, source, destination, [&](auto& json, CaptureSession& session) {
        writeSide(json.key("source"), session, source, sourceOffset, sourceBytesPerRow, sourceBytesPerImage);
        writeSide(json.key("destination"), session, destination, destinationSlice, destinationLevel, destinationOrigin);
        writeSize(json, sourceSize);
        writeOptions(json, options);
    });
    append(encoder, copy);
}

void BlitCommandEncoder::copyFromTexture(const Texture* sourceTexture, NS::UInteger sourceSlice,
                                         NS::UInteger sourceLevel, Origin sourceOrigin, Size sourceSize,
                                         const Buffer* destinationBuffer, NS::UInteger destinationOffset,
                                         NS::UInteger destinationBytesPerRow, NS::UInteger destinationBytesPerImage) {
    copyFromTexture(sourceTexture, sourceSlice, sourceLevel, sourceOrigin, sourceSize, destinationBuffer,
                    destinationOffset, destinationBytesPerRow, destinationBytesPerImage, BlitOptionNone);
}

void BlitCommandEncoder::copyFromTexture(const Texture* sourceTexture, NS::UInteger sourceSlice,
                                         NS::UInteger sourceLevel, Origin sourceOrigin, Size sourceSize,
                                         const Buffer* destinationBuffer, NS::UInteger destinationOffset,
                                         NS::UInteger destinationBytesPerRow, NS::UInteger destinationBytesPerImage,
                                         BlitOption options) {
    auto* encoder = self(this);
    if (!encoder->mayEncode("copyFromTexture")) return;
    const auto* source = as<TextureObject>(sourceTexture);
    const auto* destination = as<BufferObject>(destinationBuffer);
    ImageCopy copy{"copyFromTexture", sourceSize, {}, {}, 0};
    std::string mistake = textureSide(source, sourceOrigin, sourceSize, sourceLevel, sourceSlice, copy.from);
    if (mistake.empty()) {
        mistake = bufferSide(destination, source, destinationOffset, destinationBytesPerRow, destinationBytesPerImage,
                             sourceSize, options, copy.part, copy.to);
    }
    if (!mistake.empty()) return encoder->noteMistake("copyFromTexture: " + mistake);
    copy.bytesPerPixel = source->format.bytes();
    encoder->commandBuffer->use(source);
    encoder->commandBuffer->use(destination);
    record(encoder, Kind::copy, source, destination, [&](auto& json, CaptureSession& session) {
        writeSide(json.key("source"), session, source, sourceSlice, sourceLevel, sourceOrigin);
        writeSide(json.key("destination"), session, destination, destinationOffset, destinationBytesPerRow,
                  destinationBytesPerImage);
        writeSize(json, sourceSize);
        writeOptions(json, options);
    });
    append(encoder, copy, true);
}

void BlitCommandEncoder::copyFromTexture(const Texture* sourceTexture, NS::UInteger sourceSlice,
                                         NS::UInteger sourceLevel, Origin sourceOrigin, Size sourceSize,
                                         const Texture* destinationTexture, NS::UInteger destinationSlice,
                                         NS::UInteger destinationLevel, Origin destinationOrigin) {
    auto* encoder = self(this);
    if (!encoder->mayEncode("copyFromTexture")) return;
    const auto* source = as<TextureObject>(sourceTexture);
    const auto* destination = as<TextureObject>(destinationTexture);
    ImageCopy copy{"copyFromTexture", sourceSize, {}, {}, 0};
    std::string mistake = textureSide(source, sourceOrigin, sourceSize, sourceLevel, sourceSlice, copy.from);
    if (mistake.empty()) {
        mistake = textureSide(destination, destinationOrigin, sourceSize, destinationLevel, destinationSlice, copy.to);
    }
    if (mistake.empty() && source->values.pixelFormat != destination->values.pixelFormat) {
        mistake = join("the textures' pixel formats, MTLPixelFormat ", source->values.pixelFormat, " and ",
                       destination->values.pixelFormat, ", must be the same");
    }
    if (mistake.empty() && source->values.sampleCount != destination->values.sampleCount) {
        mistake = join("the textures' sample counts, ", source->values.sampleCount, " and ",
                       destination->values.sampleCount, ", must be the same");
    }
    if (!mistake.empty()) return encoder->noteMistake("copyFromTexture: " + mistake);
    if (source->values.sampleCount > 1) copy.size.depth = source->values.sampleCount;  // a sample is an image
    copy.bytesPerPixel = source->format.bytes();
    encoder->commandBuffer->use(source);
    encoder->commandBuffer->use(destination);
    record(encoder, Kind::copy, source, destination, [&](auto& json, CaptureSession& session) {
        writeSide(json.key("source"), session, source, sourceSlice, sourceLevel, sourceOrigin);
        writeSide(json.key("destination"), session, destination, destinationSlice, destinationLevel, destinationOrigin);
        writeSize(json, sourceSize);
    });
    append(encoder, copy);
}

void BlitCommandEncoder::copyFromTexture(const Texture* sourceTexture, NS::UInteger sourceSlice,
                                         NS::UInteger sourceLevel, const Texture* destinationTexture,
                                         NS::UInteger destinationSlice, NS::UInteger destinationLevel,
                                         NS::UInteger sliceCount, NS::UInteger levelCount) {
    const auto* source = as<TextureObject>(sourceTexture);
    if (source == nullptr) return self(this)->noteMistake("copyFromTexture: the texture must not be nil");
    for (NS::UInteger level = 0; level < levelCount; ++level) {
        for (NS::UInteger slice = 0; slice < sliceCount; ++slice) {
            copyFromTexture(sourceTexture, sourceSlice + slice, sourceLevel + level, Origin(0, 0, 0),
                            source->levelSize(sourceLevel + level), destinationTexture, destinationSlice + slice,
                            destinationLevel + level, Origin(0, 0, 0));
        }
    }
}

void BlitCommandEncoder::copyFromTexture(const Texture* sourceTexture, const Texture* destinationTexture) {
    const auto* source = as<TextureObject>(sourceTexture);
    if (source == nullptr) return self(this)->noteMistake("copyFromTexture: the texture must not be nil");
    copyFromTexture(sourceTexture, 0, 0, destinationTexture, 0, 0, source->sliceCount(),
                    source->values.mipmapLevelCount);
}

void BlitCommandEncoder::generateMipmaps(const Texture* texture) {
    auto* encoder = self(this);
    if (!encoder->mayEncode("generateMipmaps")) return;
    const auto* target = as<TextureObject>(texture);
    if (target == nullptr) return encoder->noteMistake("generateMipmaps: the texture must not be nil");
    if (target->values.mipmapLevelCount < 2) return encoder->noteMistake("generateMipmaps: the texture has one level");
    if (!target->format.isFilterable()) {
        return encoder->noteMistake(join("generateMipmaps: the texture's format is ",
                                         nameOf(target->values.pixelFormat), ", which cannot be filtered"));
    }
    encoder->commandBuffer->use(target);
    record(encoder, Kind::generateMipmaps, nullptr, target,
           [&](auto& json, CaptureSession& session) { json.member("resource", session.objects.resource(target)); });
    encoder->commandBuffer->append(metal_executor::Call{[target] { makeLevels(*target); }});
}

void BlitCommandEncoder::synchronizeResource(const Resource* resource) {
    auto* encoder = self(this);
    if (!encoder->mayEncode("synchronizeResource")) return;
    const auto* source = part<ResourcePart>(resource);
    if (source == nullptr) return encoder->noteMistake("synchronizeResource: resource must not be nil");
    encoder->commandBuffer->use(resource);
    synchronize(encoder, source);
}

void BlitCommandEncoder::synchronizeTexture(const Texture* texture, NS::UInteger slice, NS::UInteger level) {
    auto* encoder = self(this);
    if (!encoder->mayEncode("synchronizeTexture")) return;
    const auto* source = as<TextureObject>(texture);
    if (source == nullptr) return encoder->noteMistake("synchronizeTexture: texture must not be nil");
    const Origin all(0, 0, 0);
    const Size size = source->levelSize(std::min<NS::UInteger>(level, metal_max_mip_levels));
    const std::string mistake = source->regionMistake(all, size, level, slice);
    if (!mistake.empty()) return encoder->noteMistake("synchronizeTexture: " + mistake);
    if (!source->isManaged()) return;
    encoder->commandBuffer->use(texture);
    record(encoder, Kind::synchronize, nullptr, source,
           [&](auto& json, CaptureSession& session) { json.member("resource", session.objects.resource(source)); });
    append(encoder, {"synchronizeTexture", size, source->texels(level, slice, all, true),
                     source->texels(level, slice, all), source->format.bytes()});
}

// Textures have one layout, which is best for both sides, and commands of a queue run in order.
void BlitCommandEncoder::optimizeContentsForCPUAccess(const Texture*) {}
void BlitCommandEncoder::optimizeContentsForCPUAccess(const Texture*, NS::UInteger, NS::UInteger) {}
void BlitCommandEncoder::optimizeContentsForGPUAccess(const Texture*) {}
void BlitCommandEncoder::optimizeContentsForGPUAccess(const Texture*, NS::UInteger, NS::UInteger) {}
void BlitCommandEncoder::updateFence(const Fence* fence) {
    if (auto* watch = self(this)->commandBuffer->watch()) watch->update(fence);
}
void BlitCommandEncoder::waitForFence(const Fence* fence) {
    if (auto* watch = self(this)->commandBuffer->watch()) watch->wait(fence);
}

}  // namespace MTL
