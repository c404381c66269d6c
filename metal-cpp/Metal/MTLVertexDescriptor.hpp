// SPDX-License-Identifier: MIT

#pragma once

#include "../Foundation/Foundation.hpp"

namespace MTL {

class VertexAttributeDescriptor;
class VertexBufferLayoutDescriptor;

enum VertexFormat : NS::UInteger {
    VertexFormatInvalid = 0,
    VertexFormatUChar2 = 1,
    VertexFormatUChar3 = 2,
    VertexFormatUChar4 = 3,
    VertexFormatChar2 = 4,
    VertexFormatChar3 = 5,
    VertexFormatChar4 = 6,
    VertexFormatUChar2Normalized = 7,
    VertexFormatUChar3Normalized = 8,
    VertexFormatUChar4Normalized = 9,
    VertexFormatChar2Normalized = 10,
    VertexFormatChar3Normalized = 11,
    VertexFormatChar4Normalized = 12,
    VertexFormatUShort2 = 13,
    VertexFormatUShort3 = 14,
    VertexFormatUShort4 = 15,
    VertexFormatShort2 = 16,
    VertexFormatShort3 = 17,
    VertexFormatShort4 = 18,
    VertexFormatUShort2Normalized = 19,
    VertexFormatUShort3Normalized = 20,
    VertexFormatUShort4Normalized = 21,
    VertexFormatShort2Normalized = 22,
    VertexFormatShort3Normalized = 23,
    VertexFormatShort4Normalized = 24,
    VertexFormatHalf2 = 25,
    VertexFormatHalf3 = 26,
    VertexFormatHalf4 = 27,
    VertexFormatFloat = 28,
    VertexFormatFloat2 = 29,
    VertexFormatFloat3 = 30,
    VertexFormatFloat4 = 31,
    VertexFormatInt = 32,
    VertexFormatInt2 = 33,
    VertexFormatInt3 = 34,
    VertexFormatInt4 = 35,
    VertexFormatUInt = 36,
    VertexFormatUInt2 = 37,
    VertexFormatUInt3 = 38,
    VertexFormatUInt4 = 39,
    VertexFormatInt1010102Normalized = 40,
    VertexFormatUInt1010102Normalized = 41,
    VertexFormatUChar4Normalized_BGRA = 42,
    VertexFormatUChar = 45,
    VertexFormatChar = 46,
    VertexFormatUCharNormalized = 47,
    VertexFormatCharNormalized = 48,
    VertexFormatUShort = 49,
    VertexFormatShort = 50,
    VertexFormatUShortNormalized = 51,
    VertexFormatShortNormalized = 52,
    VertexFormatHalf = 53,
    VertexFormatFloatRG11B10 = 54,
    VertexFormatFloatRGB9E5 = 55,
};

/// Which element of its buffer a vertex fetches.
enum VertexStepFunction : NS::UInteger {
    VertexStepFunctionConstant = 0,
    VertexStepFunctionPerVertex = 1,
    VertexStepFunctionPerInstance = 2,
    VertexStepFunctionPerPatch = 3,
    VertexStepFunctionPerPatchControlPoint = 4,
};

/// A layout's stride that is set with the buffer: see RenderCommandEncoder::setVertexBuffer().
static const NS::UInteger BufferLayoutStrideDynamic = NS::UIntegerMax;

/// How the elements of a buffer follow one another.
class VertexBufferLayoutDescriptor : public NS::Copying<VertexBufferLayoutDescriptor> {
public:
    static VertexBufferLayoutDescriptor* alloc();
    VertexBufferLayoutDescriptor* init();
    void setStepFunction(VertexStepFunction stepFunction);

    /// So many instances share an element; 1 for VertexStepFunctionPerVertex, 0 for VertexStepFunctionConstant.
    void setStepRate(NS::UInteger stepRate);

    /// Bytes from one element to the next.
    void setStride(NS::UInteger stride);

    VertexStepFunction stepFunction() const;
    NS::UInteger stepRate() const;
    NS::UInteger stride() const;
};

/// One layout for each buffer index; those never asked for have stride 0.
class VertexBufferLayoutDescriptorArray : public NS::Referencing<VertexBufferLayoutDescriptorArray> {
public:
    static VertexBufferLayoutDescriptorArray* alloc();
    VertexBufferLayoutDescriptorArray* init();
    VertexBufferLayoutDescriptor* object(NS::UInteger index);

    /// Null puts a new one there.
    void setObject(const VertexBufferLayoutDescriptor* bufferDesc, NS::UInteger index);
};

/// Where a member with `[[attribute(n)]]` comes from.
class VertexAttributeDescriptor : public NS::Copying<VertexAttributeDescriptor> {
public:
    static VertexAttributeDescriptor* alloc();
    NS::UInteger bufferIndex() const;
    VertexFormat format() const;
    VertexAttributeDescriptor* init();

    /// Bytes from the start of an element.
    NS::UInteger offset() const;

    void setBufferIndex(NS::UInteger bufferIndex);
    void setFormat(VertexFormat format);
    void setOffset(NS::UInteger offset);
};

/// One descriptor for each attribute index; those never asked for have VertexFormatInvalid.
class VertexAttributeDescriptorArray : public NS::Referencing<VertexAttributeDescriptorArray> {
public:
    static VertexAttributeDescriptorArray* alloc();
    VertexAttributeDescriptorArray* init();
    VertexAttributeDescriptor* object(NS::UInteger index);

    /// Null puts a new one there.
    void setObject(const VertexAttributeDescriptor* attributeDesc, NS::UInteger index);
};

/// Where a vertex function's `[[stage_in]]` comes from.
class VertexDescriptor : public NS::Copying<VertexDescriptor> {
public:
    static VertexDescriptor* alloc();
    VertexAttributeDescriptorArray* attributes() const;
    VertexDescriptor* init();
    VertexBufferLayoutDescriptorArray* layouts() const;
    void reset();

    /// Not owned by the caller.
    static VertexDescriptor* vertexDescriptor();
};

}  // namespace MTL
