// SPDX-License-Identifier: MIT

#include "reflection.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "bind.hpp"
#include "data_type.hpp"
#include "portable.hpp"
#include "text.hpp"

namespace mtlpy {

namespace {

/// How deep types may nest; a struct whose pointer points at itself would go on for ever.
constexpr int maximumDepth = 16;

using TypePointer = std::shared_ptr<TypeInfo>;

TypePointer readStruct(MTL::StructType* type, int depth);
TypePointer readArray(MTL::ArrayType* type, int depth);
TypePointer readPointer(MTL::PointerType* type, int depth);
TypePointer readTextureReference(MTL::TextureReferenceType* type);

TypePointer readScalar(MTL::DataType dataType) {
    const DataTypeFacts facts = dataTypeFacts(dataType);
    auto info = std::make_shared<TypeInfo>();
    info->dataType = dataType;
    info->name = facts.name;
    info->size = facts.size;
    info->alignment = facts.alignment;
    return info;
}

/// The type of a struct's member or of an array's element: the first description that is there, else a scalar.
TypePointer readAny(MTL::DataType dataType, MTL::StructType* structType, MTL::ArrayType* arrayType,
                    MTL::PointerType* pointerType, MTL::TextureReferenceType* textureType, int depth) {
    if (depth >= maximumDepth) return readScalar(dataType);
    if (structType) return readStruct(structType, depth);
    if (arrayType) return readArray(arrayType, depth);
    if (pointerType) return readPointer(pointerType, depth);
    if (textureType) return readTextureReference(textureType);
    return readScalar(dataType);
}

TypePointer readStruct(MTL::StructType* type, int depth) {
    auto info = std::make_shared<TypeInfo>();
    info->dataType = MTL::DataTypeStruct;
    info->alignment = 1;
    const NS::Array* members = type->members();
    for (NS::UInteger i = 0; members && i < members->count(); ++i) {
        auto* member = members->object<MTL::StructMember>(i);
        MemberInfo entry;
        entry.name = pythonText(member->name());
        entry.offset = member->offset();
        entry.type = readAny(member->dataType(), member->structType(), member->arrayType(), member->pointerType(),
                             member->textureReferenceType(), depth + 1);
        const MTL::DataType of = entry.type->dataType;
        if (of == MTL::DataTypePointer || of == MTL::DataTypeTexture || of == MTL::DataTypeSampler)
            entry.argumentIndex = member->argumentIndex();
        info->size = std::max(info->size, entry.offset + entry.type->size);
        info->alignment = std::max(info->alignment, entry.type->alignment);
        info->members.push_back(std::move(entry));
    }
    info->size = (info->size + info->alignment - 1) / info->alignment * info->alignment;
    return info;
}

TypePointer readArray(MTL::ArrayType* type, int depth) {
    auto info = std::make_shared<TypeInfo>();
    info->dataType = MTL::DataTypeArray;
    info->element = readAny(type->elementType(), type->elementStructType(), type->elementArrayType(),
                            type->elementPointerType(), type->elementTextureReferenceType(), depth + 1);
    info->arrayLength = type->arrayLength();
    info->stride = type->stride();
    info->size = info->arrayLength * info->stride;
    info->alignment = info->element->alignment;
    return info;
}

TypePointer readPointer(MTL::PointerType* type, int depth) {
    TypePointer info = readScalar(MTL::DataTypePointer);
    info->access = type->access();
    info->element =
        readAny(type->elementType(), type->elementStructType(), type->elementArrayType(), nullptr, nullptr, depth + 1);
    return info;
}

TypePointer readTextureReference(MTL::TextureReferenceType* type) {
    TypePointer info = readScalar(MTL::DataTypeTexture);
    info->access = type->access();
    return info;
}

void readBuffer(const MTL::BufferBinding* binding, ArgumentInfo& info) {
    info.size = binding->bufferDataSize();
    info.alignment = binding->bufferAlignment();
    if (MTL::PointerType* pointer = binding->bufferPointerType())
        info.type = readPointer(pointer, 0)->element;
    else if (MTL::StructType* type = binding->bufferStructType())
        info.type = readStruct(type, 0);
    else
        info.type = readScalar(binding->bufferDataType());
    if (info.type->dataType == MTL::DataTypeStruct) {  // Metal knows these better than the sum of the members
        info.type->size = info.size;
        info.type->alignment = info.alignment;
    }
}

void readTexture(const MTL::TextureBinding* binding, ArgumentInfo& info) {
    info.arrayLength = std::max<NS::UInteger>(1, binding->arrayLength());
    info.textureType = binding->textureType();
    info.textureDataType = binding->textureDataType();
    info.isDepthTexture = binding->isDepthTexture();
    info.type = readScalar(MTL::DataTypeTexture);
    info.type->access = info.access;
}

std::shared_ptr<ArgumentInfo> readBinding(const MTL::Binding* binding) {
    auto info = std::make_shared<ArgumentInfo>();
    info->name = pythonText(binding->name());
    info->kind = binding->type();
    info->index = binding->index();
    info->access = binding->access();
    info->isUsed = binding->isUsed();
    if (info->kind == MTL::BindingTypeBuffer) {
        readBuffer(static_cast<const MTL::BufferBinding*>(binding), *info);
    } else if (info->kind == MTL::BindingTypeTexture) {
        readTexture(static_cast<const MTL::TextureBinding*>(binding), *info);
    } else if (info->kind == MTL::BindingTypeThreadgroupMemory) {
        const auto* threadgroup = static_cast<const MTL::ThreadgroupBinding*>(binding);
        info->size = threadgroup->threadgroupMemoryDataSize();
        info->alignment = threadgroup->threadgroupMemoryAlignment();
    } else if (info->kind == MTL::BindingTypeSampler) {
        info->type = readScalar(MTL::DataTypeSampler);
    }
    portable::describe(binding, *info);
    return info;
}

void bindTypeInfo(nb::module_& module) {
    nb::class_<TypeInfo> type(module, "TypeInfo", "A type of Metal's language and its layout in memory.");
    nb::class_<MemberInfo>(module, "Member", "A member of a struct.")
        .def_ro("name", &MemberInfo::name, "Its name in the source.")
        .def_ro("offset", &MemberInfo::offset, "Bytes from the start of the struct.")
        .def_ro("argument_index", &MemberInfo::argumentIndex, "n of [[id(n)]] in an argument buffer.")
        .def_ro("type", &MemberInfo::type, "Its type.")
        .def("__repr__", [](const MemberInfo& self) {
            return "<Member " + self.name + " at " + std::to_string(self.offset) + ">";
        });
    type.def_ro("data_type", &TypeInfo::dataType, "Which type it is: Float4, Struct, Array, Pointer, ...")
        .def_ro("name", &TypeInfo::name, "As written in Metal's language; empty where Metal doesn't say.")
        .def_ro("size", &TypeInfo::size, "Bytes of a value.")
        .def_ro("alignment", &TypeInfo::alignment, "What its address must be a multiple of, in bytes.")
        .def_ro("members", &TypeInfo::members, "Of a struct.")
        .def_ro("element", &TypeInfo::element, "Of an array or a pointer.")
        .def_ro("array_length", &TypeInfo::arrayLength, "Elements of an array; 0 of other types.")
        .def_ro("stride", &TypeInfo::stride, "Bytes from one element of an array to the next.")
        .def_ro("access", &TypeInfo::access, "Of a pointer or a texture.")
        .def("__repr__", [](const TypeInfo& self) {
            return "<TypeInfo " + (self.name.empty() ? "of " + std::to_string(self.size) + " bytes" : self.name) + ">";
        });
}

void bindArgument(nb::module_& module) {
    nb::class_<ArgumentInfo>(module, "Argument", "An argument of a function, by reflection.")
        .def_ro("name", &ArgumentInfo::name, "Its name in the source.")
        .def_ro("kind", &ArgumentInfo::kind,
                "What is bound there: a buffer, threadgroup memory, a texture, a sampler, a table of functions.")
        .def_ro("index", &ArgumentInfo::index, "n of [[buffer(n)]], [[texture(n)]], ...")
        .def_ro("access", &ArgumentInfo::access, "Whether the function only reads it, only writes it, or does both.")
        .def_ro("is_used", &ArgumentInfo::isUsed,
                "Whether the compiled code touches it; what is not used need not be bound.")
        .def_ro("array_length", &ArgumentInfo::arrayLength, "Elements of an array of textures; else 1.")
        .def_ro("type", &ArgumentInfo::type, "What a buffer points at; a texture's or a sampler's type.")
        .def_ro("size", &ArgumentInfo::size, "Bytes of what a buffer points at, or of threadgroup memory.")
        .def_ro("alignment", &ArgumentInfo::alignment, "What its address must be a multiple of, in bytes.")
        .def_ro("texture_type", &ArgumentInfo::textureType, "Shape of the texture; None of other arguments.")
        .def_ro("texture_data_type", &ArgumentInfo::textureDataType,
                "What reading a texel gives: Float, Half, Int, UInt, ...; None of other arguments.")
        .def_ro("is_depth_texture", &ArgumentInfo::isDepthTexture,
                "Whether it is declared as a depth texture, such as `depth2d<float>`.")
        .def_ro("is_reference", &ArgumentInfo::isReference, "Whether it is a reference and no pointer; None on a Mac.")
        .def_ro("type_text", &ArgumentInfo::typeText, "The parameter's type as written; None on a Mac.")
        .def_ro("address_space", &ArgumentInfo::addressSpace,
                "\"device\", \"constant\" or \"threadgroup\"; None on a Mac.")
        .def_ro("condition", &ArgumentInfo::condition, "The constant in [[function_constant(...)]], or empty.")
        .def("__repr__", [](const ArgumentInfo& self) {
            return "<Argument " + self.name + " at index " + std::to_string(self.index) + ">";
        });
}

void bindFunctionInfo(nb::module_& module) {
    nb::class_<FunctionInfo>(module, "FunctionInfo", "A function as its source declares it; software device only.")
        .def_ro("name", &FunctionInfo::name, "Its name in the source.")
        .def_ro("function_type", &FunctionInfo::functionType, "Vertex, Fragment, Kernel, Visible or Intersection.")
        .def_ro("signature", &FunctionInfo::signature, "As written, from the return type on.")
        .def_ro("comment", &FunctionInfo::comment, "The comment above it.")
        .def_ro("line", &FunctionInfo::line, "Line of the source where it begins, from 1 on.")
        .def_ro("max_total_threads", &FunctionInfo::maxTotalThreads,
                "Of [[max_total_threads_per_threadgroup(n)]], or 0.")
        .def_ro("user_annotation", &FunctionInfo::userAnnotation, "Of [[user_annotation(\"text\")]], or empty.")
        .def_ro("arguments", &FunctionInfo::arguments, "What it takes, in order.")
        .def_ro("constants", &FunctionInfo::constants, "Names of the function constants it uses.")
        .def("__repr__", [](const FunctionInfo& self) { return "<FunctionInfo " + self.signature + ">"; });
}

}  // namespace

Arguments readArguments(const NS::Array* bindings) {
    Arguments arguments;
    for (NS::UInteger i = 0; bindings && i < bindings->count(); ++i)
        arguments.push_back(readBinding(bindings->object<MTL::Binding>(i)));
    return arguments;
}

void bindReflection(nb::module_& module) {
    bindTypeInfo(module);
    bindArgument(module);
    bindFunctionInfo(module);
}

}  // namespace mtlpy
