// SPDX-License-Identifier: MIT

#include "process.hpp"

#include <pthread.h>

#include <atomic>

namespace metal_executor {
namespace {

std::atomic<std::uint64_t> process = 1;

}  // namespace

std::uint64_t thisProcess() {
    static const bool watched = [] {
        pthread_atfork(nullptr, nullptr, [] { process.fetch_add(1, std::memory_order_relaxed); });
        return true;
    }();
    (void)watched;
    return process.load(std::memory_order_relaxed);
}

void onFork(void (*before)(), void (*inParent)(), void (*inChild)()) {
    thisProcess();  // its handler comes first, so that `inChild` sees the new number
    pthread_atfork(before, inParent, inChild);
}

}  // namespace metal_executor
