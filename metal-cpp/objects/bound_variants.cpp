// SPDX-License-Identifier: MIT

#include "bound_variants.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace metal_objects {

namespace {

// A kernel that meets more combinations than this is meant for any.
constexpr std::size_t mostVariants = 16;
// Of the general code's time, before the compiler's is worth it.
constexpr double worthNanoseconds = 2e6;
// Of a thread, as long as nobody has measured one.
constexpr double likelyNanoseconds = 5;

}  // namespace

BoundPolicy boundPolicy() {
    const char* text = std::getenv("MTLPY_BOUND_CODE");
    const std::string_view word = text != nullptr ? text : "";
    return word == "never" ? BoundPolicy::never : word == "now" ? BoundPolicy::now : BoundPolicy::background;
}

BoundVariants::Entry* BoundVariants::entry(const KernelPointer& general, const BoundResources& bound) {
    const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& known) {
        return known.general == general && known.bound == bound;
    });
    return found == entries_.end() ? nullptr : &*found;
}

BoundVariants::Found BoundVariants::find(const KernelPointer& general, const BoundResources& bound, double threads) {
    std::lock_guard lock(mutex_);
    Entry* known = entry(general, bound);
    const bool isNew = known == nullptr;
    if (isNew) {
        if (entries_.size() >= mostVariants) return {};
        known = &entries_.emplace_back(Entry{general, bound, nullptr});
    }
    if (known->isSettled) return {known->kernel};
    const double measured = general->nanosecondsPerThread();
    known->nanoseconds += threads * (measured > 0 ? measured : likelyNanoseconds);
    if (isNew) return {nullptr, Next::look};
    if (known->nanoseconds < worthNanoseconds) return {};
    known->isSettled = true;  // others need not ask again
    return {nullptr, Next::compile};
}

void BoundVariants::set(const KernelPointer& general, const BoundResources& bound, KernelPointer kernel) {
    std::lock_guard lock(mutex_);
    Entry* known = entry(general, bound);
    if (known == nullptr) return;
    known->kernel = std::move(kernel);
    known->isSettled = true;
}

}  // namespace metal_objects
