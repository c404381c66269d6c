// SPDX-License-Identifier: MIT

#pragma once

#include "runtime.hpp"

namespace metal_objects {

/// A descriptor's property that Metal declares `copy`: set by a copy of what is given, and a copy of the descriptor has
/// a copy of its own.
template <class Public>
class Copied {
public:
    Copied() = default;
    Copied(const Copied& other) : Copied() { *this = other.get(); }
    Copied& operator=(const Copied& other) { return *this = other.get(); }
    Copied& operator=(const Public* object) {
        if (object != get()) object_ = object ? NS::TransferPtr(object->copy()) : NS::SharedPtr<Public>();
        return *this;
    }

    Public* get() const { return object_.get(); }
    /// The object, made if there is none yet.
    Public* made() {
        if (!object_) object_ = NS::TransferPtr(Public::alloc()->init());
        return get();
    }

private:
    NS::SharedPtr<Public> object_;
};

}  // namespace metal_objects
