// SPDX-License-Identifier: MIT

#include "argument_table.hpp"

#include <algorithm>
#include <cstring>

#include "buffer.hpp"
#include "function_tables.hpp"
#include "join.hpp"
#include "sampler.hpp"
#include "texture.hpp"

namespace metal_objects {

namespace {

/// The word for a texture's type in Metal's source: "2d_array".
const char* shapeName(MTL::TextureType type) {
    constexpr const char* names[] = {"1d",   "1d_array",   "2d", "2d_array",    "2d_ms",
                                     "cube", "cube_array", "3d", "2d_ms_array", "_buffer"};
    return type < std::size(names) ? names[type] : "?";
}

/// What functions see a format's texels as, and whether a component type of a texture argument is that.
const char* wordOf(const PixelFormat& format) {
    return !format.isInteger() ? "float" : format.isSigned() ? "int" : "uint";
}
bool fits(const PixelFormat& format, MTL::DataType component) {
    switch (component) {
        case MTL::DataTypeFloat:
        case MTL::DataTypeHalf:
            return !format.isInteger() || format.hasDepth();
        case MTL::DataTypeInt:
        case MTL::DataTypeShort:
            return format.isInteger() && format.isSigned();
        case MTL::DataTypeUInt:
        case MTL::DataTypeUShort:
        case MTL::DataTypeULong:
            return format.isInteger() && !format.isSigned();
        default:
            return true;
    }
}

template <class... Parts>
std::string explain(const ArgumentTable::Names& names, const PipelineFunction& function, const Parts&... parts) {
    return join(names.function, "(", function.function->name(), "): ", parts...);
}

}  // namespace

const ArgumentTable::Names ArgumentTable::compute = {
    "Compute Function", "setBuffer",       "setBufferOffset",        "setBytes",
    "setTexture",       "setSamplerState", "setVisibleFunctionTable"};
const ArgumentTable::Names ArgumentTable::vertex = {
    "Vertex Function",  "setVertexBuffer",       "setVertexBufferOffset",        "setVertexBytes",
    "setVertexTexture", "setVertexSamplerState", "setVertexVisibleFunctionTable"};
const ArgumentTable::Names ArgumentTable::fragment = {
    "Fragment Function",  "setFragmentBuffer",       "setFragmentBufferOffset",        "setFragmentBytes",
    "setFragmentTexture", "setFragmentSamplerState", "setFragmentVisibleFunctionTable"};

bool ArgumentTable::isInRange(const char* call, NS::UInteger index, NS::UInteger limit) {
    if (!encoder_.mayEncode(call)) return false;
    if (index < limit) {
        ++changes_;
        return true;
    }
    encoder_.noteMistake(join(call, ": index (", index, ") must be < ", limit));
    return false;
}

void ArgumentTable::setBuffer(const BufferObject* buffer, NS::UInteger offset, NS::UInteger index,
                              NS::UInteger stride) {
    if (!isInRange(names.setBuffer, index, bufferCount)) return;
    Buffer& slot = buffers_[index];
    if (buffer == nullptr) {
        slot = {};
        return;
    }
    if (offset >= buffer->length) {
        return encoder_.noteMistake(join(names.setBuffer, ": offset(", offset, ") must be < the buffer's length(",
                                         buffer->length, "), at index ", index));
    }
    if (slot.buffer != buffer) encoder_.commandBuffer->useBuffer(buffer);
    slot = {buffer, buffer->bytes() + offset, offset, buffer->length - offset, stride};
}

void ArgumentTable::setBufferOffset(NS::UInteger offset, NS::UInteger index, NS::UInteger stride) {
    if (!isInRange(names.setBufferOffset, index, bufferCount)) return;
    if (buffers_[index].buffer == nullptr) {
        return encoder_.noteMistake(join(names.setBufferOffset, ": no buffer is set at index ", index));
    }
    setBuffer(buffers_[index].buffer, offset, index, stride);
}

void ArgumentTable::setBytes(const void* bytes, NS::UInteger length, NS::UInteger index, NS::UInteger stride) {
    if (!isInRange(names.setBytes, index, bufferCount)) return;
    if (length == 0 || length > mostBytes || bytes == nullptr) {
        return encoder_.noteMistake(
            join(names.setBytes, ": length(", length, ") must be 1 to ", mostBytes, ", and bytes not null"));
    }
    void* copy = encoder_.commandBuffer->allocate(length, 16);
    std::memcpy(copy, bytes, length);
    buffers_[index] = {nullptr, static_cast<std::uint8_t*>(copy), 0, length, stride};
}

void ArgumentTable::setTexture(const TextureObject* texture, NS::UInteger index) {
    if (!isInRange(names.setTexture, index, textureCount)) return;
    if (texture != nullptr && textures_[index] != texture) encoder_.commandBuffer->use(texture);
    textures_[index] = texture;
}

void ArgumentTable::setSampler(const SamplerObject* sampler, NS::UInteger index, const float* lodClamps) {
    if (!isInRange(names.setSampler, index, samplerCount)) return;
    if (sampler == nullptr) {
        samplers_[index] = {};
        return;
    }
    const metal_sampler bits = lodClamps ? withClamps(sampler->bits, lodClamps[0], lodClamps[1]) : sampler->bits;
    samplers_[index] = {bits, true};
}

void ArgumentTable::setFunctionTable(const FunctionTableObject* table, NS::UInteger index) {
    if (!isInRange(names.setFunctionTable, index, bufferCount)) return;
    if (table != nullptr && functionTables_[index] != table) encoder_.commandBuffer->use(table);
    functionTables_[index] = table;
}

std::string ArgumentTable::missing(const PipelineFunction& function, const char* kind,
                                   const PipelineFunction::Argument& argument, NS::UInteger element) const {
    return explain(names, function, "missing ", kind, " binding at index ", argument.facts->index + element, " for ",
                   argument.facts->name, "[", element, "].");
}

std::string ArgumentTable::fill(const PipelineFunction& function, const PipelineFunction::Argument& argument,
                                void*& slot) const {
    switch (argument.facts->kind) {
        case protocol::ArgumentKind::buffer:
            return fillBuffer(function, argument, slot);
        case protocol::ArgumentKind::texture:
            return fillTexture(function, argument, slot);
        case protocol::ArgumentKind::sampler:
            return fillSampler(function, argument, slot);
        case protocol::ArgumentKind::functionTable:
            return fillFunctionTable(function, argument, slot);
        case protocol::ArgumentKind::threadgroupMemory:
            break;
    }
    return explain(names, function, "argument ", argument.facts->name,
                   " is threadgroup memory, which only kernels have");
}

std::string ArgumentTable::fillBuffer(const PipelineFunction& function, const PipelineFunction::Argument& argument,
                                      void*& slot) const {
    const NS::UInteger index = argument.facts->index;
    if (index >= bufferCount || buffers_[index].bytes == nullptr) return missing(function, "Buffer", argument);
    const Buffer& buffer = buffers_[index];
    constexpr std::uint32_t readOnly = MTL::BindingAccessReadOnly;
    if (buffer.buffer == nullptr && argument.facts->access != readOnly) {
        return explain(names, function, "Bytes are being bound at index ", index, " to a shader argument (",
                       argument.facts->name, ") with write access enabled.");
    }
    if (buffer.length < argument.typeSize) {
        return explain(names, function, "argument ", argument.facts->name, "[0] from Buffer(", index, ") with offset(",
                       buffer.offset, ") and length(", buffer.offset + buffer.length, ") has space for ", buffer.length,
                       " bytes, but argument has a length(", argument.typeSize, ").");
    }
    slot = buffer.bytes;
    return {};
}

std::string textureMistake(const TextureObject* texture, NS::UInteger index, const protocol::Argument& facts,
                           const protocol::LibraryReply& reply) {
    const protocol::Type* type = facts.type != protocol::noType ? &reply.types[facts.type] : nullptr;
    if (type != nullptr && type->dataType == static_cast<std::uint32_t>(MTL::DataTypeArray) &&
        type->element != protocol::noType) {
        type = &reply.types[type->element];
    }
    if (type != nullptr && type->dataType == static_cast<std::uint32_t>(MTL::DataTypeTexture)) {
        if (type->textureType != static_cast<std::uint32_t>(texture->values.textureType)) {
            return join("the texture at index ", index, " is of type ", shapeName(texture->values.textureType),
                        ", but argument ", facts.name, " is ", facts.typeText);
        }
        if (!fits(texture->format, static_cast<MTL::DataType>(type->textureDataType))) {
            return join("the texture at index ", index, " is of MTLPixelFormat ", texture->values.pixelFormat,
                        ", which kernels see as ", wordOf(texture->format), ", but argument ", facts.name, " is ",
                        facts.typeText);
        }
    }
    const bool reads = facts.access != static_cast<std::uint32_t>(MTL::BindingAccessWriteOnly);
    const bool writes = facts.access != static_cast<std::uint32_t>(MTL::BindingAccessReadOnly);
    if (writes && !texture->format.isWritable()) {
        return join("the texture at index ", index, " is of ", nameOf(texture->values.pixelFormat),
                    ", which kernels cannot write, but argument ", facts.name, " is ", facts.typeText);
    }
    if (writes && texture->isSwizzled()) {
        return join("the texture at index ", index, " has a swizzle, with which it cannot be written, but argument ",
                    facts.name, " is ", facts.typeText);
    }
    const auto lacks = [&](bool needs, MTL::TextureUsage usage) {
        return needs && texture->values.usage != MTL::TextureUsageUnknown && !(texture->values.usage & usage);
    };
    for (const auto& [needs, usage, name] :
         {std::tuple{reads, MTL::TextureUsageShaderRead, "MTLTextureUsageShaderRead"},
          std::tuple{writes, MTL::TextureUsageShaderWrite, "MTLTextureUsageShaderWrite"}}) {
        if (!lacks(needs, usage)) continue;
        return join("Texture at index ", index, " with usage (", texture->values.usage,
                    ") doesn't specify required usage (", name, ") for ", facts.name);
    }
    return {};
}

std::string ArgumentTable::fillTexture(const PipelineFunction& function, const PipelineFunction::Argument& argument,
                                       void*& slot) const {
    const protocol::Argument& facts = *argument.facts;
    const std::size_t count = std::max<std::uint64_t>(facts.arrayLength, 1);
    auto** handles = static_cast<const metal_texture**>(encoder_.commandBuffer->allocate(count * sizeof(void*), 16));
    slot = handles;
    for (std::size_t i = 0; i < count; ++i) {
        const NS::UInteger index = facts.index + i;
        const TextureObject* texture = index < textureCount ? textures_[index] : nullptr;
        if (texture == nullptr) return missing(function, "Texture", argument, i);
        const std::string mistake = textureMistake(texture, index, facts, *function.function->library->reply);
        if (!mistake.empty()) return explain(names, function, mistake);
        handles[i] = &texture->handle;
    }
    return {};
}

std::string ArgumentTable::fillSampler(const PipelineFunction& function, const PipelineFunction::Argument& argument,
                                       void*& slot) const {
    const std::size_t count = std::max<std::uint64_t>(argument.facts->arrayLength, 1);
    auto* values = static_cast<metal_sampler*>(encoder_.commandBuffer->allocate(count * sizeof(metal_sampler), 16));
    slot = values;
    for (std::size_t i = 0; i < count; ++i) {
        const NS::UInteger index = argument.facts->index + i;
        if (index >= samplerCount || !samplers_[index].isSet) return missing(function, "Sampler", argument, i);
        values[i] = samplers_[index].bits;
    }
    return {};
}

std::string ArgumentTable::fillFunctionTable(const PipelineFunction& function,
                                             const PipelineFunction::Argument& argument, void*& slot) const {
    const NS::UInteger index = argument.facts->index;
    const FunctionTableObject* table = index < bufferCount ? functionTables_[index] : nullptr;
    if (table == nullptr) return missing(function, "VisibleFunctionTable", argument);
    if (table->code != &function) {
        return explain(names, function, "the visible function table at index ", index, " for ", argument.facts->name,
                       " is of another pipeline state");
    }
    auto** handle = static_cast<std::uint64_t**>(encoder_.commandBuffer->allocate(sizeof(void*), 16));
    *handle = table->functions();
    slot = handle;
    return {};
}

void ArgumentTable::findBound(const PipelineFunction& function, const metal_executor::Kernel& kernel,
                              BoundResources& bound) const {
    bound.clear();
    for (const PipelineFunction::Argument& argument : function.arguments) {
        const protocol::Argument& facts = *argument.facts;
        if (!kernel.readsSlot(facts.slot)) continue;
        const std::size_t count = std::max<std::uint64_t>(facts.arrayLength, 1);
        // Of an array, what all elements have.
        if (facts.kind == protocol::ArgumentKind::texture) {
            const TextureObject* const* first = &textures_[facts.index];
            const metal_texture& handle = (*first)->handle;
            const bool isSame = std::all_of(first, first + count, [&](const TextureObject* texture) {
                return texture->handle.pixel_format == handle.pixel_format &&
                       texture->handle.bytes_per_pixel == handle.bytes_per_pixel;
            });
            if (isSame) bound.textures.push_back({facts.slot, handle.pixel_format, handle.bytes_per_pixel});
        } else if (facts.kind == protocol::ArgumentKind::sampler) {
            const Sampler* first = &samplers_[facts.index];
            const bool isSame =
                std::all_of(first, first + count, [&](const Sampler& sampler) { return sampler.bits == first->bits; });
            if (isSame) bound.samplers.push_back({facts.slot, first->bits});
        }
    }
}

PipelineFunction::KernelPointer ArgumentTable::boundCode(PipelineFunction& function,
                                                         const PipelineFunction::KernelPointer& general,
                                                         double threads) const {
    if (!function.takesBoundCode) return general;
    thread_local BoundResources bound;  // so that a command allocates nothing
    findBound(function, *general, bound);
    return bound.empty() ? general : function.boundKernelFor(general, bound, threads);
}

}  // namespace metal_objects
