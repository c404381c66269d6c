// SPDX-License-Identifier: MIT
//
// Descriptors that belong to another one: by index, or alone.

#pragma once

#include <array>

#include "error.hpp"
#include "join.hpp"
#include "runtime.hpp"

namespace metal_objects {

/// Descriptors by index, made when they are first asked for.
template <class Public, class Element, NS::UInteger Count = 31>
class DescriptorArrayOf final : public Implements<Public> {
public:
    static constexpr NS::UInteger count = Count;

    Element* at(NS::UInteger index, const char* call) {
        if (!isInRange(index, call)) return nullptr;
        if (!elements_[index]) elements_[index] = NS::TransferPtr(new Element);
        return elements_[index].get();
    }
    void set(const Element* element, NS::UInteger index, const char* call) {
        if (!isInRange(index, call)) return;
        elements_[index] = NS::TransferPtr(element ? new Element(element->values) : new Element);
    }
    /// Null where nobody ever asked for one.
    const Element* find(NS::UInteger index) const { return elements_[index].get(); }

    void copyFrom(const DescriptorArrayOf& other) {
        for (NS::UInteger i = 0; i < count; ++i) {
            elements_[i] = other.elements_[i] ? NS::TransferPtr(new Element(other.elements_[i]->values))
                                              : NS::SharedPtr<Element>();
        }
    }

private:
    static bool isInRange(NS::UInteger index, const char* call) {
        if (index < count) return true;
        reportMistake(join(call, ": index (", index, ") must be < ", count));
        return false;
    }

    std::array<NS::SharedPtr<Element>, count> elements_;
};

/// What one descriptor has of another kind: a copy of the descriptor has a copy of it.
template <class Object>
class Owned {
public:
    Owned() : object_(NS::TransferPtr(new Object)) {}
    Owned(const Owned& other) : Owned() { *this = other; }
    /// The object stays the same, since the program may hold it.
    Owned& operator=(const Owned& other) {
        if constexpr (requires { object_->values; }) {
            object_->values = other.object_->values;
        } else {
            object_->copyFrom(*other.object_.get());
        }
        return *this;
    }
    /// Null: by a new one.
    void replace(const Object* by) { object_ = NS::TransferPtr(by ? new Object(by->values) : new Object); }

    Object* get() const { return object_.get(); }
    Object* operator->() const { return object_.get(); }

private:
    NS::SharedPtr<Object> object_;
};

}  // namespace metal_objects
