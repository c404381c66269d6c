// SPDX-License-Identifier: MIT
//
// What a compiled function says of its arguments, as plain data that outlives Metal's objects.

#pragma once

#include <Metal/Metal.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "handle.hpp"

namespace mtlpy {

struct TypeInfo;

struct MemberInfo {
    std::string name;
    std::uint64_t offset = 0;
    std::optional<std::uint64_t> argumentIndex;  // [[id(n)]] of an argument buffer
    std::shared_ptr<TypeInfo> type;
};

struct TypeInfo {
    MTL::DataType dataType = MTL::DataTypeNone;
    std::string name;
    std::uint64_t size = 0, alignment = 0;
    std::vector<MemberInfo> members;    // Struct
    std::shared_ptr<TypeInfo> element;  // Array, Pointer
    std::uint64_t arrayLength = 0, stride = 0;
    MTL::BindingAccess access = MTL::BindingAccessReadOnly;
};

struct ArgumentInfo {
    std::string name;
    MTL::BindingType kind = MTL::BindingTypeBuffer;
    std::uint64_t index = 0;
    MTL::BindingAccess access = MTL::BindingAccessReadOnly;
    bool isUsed = true;
    std::uint64_t arrayLength = 1;
    std::shared_ptr<TypeInfo> type;
    std::uint64_t size = 0, alignment = 0;
    std::optional<MTL::TextureType> textureType;
    std::optional<MTL::DataType> textureDataType;
    bool isDepthTexture = false;
    // What Apple's reflection doesn't say; the software device does.
    std::optional<bool> isReference;
    std::optional<std::string> typeText, addressSpace;
    std::string condition;
};

/// Of a function before any pipeline is made; the software device alone tells it.
struct FunctionInfo {
    std::string name;
    MTL::FunctionType functionType = MTL::FunctionTypeKernel;
    std::string signature, comment;
    std::uint64_t line = 0, maxTotalThreads = 0;
    std::string userAnnotation;
    std::vector<std::shared_ptr<ArgumentInfo>> arguments;
    std::vector<std::string> constants;
};

using Arguments = std::vector<std::shared_ptr<ArgumentInfo>>;

/// An array of MTL::Binding, as a pipeline's reflection has it; empty for null.
Arguments readArguments(const NS::Array* bindings);

}  // namespace mtlpy
