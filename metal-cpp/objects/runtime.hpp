// SPDX-License-Identifier: MIT
//
// How a class of the public headers becomes an object: a class here derives from it through Implements, which counts
// references, and adds the data. Public methods find their data with `self(this)`.

#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "../Foundation/Foundation.hpp"

namespace metal_objects {

/// `Public` with a reference count. Starts with one reference, the maker's. Classes that stand for a value override
/// hashValue and equals; those that copy override duplicate.
template <class Public>
class Implements : public Public {
public:
    static void* operator new(std::size_t size) { return ::operator new(size); }
    static void operator delete(void* memory) { ::operator delete(memory); }

    /// For those who found the object by its address: false when its last reference has gone.
    bool tryRetain() const {
        NS::UInteger count = references_.load(std::memory_order_relaxed);
        while (count != 0) {
            if (references_.compare_exchange_weak(count, count + 1, std::memory_order_relaxed)) return true;
        }
        return false;
    }

protected:
    NS::UInteger hashValue() const override { return std::hash<const void*>{}(this); }
    bool equals(const NS::Object* other) const override { return static_cast<const NS::Object*>(this) == other; }
    NS::String* describe() const override;
    /// Right for what never changes; see Copyable for the rest.
    NS::Object* duplicate() const override {
        addReference();
        return const_cast<Implements*>(this);
    }

private:
    void addReference() const final { references_.fetch_add(1, std::memory_order_relaxed); }
    void dropReference() const final {
        if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
    }
    NS::UInteger references() const final { return references_.load(std::memory_order_relaxed); }

    mutable std::atomic<NS::UInteger> references_{1};
};

NS::String* makeString(std::string_view text);  // +1
NS::String* autoreleasedString(std::string_view text);
std::string_view view(const NS::String* text);  // of null: empty
NS::String* describeByName(const char* typeName, const void* address);

template <class Public>
NS::String* Implements<Public>::describe() const {
    return describeByName(typeid(*this).name(), this);
}

/// A descriptor: `Values`, which it takes from whoever it is a copy of.
template <class Public, class Values>
class DescriptorOf final : public Implements<Public> {
public:
    DescriptorOf() = default;
    explicit DescriptorOf(const Values& values) : values(values) {}
    Values values;

private:
    NS::Object* duplicate() const override { return new DescriptorOf(values); }
};

/// A class's own object from what a public method has as `this` or is given. Null stays null.
template <class Implementation, class Public>
Implementation* as(const Public* object) {
    return static_cast<Implementation*>(const_cast<Public*>(object));
}

/// For data that several public classes share (a Buffer's and a Texture's being a Resource): the object's part of
/// class `Part`, which is not a base of `Public`.
template <class Part, class Public>
Part* part(const Public* object) {
    return dynamic_cast<Part*>(const_cast<Public*>(object));
}

/// What a method returns that keeps owning it: safe from another thread's replacing it.
template <class Class>
Class* shared(const NS::SharedPtr<Class>& pointer) {
    return pointer ? pointer->retain()->autorelease() : nullptr;
}

/// An object's label, readable and writable from any thread.
class Label {
public:
    NS::String* get() const {
        std::lock_guard lock(mutex_);
        return shared(text_);
    }
    std::string text() const {
        std::lock_guard lock(mutex_);
        return std::string(view(text_.get()));
    }
    void set(const NS::String* text) {
        auto copy = NS::RetainPtr(const_cast<NS::String*>(text));
        std::lock_guard lock(mutex_);
        text_ = std::move(copy);
    }

private:
    mutable std::mutex mutex_;
    NS::SharedPtr<NS::String> text_;
};

}  // namespace metal_objects
