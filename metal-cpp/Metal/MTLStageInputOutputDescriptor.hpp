// SPDX-License-Identifier: MIT

#pragma once

#include "../Foundation/Foundation.hpp"
#include "MTLArgument.hpp"

namespace MTL {

class AttributeDescriptor;
class BufferLayoutDescriptor;

enum AttributeFormat : NS::UInteger {
    AttributeFormatInvalid = 0,
    AttributeFormatUChar2 = 1,
    AttributeFormatUChar3 = 2,
    AttributeFormatUChar4 = 3,
    AttributeFormatChar2 = 4,
    AttributeFormatChar3 = 5,
    AttributeFormatChar4 = 6,
    AttributeFormatUChar2Normalized = 7,
    AttributeFormatUChar3Normalized = 8,
    AttributeFormatUChar4Normalized = 9,
    AttributeFormatChar2Normalized = 10,
    AttributeFormatChar3Normalized = 11,
    AttributeFormatChar4Normalized = 12,
    AttributeFormatUShort2 = 13,
    AttributeFormatUShort3 = 14,
    AttributeFormatUShort4 = 15,
    AttributeFormatShort2 = 16,
    AttributeFormatShort3 = 17,
    AttributeFormatShort4 = 18,
    AttributeFormatUShort2Normalized = 19,
    AttributeFormatUShort3Normalized = 20,
    AttributeFormatUShort4Normalized = 21,
    AttributeFormatShort2Normalized = 22,
    AttributeFormatShort3Normalized = 23,
    AttributeFormatShort4Normalized = 24,
    AttributeFormatHalf2 = 25,
    AttributeFormatHalf3 = 26,
    AttributeFormatHalf4 = 27,
    AttributeFormatFloat = 28,
    AttributeFormatFloat2 = 29,
    AttributeFormatFloat3 = 30,
    AttributeFormatFloat4 = 31,
    AttributeFormatInt = 32,
    AttributeFormatInt2 = 33,
    AttributeFormatInt3 = 34,
    AttributeFormatInt4 = 35,
    AttributeFormatUInt = 36,
    AttributeFormatUInt2 = 37,
    AttributeFormatUInt3 = 38,
    AttributeFormatUInt4 = 39,
    AttributeFormatInt1010102Normalized = 40,
    AttributeFormatUInt1010102Normalized = 41,
    AttributeFormatUChar4Normalized_BGRA = 42,
    AttributeFormatUChar = 45,
    AttributeFormatChar = 46,
    AttributeFormatUCharNormalized = 47,
    AttributeFormatCharNormalized = 48,
    AttributeFormatUShort = 49,
    AttributeFormatShort = 50,
    AttributeFormatUShortNormalized = 51,
    AttributeFormatShortNormalized = 52,
    AttributeFormatHalf = 53,
    AttributeFormatFloatRG11B10 = 54,
    AttributeFormatFloatRGB9E5 = 55,
};

/// Which element of its buffer an invocation fetches.
enum StepFunction : NS::UInteger {
    StepFunctionConstant = 0,
    StepFunctionPerVertex = 1,
    StepFunctionPerInstance = 2,
    StepFunctionPerPatch = 3,
    StepFunctionPerPatchControlPoint = 4,
    StepFunctionThreadPositionInGridX = 5,
    StepFunctionThreadPositionInGridY = 6,
    StepFunctionThreadPositionInGridXIndexed = 7,
    StepFunctionThreadPositionInGridYIndexed = 8,
};

/// How the elements of a buffer follow one another.
class BufferLayoutDescriptor : public NS::Copying<BufferLayoutDescriptor> {
public:
    static BufferLayoutDescriptor* alloc();
    BufferLayoutDescriptor* init();
    void setStepFunction(StepFunction stepFunction);

    /// So many steps of the step function share an element. Zero for StepFunctionConstant.
    void setStepRate(NS::UInteger stepRate);

    /// Bytes from one element to the next.
    void setStride(NS::UInteger stride);

    StepFunction stepFunction() const;
    NS::UInteger stepRate() const;
    NS::UInteger stride() const;
};

/// One layout for each buffer index; those never asked for have stride 0.
class BufferLayoutDescriptorArray : public NS::Referencing<BufferLayoutDescriptorArray> {
public:
    static BufferLayoutDescriptorArray* alloc();
    BufferLayoutDescriptorArray* init();
    BufferLayoutDescriptor* object(NS::UInteger index);

    /// Null puts a new one there.
    void setObject(const BufferLayoutDescriptor* bufferDesc, NS::UInteger index);
};

/// Where a member with `[[attribute(n)]]` comes from.
class AttributeDescriptor : public NS::Copying<AttributeDescriptor> {
public:
    static AttributeDescriptor* alloc();
    NS::UInteger bufferIndex() const;
    AttributeFormat format() const;
    AttributeDescriptor* init();

    /// Bytes from the start of an element.
    NS::UInteger offset() const;

    void setBufferIndex(NS::UInteger bufferIndex);
    void setFormat(AttributeFormat format);
    void setOffset(NS::UInteger offset);
};

/// One descriptor for each attribute index; those never asked for have AttributeFormatInvalid.
class AttributeDescriptorArray : public NS::Referencing<AttributeDescriptorArray> {
public:
    static AttributeDescriptorArray* alloc();
    AttributeDescriptorArray* init();
    AttributeDescriptor* object(NS::UInteger index);

    /// Null puts a new one there.
    void setObject(const AttributeDescriptor* attributeDesc, NS::UInteger index);
};

/// Where a kernel's `[[stage_in]]` comes from.
class StageInputOutputDescriptor : public NS::Copying<StageInputOutputDescriptor> {
public:
    static StageInputOutputDescriptor* alloc();
    AttributeDescriptorArray* attributes() const;

    /// Of the buffer of indices, for the step functions that are `Indexed`.
    NS::UInteger indexBufferIndex() const;

    IndexType indexType() const;
    StageInputOutputDescriptor* init();
    BufferLayoutDescriptorArray* layouts() const;
    void reset();
    void setIndexBufferIndex(NS::UInteger indexBufferIndex);
    void setIndexType(IndexType indexType);

    /// Not owned by the caller.
    static StageInputOutputDescriptor* stageInputOutputDescriptor();
};

}  // namespace MTL
