// SPDX-License-Identifier: MIT

#include "argument_descriptor.hpp"

#include <algorithm>
#include <vector>

#include "error.hpp"
#include "join.hpp"

namespace metal_objects {

namespace {

struct Layout {
    std::uint64_t size = 0, alignment = 0;  // zeros: no member is of such a type
};

/// The matrices of a scalar type follow its vectors: 2x2, 2x3, ... 4x4, columns first.
Layout matrixLayout(MTL::DataType type) {
    for (const auto& [first, vector] :
         {std::pair{MTL::DataTypeFloat2x2, MTL::DataTypeFloat2}, std::pair{MTL::DataTypeHalf2x2, MTL::DataTypeHalf2}}) {
        if (type < first || type >= first + 9) continue;
        const auto step = static_cast<NS::UInteger>(type - first);
        const std::uint64_t column = sizeOfDataType(MTL::DataType(vector + step % 3));
        return {column * (2 + step / 3), column};
    }
    return {};
}

Layout layoutOf(MTL::DataType type) {
    switch (type) {
        case MTL::DataTypePointer:
        case MTL::DataTypeTexture:
        case MTL::DataTypeSampler:
        case MTL::DataTypeRenderPipeline:
        case MTL::DataTypeComputePipeline:
        case MTL::DataTypeIndirectCommandBuffer:
        case MTL::DataTypeVisibleFunctionTable:
            return {8, 8};
        default:
            break;
    }
    const std::uint64_t size = sizeOfDataType(type);
    return size != 0 ? Layout{size, size} : matrixLayout(type);
}

std::uint64_t roundUp(std::uint64_t value, std::uint64_t step) {
    return (value + step - 1) / step * step;
}

class Struct {
public:
    std::string add(const ArgumentValues& argument) {
        const Layout layout = layoutOf(argument.dataType);
        const std::uint64_t count = std::max<NS::UInteger>(argument.arrayLength, 1);
        if (layout.size == 0)
            return join("the argument of index ", argument.index, " is of MTLDataType ", argument.dataType,
                        ", which no argument buffer holds");
        if (argument.index < next_) return join("two arguments have the index ", argument.index);
        protocol::Member member;
        member.name = join("argument", argument.index);
        member.type = addType(argument, layout, count);
        const std::uint64_t alignment = std::max<std::uint64_t>(layout.alignment, argument.constantBlockAlignment);
        member.offset = roundUp(whole_.size, alignment);
        member.argumentIndex = static_cast<std::uint32_t>(argument.index);
        whole_.size = member.offset + layout.size * count;
        whole_.alignment = std::max(whole_.alignment, alignment);
        whole_.members.push_back(member);
        next_ = argument.index + count;
        return {};
    }

    Reply finish(std::uint32_t& index) {
        whole_.name = "arguments";
        whole_.dataType = MTL::DataTypeStruct;
        whole_.size = roundUp(whole_.size, std::max<std::uint64_t>(whole_.alignment, 1));
        index = static_cast<std::uint32_t>(reply_->types.size());
        reply_->types.push_back(whole_);
        return reply_;
    }

private:
    std::uint32_t addType(const ArgumentValues& argument, Layout layout, std::uint64_t count) {
        protocol::Type type;
        type.name = join("MTLDataType ", argument.dataType);
        type.dataType = static_cast<std::uint32_t>(argument.dataType);
        type.size = layout.size;
        type.alignment = layout.alignment;
        type.access = static_cast<std::uint32_t>(argument.access);
        type.textureType = static_cast<std::uint32_t>(argument.textureType);
        reply_->types.push_back(type);
        auto index = static_cast<std::uint32_t>(reply_->types.size() - 1);
        if (argument.arrayLength == 0) return index;
        protocol::Type array;
        array.name = join(type.name, "[", count, "]");
        array.dataType = MTL::DataTypeArray;
        array.size = layout.size * count;
        array.alignment = layout.alignment;
        array.element = index;
        array.arrayLength = count;
        array.stride = layout.size;
        reply_->types.push_back(array);
        return index + 1;
    }

    std::shared_ptr<protocol::LibraryReply> reply_ = std::make_shared<protocol::LibraryReply>();
    protocol::Type whole_;
    NS::UInteger next_ = 0;  // the first index that is free
};

}  // namespace

Reply structOf(const NS::Array* arguments, std::uint32_t& structIndex) {
    std::vector<ArgumentValues> sorted;
    for (NS::UInteger i = 0; arguments != nullptr && i < arguments->count(); ++i)
        sorted.push_back(as<ArgumentDescriptorObject>(arguments->object<MTL::ArgumentDescriptor>(i))->values);
    std::ranges::sort(sorted, {}, &ArgumentValues::index);
    Struct made;
    std::string mistake = sorted.empty() ? "there are no arguments" : "";
    for (const ArgumentValues& argument : sorted)
        if (mistake.empty()) mistake = made.add(argument);
    if (mistake.empty()) return made.finish(structIndex);
    reportMistake("newArgumentEncoder: " + mistake);
    return nullptr;
}

}  // namespace metal_objects

using metal_objects::ArgumentDescriptorObject;
using metal_objects::as;

namespace MTL {

ArgumentDescriptor* ArgumentDescriptor::alloc() {
    return new ArgumentDescriptorObject;
}
ArgumentDescriptor* ArgumentDescriptor::init() {
    return this;
}
ArgumentDescriptor* ArgumentDescriptor::argumentDescriptor() {
    return alloc()->init()->autorelease();
}

BindingAccess ArgumentDescriptor::access() const {
    return as<ArgumentDescriptorObject>(this)->values.access;
}
void ArgumentDescriptor::setAccess(BindingAccess access) {
    as<ArgumentDescriptorObject>(this)->values.access = access;
}

NS::UInteger ArgumentDescriptor::arrayLength() const {
    return as<ArgumentDescriptorObject>(this)->values.arrayLength;
}
void ArgumentDescriptor::setArrayLength(NS::UInteger arrayLength) {
    as<ArgumentDescriptorObject>(this)->values.arrayLength = arrayLength;
}

NS::UInteger ArgumentDescriptor::constantBlockAlignment() const {
    return as<ArgumentDescriptorObject>(this)->values.constantBlockAlignment;
}
void ArgumentDescriptor::setConstantBlockAlignment(NS::UInteger constantBlockAlignment) {
    as<ArgumentDescriptorObject>(this)->values.constantBlockAlignment = constantBlockAlignment;
}

DataType ArgumentDescriptor::dataType() const {
    return as<ArgumentDescriptorObject>(this)->values.dataType;
}
void ArgumentDescriptor::setDataType(DataType dataType) {
    as<ArgumentDescriptorObject>(this)->values.dataType = dataType;
}

NS::UInteger ArgumentDescriptor::index() const {
    return as<ArgumentDescriptorObject>(this)->values.index;
}
void ArgumentDescriptor::setIndex(NS::UInteger index) {
    as<ArgumentDescriptorObject>(this)->values.index = index;
}

TextureType ArgumentDescriptor::textureType() const {
    return as<ArgumentDescriptorObject>(this)->values.textureType;
}
void ArgumentDescriptor::setTextureType(TextureType textureType) {
    as<ArgumentDescriptorObject>(this)->values.textureType = textureType;
}

}  // namespace MTL
