// SPDX-License-Identifier: MIT

#include "shared_work.hpp"

#include "clock.hpp"
#include "futex.hpp"

namespace metal_executor {

void SharedWork::leave() {
    auto& word = assistants_;
    // Only the word's address is used after the last one has left.
    if (word.fetch_sub(1, std::memory_order_release) == 1) futexWake(word, 1);
}

void SharedWork::waitForAssistants() {
    for (int spins = 0;; ++spins) {
        const std::uint32_t inside = assistants_.load(std::memory_order_acquire);
        if (inside == 0) return;
        if (spins < 1000) {
            pause();
        } else {
            futexWait(assistants_, inside);
        }
    }
}

}  // namespace metal_executor
