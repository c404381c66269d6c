// SPDX-License-Identifier: MIT

#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "NSDefines.hpp"

namespace NS {

/// Owns one reference to an object, or is null. Made by RetainPtr or TransferPtr.
template <class _Class>
class SharedPtr {
    template <class _Other>
    using Convertible = std::enable_if_t<std::is_convertible_v<_Other*, _Class*>>;

public:
    SharedPtr() = default;
    SharedPtr(std::nullptr_t) noexcept {}
    SharedPtr(const SharedPtr& other) noexcept : object_(retained(other.object_)) {}
    SharedPtr(SharedPtr&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}

    template <class _OtherClass, class = Convertible<_OtherClass>>
    SharedPtr(const SharedPtr<_OtherClass>& other) noexcept : object_(retained(other.get())) {}

    template <class _OtherClass, class = Convertible<_OtherClass>>
    SharedPtr(SharedPtr<_OtherClass>&& other) noexcept : object_(other.get()) {
        other.detach();
    }

    ~SharedPtr() { reset(); }

    SharedPtr& operator=(const SharedPtr& other) {
        SharedPtr(other).swap(*this);
        return *this;
    }
    SharedPtr& operator=(SharedPtr&& other) {
        SharedPtr(std::move(other)).swap(*this);
        return *this;
    }
    template <class _OtherClass, class = Convertible<_OtherClass>>
    SharedPtr& operator=(const SharedPtr<_OtherClass>& other) {
        SharedPtr(other).swap(*this);
        return *this;
    }
    template <class _OtherClass, class = Convertible<_OtherClass>>
    SharedPtr& operator=(SharedPtr<_OtherClass>&& other) {
        SharedPtr(std::move(other)).swap(*this);
        return *this;
    }

    /// Still owned by this pointer.
    _Class* get() const { return object_; }
    _Class* operator->() const { return object_; }
    explicit operator bool() const { return object_ != nullptr; }

    /// Releases the object and becomes null.
    void reset() {
        if (_Class* object = std::exchange(object_, nullptr)) object->release();
    }

    /// Becomes null without releasing the object.
    void detach() { object_ = nullptr; }

private:
    template <class _OtherClass>
    friend SharedPtr<_OtherClass> RetainPtr(_OtherClass* object);
    template <class _OtherClass>
    friend SharedPtr<_OtherClass> TransferPtr(_OtherClass* object);

    static _Class* retained(_Class* object) {
        if (object != nullptr) object->retain();
        return object;
    }
    void swap(SharedPtr& other) { std::swap(object_, other.object_); }

    _Class* object_ = nullptr;
};

/// A pointer with a reference of its own; the caller keeps the one it has.
template <class _Class>
SharedPtr<_Class> RetainPtr(_Class* object) {
    SharedPtr<_Class> pointer;
    pointer.object_ = SharedPtr<_Class>::retained(object);
    return pointer;
}

/// A pointer that takes over the caller's reference.
template <class _Class>
SharedPtr<_Class> TransferPtr(_Class* object) {
    SharedPtr<_Class> pointer;
    pointer.object_ = object;
    return pointer;
}

template <class _ClassLhs, class _ClassRhs>
bool operator==(const SharedPtr<_ClassLhs>& left, const SharedPtr<_ClassRhs>& right) {
    return left.get() == right.get();
}

}  // namespace NS
