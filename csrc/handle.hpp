// SPDX-License-Identifier: MIT
//
// Ownership. A Python object of a Metal class *is* the Metal object: nanobind's instance holds its address and one
// reference, given back when the Python object goes. While it lives, every function that returns the same Metal object
// returns the same Python object, so `queue.device is device`.

#pragma once

#include <nanobind/nanobind.h>
#include <Foundation/Foundation.hpp>

#include "gil.hpp"
#include "live.hpp"

namespace mtlpy {

namespace nb = nanobind;

namespace portable {
/// Makes what Metal's validation would say in this thread a ValidationError. Cheap; nothing on a Mac.
void enterThread();
}  // namespace portable

/// One more reference to a borrowed object; null stays null.
template <class T>
NS::SharedPtr<T> shared(T* object) {
    return object ? NS::RetainPtr(object) : NS::SharedPtr<T>();
}

/// Takes over the reference that a `new...`, `alloc` or `copy` method returned.
template <class T>
NS::SharedPtr<T> owned(T* object) {
    return NS::TransferPtr(object);
}

/// Collects what Metal autoreleases during one call from Python: a notebook's threads have no pool of their own.
class AutoreleaseScope {
public:
    AutoreleaseScope() : pool_(NS::AutoreleasePool::alloc()->init()) { portable::enterThread(); }
    ~AutoreleaseScope() { pool_->release(); }
    AutoreleaseScope(const AutoreleaseScope&) = delete;
    AutoreleaseScope& operator=(const AutoreleaseScope&) = delete;

private:
    NS::AutoreleasePool* pool_;
};

/// For every `def` that reaches Metal.
inline constexpr nb::call_guard<AutoreleaseScope> pooled;

/// For a `def` that may take long: the pool, and the GIL released. Nothing in it may touch Python.
inline constexpr nb::call_guard<AutoreleaseScope, ReleasedGil> unlocked;

}  // namespace mtlpy

namespace nanobind::detail {

/// Returns of Metal objects; null becomes None. Arguments are plain references and pointers.
template <class T>
struct type_caster<NS::SharedPtr<T>> {
    static constexpr auto Name = make_caster<T>::Name;

    static handle from_cpp(const NS::SharedPtr<T>& value, rv_policy, cleanup_list*) noexcept {
        T* object = value.get();
        if (!object) return none().release();
        handle result = make_caster<T>::from_cpp(object, rv_policy::none, nullptr);
        if (result.is_valid()) return result;
        PyErr_Clear();
        result = make_caster<T>::from_cpp(object, rv_policy::reference, nullptr);
        if (result.is_valid()) {
            object->retain();
            if constexpr (mtlpy::live::isListed<T>) mtlpy::live::note(object, &mtlpy::live::find<T>);
            keep_alive_cb(result, object, [](void* held) noexcept {
                mtlpy::AutoreleaseScope scope;
                if constexpr (mtlpy::live::isListed<T>) mtlpy::live::forget(held);
                static_cast<T*>(held)->release();
            });
        }
        return result;
    }
};

}  // namespace nanobind::detail
