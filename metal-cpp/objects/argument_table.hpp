// SPDX-License-Identifier: MIT

#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "../executor/kernel.hpp"
#include "../executor/kernel_abi.h"
#include "encoder.hpp"
#include "pipeline_function.hpp"

namespace metal_objects {

class BufferObject;
class CaptureSession;
class FunctionTableObject;
class SamplerObject;
class TextureObject;
struct CommandRecord;

/// What an encoder has bound for a kernel, or for the functions of one stage: buffers, textures, samplers and tables by
/// index, each kept alive by the command buffer.
class ArgumentTable {
public:
    static constexpr NS::UInteger bufferCount = 31;
    static constexpr NS::UInteger textureCount = 128;
    static constexpr NS::UInteger samplerCount = 16;
    static constexpr NS::UInteger mostBytes = 4096;

    /// The names of Metal's calls, for messages.
    struct Names {
        const char* function;  // "Compute Function"
        const char *setBuffer, *setBufferOffset, *setBytes, *setTexture, *setSampler, *setFunctionTable;
    };
    static const Names compute, vertex, fragment;

    ArgumentTable(EncoderPart& encoder, const Names& names) : names(names), encoder_(encoder) {}

    struct Buffer {
        const BufferObject* buffer = nullptr;  // null and not null `bytes`: setBytes
        std::uint8_t* bytes = nullptr;
        NS::UInteger offset = 0;
        NS::UInteger length = 0;  // from the offset on
        NS::UInteger stride = 0;  // of an attribute's elements, where the descriptor leaves it open; 0: not told
    };
    struct Sampler {
        metal_sampler bits = 0;
        bool isSet = false;
    };

    // Each notes the mistake, and changes nothing, where it is given something wrong.
    void setBuffer(const BufferObject* buffer, NS::UInteger offset, NS::UInteger index, NS::UInteger stride = 0);
    void setBufferOffset(NS::UInteger offset, NS::UInteger index, NS::UInteger stride = 0);
    void setBytes(const void* bytes, NS::UInteger length, NS::UInteger index, NS::UInteger stride = 0);
    void setTexture(const TextureObject* texture, NS::UInteger index);
    /// `lodClamps`: two numbers, or null.
    void setSampler(const SamplerObject* sampler, NS::UInteger index, const float* lodClamps);
    void setFunctionTable(const FunctionTableObject* table, NS::UInteger index);

    const Buffer& buffer(NS::UInteger index) const { return buffers_[index]; }
    const TextureObject* texture(NS::UInteger index) const { return textures_[index]; }
    const std::array<Buffer, bufferCount>& buffers() const { return buffers_; }

    /// Fills the slot of an argument of `function` (other than threadgroup memory). Empty, or what is missing or wrong.
    std::string fill(const PipelineFunction& function, const PipelineFunction::Argument& argument, void*& slot) const;

    /// "Compute Function(name): missing Buffer binding at index 0 for a[0]."
    std::string missing(const PipelineFunction& function, const char* kind, const PipelineFunction::Argument& argument,
                        NS::UInteger element = 0) const;

    /// The code for the formats and sampler states that are bound, where there is some; else `general`.
    PipelineFunction::KernelPointer boundCode(PipelineFunction& function,
                                              const PipelineFunction::KernelPointer& general, double threads) const;

    /// For a capture: the binding of argument `at`, an object. In capture_arguments.cpp.
    void record(const PipelineFunction& function, std::uint32_t at, CommandRecord& record,
                CaptureSession& session) const;
    /// Members that tell of the buffer at an index.
    void recordBuffer(NS::UInteger index, CommandRecord& record, CaptureSession& session) const;

    /// Another number whenever something else is bound.
    std::uint64_t changes() const { return changes_; }

    const Names& names;

private:
    bool isInRange(const char* call, NS::UInteger index, NS::UInteger limit);
    void findBound(const PipelineFunction& function, const metal_executor::Kernel& kernel, BoundResources& bound) const;

    std::string fillBuffer(const PipelineFunction& function, const PipelineFunction::Argument& argument,
                           void*& slot) const;
    std::string fillTexture(const PipelineFunction& function, const PipelineFunction::Argument& argument,
                            void*& slot) const;
    std::string fillSampler(const PipelineFunction& function, const PipelineFunction::Argument& argument,
                            void*& slot) const;
    std::string fillFunctionTable(const PipelineFunction& function, const PipelineFunction::Argument& argument,
                                  void*& slot) const;

    EncoderPart& encoder_;
    std::uint64_t changes_ = 0;
    std::array<Buffer, bufferCount> buffers_;
    std::array<const FunctionTableObject*, bufferCount> functionTables_{};
    std::array<const TextureObject*, textureCount> textures_{};
    std::array<Sampler, samplerCount> samplers_;
};

/// Empty, or why a texture cannot be bound to an argument: "the texture at index 0 is ...".
std::string textureMistake(const TextureObject* texture, NS::UInteger index, const protocol::Argument& facts,
                           const protocol::LibraryReply& reply);

}  // namespace metal_objects
