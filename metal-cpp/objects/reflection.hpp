// SPDX-License-Identifier: MIT
//
// Arguments and their types, as Metal's classes show them. All are views of the compiler's answer.

#pragma once

#include "../executor/kernel.hpp"
#include "library.hpp"

namespace metal_objects {

/// A type of a library: all that its public classes have in common.
class TypePart {
public:
    TypePart(Reply reply, std::uint32_t index) : reply(std::move(reply)), index(index) {}
    virtual ~TypePart() = default;

    const protocol::Type& facts() const { return reply->types[index]; }

    const Reply reply;
    const std::uint32_t index;
};

/// +1; a StructType, ArrayType, PointerType, TextureReferenceType or Type. Null for protocol::noType.
MTL::Type* makeType(const Reply& reply, std::uint32_t index);

/// Not owned by the caller. Null unless the type is of kind `dataType`.
template <class Class>
Class* typeOfKind(const Reply& reply, std::uint32_t index, MTL::DataType dataType) {
    if (index == protocol::noType || reply->types[index].dataType != static_cast<std::uint32_t>(dataType))
        return nullptr;
    return static_cast<Class*>(makeType(reply, index)->autorelease());
}

/// What an argument that is a pointer or reference shows as its type. Not owned by the caller.
MTL::PointerType* pointerTo(const Reply& reply, std::uint32_t element, MTL::BindingAccess access);

/// An argument of a function: all that Argument and the kinds of Binding have in common.
class ArgumentPart {
public:
    /// `kernel` is the function's code, where there is some: it knows best what it reads.
    ArgumentPart(const FunctionObject* function, std::size_t at, const metal_executor::Kernel* kernel)
        : function(NS::RetainPtr(const_cast<FunctionObject*>(function))),
          reply(function->library->reply),
          facts(function->facts().arguments[at]),
          isPresent(function->isPresent(facts)),
          isUsed(isPresent && facts.isUsed && (kernel == nullptr || kernel->readsSlot(facts.slot))) {}
    virtual ~ArgumentPart() = default;

    const protocol::Type* type() const { return facts.type != protocol::noType ? &reply->types[facts.type] : nullptr; }

    const NS::SharedPtr<FunctionObject> function;  // which holds the facts
    const Reply reply;
    const protocol::Argument& facts;
    const bool isPresent;
    const bool isUsed;
};

NS::Array* makeBindings(const FunctionObject* function, const metal_executor::Kernel* kernel = nullptr);   // +1
NS::Array* makeArguments(const FunctionObject* function, const metal_executor::Kernel* kernel = nullptr);  // +1

}  // namespace metal_objects
