// SPDX-License-Identifier: MIT

#include "collections.hpp"
#include "reflection.hpp"

namespace metal_objects {

namespace {

template <class Public>
class TypeOf final : public Implements<Public>, public TypePart {
public:
    using TypePart::TypePart;

private:
    NS::String* describe() const override { return autoreleasedString(facts().name); }
};

class PointerTypeObject final : public Implements<MTL::PointerType>, public TypePart {
public:
    /// `index` is the pointer's own type, or the element's where no type of the library is this pointer.
    PointerTypeObject(Reply reply, std::uint32_t index, std::uint32_t element, MTL::BindingAccess access)
        : TypePart(std::move(reply), index), element(element), access(access) {}

    const std::uint32_t element;
    const MTL::BindingAccess access;
};

class MemberObject final : public Implements<MTL::StructMember> {
public:
    MemberObject(Reply reply, const protocol::Member& facts) : reply(std::move(reply)), facts(facts) {}

    const Reply reply;
    const protocol::Member& facts;
};

NS::SharedPtr<MTL::StructMember> makeMember(const Reply& reply, const protocol::Member& member) {
    return NS::TransferPtr<MTL::StructMember>(new MemberObject(reply, member));
}

MTL::DataType dataTypeAt(const Reply& reply, std::uint32_t index) {
    return index == protocol::noType ? MTL::DataTypeNone : static_cast<MTL::DataType>(reply->types[index].dataType);
}

/// The element of an array or pointer when it is of kind `dataType`.
template <class Class>
Class* elementOfKind(const TypePart* type, MTL::DataType dataType) {
    return typeOfKind<Class>(type->reply, type->facts().element, dataType);
}

}  // namespace

MTL::Type* makeType(const Reply& reply, std::uint32_t index) {
    if (index == protocol::noType) return nullptr;
    const protocol::Type& type = reply->types[index];
    switch (static_cast<MTL::DataType>(type.dataType)) {
        case MTL::DataTypeStruct:
            return new TypeOf<MTL::StructType>(reply, index);
        case MTL::DataTypeArray:
            return new TypeOf<MTL::ArrayType>(reply, index);
        case MTL::DataTypeTexture:
            return new TypeOf<MTL::TextureReferenceType>(reply, index);
        case MTL::DataTypePointer:
            return new PointerTypeObject(reply, index, type.element, static_cast<MTL::BindingAccess>(type.access));
        default:
            return new TypeOf<MTL::Type>(reply, index);
    }
}

MTL::PointerType* pointerTo(const Reply& reply, std::uint32_t element, MTL::BindingAccess access) {
    if (element == protocol::noType) return nullptr;
    auto* pointer = new PointerTypeObject(reply, element, element, access);
    return pointer->autorelease();
}

}  // namespace metal_objects

using metal_objects::as;
using metal_objects::MemberObject;
using metal_objects::part;
using metal_objects::PointerTypeObject;
using metal_objects::typeOfKind;
using metal_objects::TypePart;

namespace MTL {

DataType Type::dataType() const {
    if (dynamic_cast<const PointerTypeObject*>(this) != nullptr) return DataTypePointer;
    return static_cast<DataType>(part<TypePart>(this)->facts().dataType);
}

// ---- StructMember, StructType ----

NS::UInteger StructMember::argumentIndex() const {
    const std::uint32_t index = as<MemberObject>(this)->facts.argumentIndex;
    return index != protocol::noType ? index : 0;
}

DataType StructMember::dataType() const {
    const auto* member = as<MemberObject>(this);
    return metal_objects::dataTypeAt(member->reply, member->facts.type);
}

NS::String* StructMember::name() const {
    return metal_objects::autoreleasedString(as<MemberObject>(this)->facts.name);
}

NS::UInteger StructMember::offset() const {
    return as<MemberObject>(this)->facts.offset;
}

ArrayType* StructMember::arrayType() {
    const auto* member = as<MemberObject>(this);
    return typeOfKind<ArrayType>(member->reply, member->facts.type, DataTypeArray);
}

PointerType* StructMember::pointerType() {
    const auto* member = as<MemberObject>(this);
    return typeOfKind<PointerType>(member->reply, member->facts.type, DataTypePointer);
}

StructType* StructMember::structType() {
    const auto* member = as<MemberObject>(this);
    return typeOfKind<StructType>(member->reply, member->facts.type, DataTypeStruct);
}

TextureReferenceType* StructMember::textureReferenceType() {
    const auto* member = as<MemberObject>(this);
    return typeOfKind<TextureReferenceType>(member->reply, member->facts.type, DataTypeTexture);
}

StructMember* StructType::memberByName(const NS::String* name) {
    const auto* type = part<TypePart>(this);
    for (const auto& member : type->facts().members) {
        if (member.name == metal_objects::view(name)) {
            return metal_objects::shared(metal_objects::makeMember(type->reply, member));
        }
    }
    return nullptr;
}

NS::Array* StructType::members() const {
    const auto* type = part<TypePart>(this);
    std::vector<NS::SharedPtr<StructMember>> members;
    for (const auto& member : type->facts().members) {
        members.push_back(metal_objects::makeMember(type->reply, member));
    }
    return metal_objects::makeArray(members)->autorelease();
}

// ---- ArrayType ----

NS::UInteger ArrayType::argumentIndexStride() const {
    return 1;
}
NS::UInteger ArrayType::arrayLength() const {
    return part<TypePart>(this)->facts().arrayLength;
}
NS::UInteger ArrayType::stride() const {
    return part<TypePart>(this)->facts().stride;
}

DataType ArrayType::elementType() const {
    const auto* type = part<TypePart>(this);
    return metal_objects::dataTypeAt(type->reply, type->facts().element);
}

ArrayType* ArrayType::elementArrayType() {
    return metal_objects::elementOfKind<ArrayType>(part<TypePart>(this), DataTypeArray);
}

PointerType* ArrayType::elementPointerType() {
    return metal_objects::elementOfKind<PointerType>(part<TypePart>(this), DataTypePointer);
}

StructType* ArrayType::elementStructType() {
    return metal_objects::elementOfKind<StructType>(part<TypePart>(this), DataTypeStruct);
}

TextureReferenceType* ArrayType::elementTextureReferenceType() {
    return metal_objects::elementOfKind<TextureReferenceType>(part<TypePart>(this), DataTypeTexture);
}

// ---- PointerType ----

BindingAccess PointerType::access() const {
    return as<PointerTypeObject>(this)->access;
}

NS::UInteger PointerType::alignment() const {
    const auto* pointer = as<PointerTypeObject>(this);
    return pointer->element != protocol::noType ? pointer->reply->types[pointer->element].alignment : 0;
}

NS::UInteger PointerType::dataSize() const {
    const auto* pointer = as<PointerTypeObject>(this);
    return pointer->element != protocol::noType ? pointer->reply->types[pointer->element].size : 0;
}

bool PointerType::elementIsArgumentBuffer() const {
    return false;
}

DataType PointerType::elementType() const {
    const auto* pointer = as<PointerTypeObject>(this);
    return metal_objects::dataTypeAt(pointer->reply, pointer->element);
}

ArrayType* PointerType::elementArrayType() {
    const auto* pointer = as<PointerTypeObject>(this);
    return typeOfKind<ArrayType>(pointer->reply, pointer->element, DataTypeArray);
}

StructType* PointerType::elementStructType() {
    const auto* pointer = as<PointerTypeObject>(this);
    return typeOfKind<StructType>(pointer->reply, pointer->element, DataTypeStruct);
}

// ---- TextureReferenceType ----

BindingAccess TextureReferenceType::access() const {
    return static_cast<BindingAccess>(part<TypePart>(this)->facts().access);
}

bool TextureReferenceType::isDepthTexture() const {
    return part<TypePart>(this)->facts().isDepthTexture;
}

DataType TextureReferenceType::textureDataType() const {
    return static_cast<DataType>(part<TypePart>(this)->facts().textureDataType);
}

TextureType TextureReferenceType::textureType() const {
    return static_cast<TextureType>(part<TypePart>(this)->facts().textureType);
}

}  // namespace MTL

namespace MTL::Portable {

Type* elementType(const Type* type) {
    if (const auto* pointer = dynamic_cast<const PointerTypeObject*>(type)) {
        Type* element = metal_objects::makeType(pointer->reply, pointer->element);
        return element != nullptr ? element->autorelease() : nullptr;
    }
    const auto* facts = part<TypePart>(type);
    Type* element = metal_objects::makeType(facts->reply, facts->facts().element);
    return element != nullptr ? element->autorelease() : nullptr;
}

Type* memberType(const StructMember* member) {
    const auto* facts = as<MemberObject>(member);
    Type* type = metal_objects::makeType(facts->reply, facts->facts.type);
    return type != nullptr ? type->autorelease() : nullptr;
}

NS::String* name(const Type* type) {
    return metal_objects::autoreleasedString(part<TypePart>(type)->facts().name);
}
NS::UInteger size(const Type* type) {
    return part<TypePart>(type)->facts().size;
}
NS::UInteger alignment(const Type* type) {
    return part<TypePart>(type)->facts().alignment;
}

}  // namespace MTL::Portable
