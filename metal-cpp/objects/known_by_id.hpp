// SPDX-License-Identifier: MIT
//
// Objects that memory names by a number: kernels hand these numbers on, right or wrong, so that none may be taken for
// an address.

#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <unordered_map>

#include "../executor/process.hpp"
#include "runtime.hpp"

namespace metal_objects {

/// Numbers are never given twice, nor to objects of two classes.
std::uint64_t nextResourceID();

template <class Object>
class KnownByID {
public:
    /// The object's number, until remove().
    static std::uint64_t add(Object* object) {
        KnownByID& known = shared();
        const std::uint64_t id = nextResourceID();
        std::lock_guard lock(known.mutex_);
        known.objects_[id] = object;
        return id;
    }
    static void remove(std::uint64_t id) {
        KnownByID& known = shared();
        std::lock_guard lock(known.mutex_);
        known.objects_.erase(id);
    }
    /// Null when there is none, or its last reference has gone.
    static NS::SharedPtr<Object> find(std::uint64_t id) {
        KnownByID& known = shared();
        std::lock_guard lock(known.mutex_);
        const auto found = known.objects_.find(id);
        if (found == known.objects_.end() || !found->second->tryRetain()) return {};
        return NS::TransferPtr(found->second);
    }

private:
    static KnownByID& shared() {
        static KnownByID* const known = [] {
            auto* made = new KnownByID;  // outlives every object
            metal_executor::onFork([] { shared().mutex_.lock(); }, [] { shared().mutex_.unlock(); },
                                   [] { shared().mutex_.unlock(); });
            return made;
        }();
        return *known;
    }

    std::mutex mutex_;
    std::unordered_map<std::uint64_t, Object*> objects_;
};

}  // namespace metal_objects
