// SPDX-License-Identifier: MIT

#pragma once

#include "../Foundation/Foundation.hpp"
#include "MTLDataType.hpp"
#include "MTLTexture.hpp"

namespace MTL {

class ArrayType;
class PointerType;
class StructMember;
class StructType;
class TextureReferenceType;
class Type;

enum IndexType : NS::UInteger {
    IndexTypeUInt16 = 0,
    IndexTypeUInt32 = 1,
};

enum BindingType : NS::Integer {
    BindingTypeBuffer = 0,
    BindingTypeThreadgroupMemory = 1,
    BindingTypeTexture = 2,
    BindingTypeSampler = 3,
    BindingTypeImageblockData = 16,
    BindingTypeImageblock = 17,
    BindingTypeVisibleFunctionTable = 24,
    BindingTypePrimitiveAccelerationStructure = 25,
    BindingTypeInstanceAccelerationStructure = 26,
    BindingTypeIntersectionFunctionTable = 27,
    BindingTypeObjectPayload = 34,
    BindingTypeTensor = 37,
};

enum ArgumentType : NS::UInteger {
    ArgumentTypeBuffer = 0,
    ArgumentTypeThreadgroupMemory = 1,
    ArgumentTypeTexture = 2,
    ArgumentTypeSampler = 3,
    ArgumentTypeImageblockData = 16,
    ArgumentTypeImageblock = 17,
    ArgumentTypeVisibleFunctionTable = 24,
    ArgumentTypePrimitiveAccelerationStructure = 25,
    ArgumentTypeInstanceAccelerationStructure = 26,
    ArgumentTypeIntersectionFunctionTable = 27,
};

enum BindingAccess : NS::UInteger {
    BindingAccessReadOnly = 0,
    BindingAccessReadWrite = 1,
    BindingAccessWriteOnly = 2,
    ArgumentAccessReadOnly = 0,
    ArgumentAccessReadWrite = 1,
    ArgumentAccessWriteOnly = 2,
};

class Type : public NS::Referencing<Type> {
public:
    DataType dataType() const;
};

class StructMember : public NS::Referencing<StructMember> {
public:
    NS::UInteger argumentIndex() const;

    /// Null unless dataType() is DataTypeArray; the other types likewise.
    ArrayType* arrayType();

    DataType dataType() const;
    NS::String* name() const;
    NS::UInteger offset() const;
    PointerType* pointerType();
    StructType* structType();
    TextureReferenceType* textureReferenceType();
};

class StructType : public NS::Referencing<StructType, Type> {
public:
    /// Null when there is none.
    StructMember* memberByName(const NS::String* name);

    NS::Array* members() const;
};

class ArrayType : public NS::Referencing<ArrayType, Type> {
public:
    NS::UInteger argumentIndexStride() const;
    NS::UInteger arrayLength() const;
    ArrayType* elementArrayType();
    PointerType* elementPointerType();
    StructType* elementStructType();
    TextureReferenceType* elementTextureReferenceType();
    DataType elementType() const;
    NS::UInteger stride() const;
};

class PointerType : public NS::Referencing<PointerType, Type> {
public:
    BindingAccess access() const;
    NS::UInteger alignment() const;
    NS::UInteger dataSize() const;
    ArrayType* elementArrayType();
    bool elementIsArgumentBuffer() const;
    StructType* elementStructType();
    DataType elementType() const;
};

class TextureReferenceType : public NS::Referencing<TextureReferenceType, Type> {
public:
    BindingAccess access() const;
    bool isDepthTexture() const;
    DataType textureDataType() const;
    TextureType textureType() const;
};

/// An argument of a function, as ComputePipelineReflection::arguments() tells it. Bindings tell the same.
class Argument : public NS::Referencing<Argument> {
public:
    BindingAccess access() const;
    NS::UInteger arrayLength() const;
    NS::UInteger bufferAlignment() const;
    NS::UInteger bufferDataSize() const;
    DataType bufferDataType() const;
    PointerType* bufferPointerType() const;
    StructType* bufferStructType() const;
    NS::UInteger index() const;
    bool isActive() const;
    bool isDepthTexture() const;
    NS::String* name() const;
    DataType textureDataType() const;
    TextureType textureType() const;
    NS::UInteger threadgroupMemoryAlignment() const;
    NS::UInteger threadgroupMemoryDataSize() const;
    ArgumentType type() const;
};

/// An argument of a function: a BufferBinding, ThreadgroupBinding or TextureBinding, by type(). Of samplers there is no
/// more to say.
class Binding : public NS::Referencing<Binding> {
public:
    BindingAccess access() const;
    NS::UInteger index() const;
    bool isArgument() const;
    bool isUsed() const;
    NS::String* name() const;
    BindingType type() const;
};

class BufferBinding : public NS::Referencing<BufferBinding, Binding> {
public:
    NS::UInteger bufferAlignment() const;
    NS::UInteger bufferDataSize() const;
    DataType bufferDataType() const;
    PointerType* bufferPointerType() const;
    StructType* bufferStructType() const;
};

class ThreadgroupBinding : public NS::Referencing<ThreadgroupBinding, Binding> {
public:
    NS::UInteger threadgroupMemoryAlignment() const;
    NS::UInteger threadgroupMemoryDataSize() const;
};

class TextureBinding : public NS::Referencing<TextureBinding, Binding> {
public:
    NS::UInteger arrayLength() const;
    bool isDepthTexture() const;
    DataType textureDataType() const;
    TextureType textureType() const;
};

}  // namespace MTL
