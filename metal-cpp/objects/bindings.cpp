// SPDX-License-Identifier: MIT

#include "../MetalPortable/MetalPortable.hpp"
#include "collections.hpp"
#include "reflection.hpp"

namespace metal_objects {

namespace {

template <class Public>
class ArgumentOf final : public Implements<Public>, public ArgumentPart {
public:
    using ArgumentPart::ArgumentPart;

private:
    NS::String* describe() const override { return autoreleasedString(facts.typeText + " " + facts.name); }
};

NS::SharedPtr<NS::Object> makeBinding(const FunctionObject* function, std::size_t at,
                                      const metal_executor::Kernel* kernel) {
    switch (function->facts().arguments[at].kind) {
        case protocol::ArgumentKind::buffer:
            return NS::TransferPtr<NS::Object>(new ArgumentOf<MTL::BufferBinding>(function, at, kernel));
        case protocol::ArgumentKind::texture:
            return NS::TransferPtr<NS::Object>(new ArgumentOf<MTL::TextureBinding>(function, at, kernel));
        case protocol::ArgumentKind::threadgroupMemory:
            return NS::TransferPtr<NS::Object>(new ArgumentOf<MTL::ThreadgroupBinding>(function, at, kernel));
        default:
            return NS::TransferPtr<NS::Object>(new ArgumentOf<MTL::Binding>(function, at, kernel));
    }
}

const ArgumentPart* of(const NS::Object* object) {
    return part<ArgumentPart>(object);
}

bool isBuffer(const ArgumentPart* argument) {
    return argument->facts.kind == protocol::ArgumentKind::buffer;
}

MTL::BindingType bindingType(const ArgumentPart* argument) {
    switch (argument->facts.kind) {
        case protocol::ArgumentKind::buffer:
            return MTL::BindingTypeBuffer;
        case protocol::ArgumentKind::texture:
            return MTL::BindingTypeTexture;
        case protocol::ArgumentKind::threadgroupMemory:
            return MTL::BindingTypeThreadgroupMemory;
        case protocol::ArgumentKind::functionTable:
            return MTL::BindingTypeVisibleFunctionTable;
        default:
            return MTL::BindingTypeSampler;
    }
}

MTL::PointerType* bufferPointer(const ArgumentPart* argument) {
    if (!isBuffer(argument)) return nullptr;
    return pointerTo(argument->reply, argument->facts.type, static_cast<MTL::BindingAccess>(argument->facts.access));
}

MTL::StructType* bufferStruct(const ArgumentPart* argument) {
    if (!isBuffer(argument)) return nullptr;
    return typeOfKind<MTL::StructType>(argument->reply, argument->facts.type, MTL::DataTypeStruct);
}

// Facts of the argument's type, of no use (zero) without one.
NS::UInteger typeSize(const ArgumentPart* argument) {
    return argument->type() ? argument->type()->size : 0;
}
NS::UInteger typeAlignment(const ArgumentPart* argument) {
    return argument->type() ? argument->type()->alignment : 0;
}
MTL::DataType dataType(const ArgumentPart* argument) {
    return argument->type() ? static_cast<MTL::DataType>(argument->type()->dataType) : MTL::DataTypeNone;
}
MTL::DataType textureDataType(const ArgumentPart* argument) {
    return argument->type() ? static_cast<MTL::DataType>(argument->type()->textureDataType) : MTL::DataTypeNone;
}
MTL::TextureType textureType(const ArgumentPart* argument) {
    return argument->type() ? static_cast<MTL::TextureType>(argument->type()->textureType) : MTL::TextureType1D;
}
bool isDepth(const ArgumentPart* argument) {
    return argument->type() && argument->type()->isDepthTexture;
}

bool containsWord(std::string_view text, std::string_view word) {
    const auto isLetter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !isLetter(text[at - 1])) && (end == text.size() || !isLetter(text[end]))) return true;
    }
    return false;
}

}  // namespace

NS::Array* makeBindings(const FunctionObject* function, const metal_executor::Kernel* kernel) {
    std::vector<NS::SharedPtr<NS::Object>> bindings;
    bindings.reserve(function->facts().arguments.size());
    for (std::size_t i = 0; i < function->facts().arguments.size(); ++i)
        bindings.push_back(makeBinding(function, i, kernel));
    return makeArray(bindings);
}

NS::Array* makeArguments(const FunctionObject* function, const metal_executor::Kernel* kernel) {
    std::vector<NS::SharedPtr<NS::Object>> arguments;
    arguments.reserve(function->facts().arguments.size());
    for (std::size_t i = 0; i < function->facts().arguments.size(); ++i) {
        arguments.push_back(NS::TransferPtr<NS::Object>(new ArgumentOf<MTL::Argument>(function, i, kernel)));
    }
    return makeArray(arguments);
}

}  // namespace metal_objects

using namespace metal_objects;

namespace MTL {

// ---- Argument ----

BindingAccess Argument::access() const {
    return static_cast<BindingAccess>(of(this)->facts.access);
}
NS::UInteger Argument::arrayLength() const {
    return of(this)->facts.arrayLength;
}
NS::UInteger Argument::bufferAlignment() const {
    return isBuffer(of(this)) ? typeAlignment(of(this)) : 0;
}
NS::UInteger Argument::bufferDataSize() const {
    return isBuffer(of(this)) ? typeSize(of(this)) : 0;
}
DataType Argument::bufferDataType() const {
    return isBuffer(of(this)) ? metal_objects::dataType(of(this)) : DataTypeNone;
}
PointerType* Argument::bufferPointerType() const {
    return bufferPointer(of(this));
}
StructType* Argument::bufferStructType() const {
    return bufferStruct(of(this));
}
NS::UInteger Argument::index() const {
    return of(this)->facts.index;
}
bool Argument::isActive() const {
    return of(this)->isUsed;
}
bool Argument::isDepthTexture() const {
    return isDepth(of(this));
}
NS::String* Argument::name() const {
    return autoreleasedString(of(this)->facts.name);
}
DataType Argument::textureDataType() const {
    return metal_objects::textureDataType(of(this));
}
TextureType Argument::textureType() const {
    return metal_objects::textureType(of(this));
}
NS::UInteger Argument::threadgroupMemoryAlignment() const {
    return isBuffer(of(this)) ? 0 : typeAlignment(of(this));
}
NS::UInteger Argument::threadgroupMemoryDataSize() const {
    return isBuffer(of(this)) ? 0 : typeSize(of(this));
}
ArgumentType Argument::type() const {
    return static_cast<ArgumentType>(bindingType(of(this)));
}

// ---- Binding ----

BindingAccess Binding::access() const {
    return static_cast<BindingAccess>(of(this)->facts.access);
}
NS::UInteger Binding::index() const {
    return of(this)->facts.index;
}
bool Binding::isArgument() const {
    return of(this)->isPresent;
}
bool Binding::isUsed() const {
    return of(this)->isUsed;
}
NS::String* Binding::name() const {
    return autoreleasedString(of(this)->facts.name);
}
BindingType Binding::type() const {
    return bindingType(of(this));
}

NS::UInteger BufferBinding::bufferAlignment() const {
    return typeAlignment(of(this));
}
NS::UInteger BufferBinding::bufferDataSize() const {
    return typeSize(of(this));
}
DataType BufferBinding::bufferDataType() const {
    return metal_objects::dataType(of(this));
}
PointerType* BufferBinding::bufferPointerType() const {
    return bufferPointer(of(this));
}
StructType* BufferBinding::bufferStructType() const {
    return bufferStruct(of(this));
}

NS::UInteger ThreadgroupBinding::threadgroupMemoryAlignment() const {
    return typeAlignment(of(this));
}
NS::UInteger ThreadgroupBinding::threadgroupMemoryDataSize() const {
    return typeSize(of(this));
}

NS::UInteger TextureBinding::arrayLength() const {
    return of(this)->facts.arrayLength;
}
bool TextureBinding::isDepthTexture() const {
    return isDepth(of(this));
}
DataType TextureBinding::textureDataType() const {
    return metal_objects::textureDataType(of(this));
}
TextureType TextureBinding::textureType() const {
    return metal_objects::textureType(of(this));
}

}  // namespace MTL

namespace MTL::Portable {

NS::String* typeText(const Binding* binding) {
    return autoreleasedString(of(binding)->facts.typeText);
}

NS::String* addressSpace(const Binding* binding) {
    const ArgumentPart* argument = of(binding);
    if (argument->facts.kind == protocol::ArgumentKind::threadgroupMemory) return autoreleasedString("threadgroup");
    if (!isBuffer(argument)) return autoreleasedString("");
    return autoreleasedString(containsWord(argument->facts.typeText, "constant") ? "constant" : "device");
}

bool isReference(const Binding* binding) {
    return of(binding)->facts.isReference;
}
NS::String* condition(const Binding* binding) {
    return autoreleasedString(of(binding)->facts.condition);
}
NS::UInteger arrayLength(const Binding* binding) {
    return of(binding)->facts.arrayLength;
}

Type* type(const Binding* binding) {
    const ArgumentPart* argument = of(binding);
    if (argument->facts.kind == protocol::ArgumentKind::sampler) return nullptr;
    Type* type = makeType(argument->reply, argument->facts.type);
    return type != nullptr ? type->autorelease() : nullptr;
}

NS::Array* bindings(const Function* function) {
    return makeBindings(as<FunctionObject>(function))->autorelease();
}

}  // namespace MTL::Portable
