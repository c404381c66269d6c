// SPDX-License-Identifier: MIT

#pragma once

#include "../Foundation/Foundation.hpp"

namespace MTL {

enum Mutability : NS::UInteger {
    MutabilityDefault = 0,
    MutabilityMutable = 1,
    MutabilityImmutable = 2,
};

enum ShaderValidation : NS::Integer {
    ShaderValidationDefault = 0,
    ShaderValidationEnabled = 1,
    ShaderValidationDisabled = 2,
};

/// Whether a function may count on a buffer's contents to stay as they are.
class PipelineBufferDescriptor : public NS::Copying<PipelineBufferDescriptor> {
public:
    static PipelineBufferDescriptor* alloc();
    PipelineBufferDescriptor* init();
    Mutability mutability() const;
    void setMutability(Mutability mutability);
};

/// One for each buffer index, made when it is first asked for.
class PipelineBufferDescriptorArray : public NS::Referencing<PipelineBufferDescriptorArray> {
public:
    static PipelineBufferDescriptorArray* alloc();
    PipelineBufferDescriptorArray* init();
    PipelineBufferDescriptor* object(NS::UInteger bufferIndex);

    /// Null puts a new one there.
    void setObject(const PipelineBufferDescriptor* buffer, NS::UInteger bufferIndex);
};

}  // namespace MTL
