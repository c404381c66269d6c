// SPDX-License-Identifier: MIT

#include "known_by_id.hpp"

#include <atomic>

namespace metal_objects {

std::uint64_t nextResourceID() {
    static std::atomic<std::uint64_t> next = 0x4d544c0001;
    return next.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace metal_objects
