// SPDX-License-Identifier: MIT

#include "thread_state.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <vector>

#include "fault_signals.hpp"
#include "process.hpp"

namespace metal_executor {
namespace {

constexpr std::size_t signalStackBytes = 128 << 10;  // the frame alone is 11 KiB with AMX

// A signal handler must not be the first to touch a thread's dynamic TLS (that allocates), so this one is in the static
// block, which every thread has from its start.
[[gnu::tls_model("initial-exec")]] constinit thread_local ThreadState* current = nullptr;

struct Registry {
    std::mutex mutex;
    std::vector<ThreadState*> threads;
};

Registry& registry() {
    // Never destroyed: threads still end after static destructors have run.
    static Registry& instance = *[] {
        auto* made = new Registry;
        onFork([] { registry().mutex.lock(); }, [] { registry().mutex.unlock(); },
               [] {
                   std::erase_if(registry().threads, [](ThreadState* state) { return state != current; });
                   if (current) {
                       current->thread = static_cast<pid_t>(syscall(SYS_gettid));
                       current->isInterrupted = false;
                   }
                   registry().mutex.unlock();
               });
        return made;
    }();
    return instance;
}

}  // namespace

GrowingBlock::~GrowingBlock() {
    if (address_) munmap(address_, size_);
}

void* GrowingBlock::reserve(std::uint64_t bytes) {
    if (bytes <= size_ && address_) return address_;
    constexpr std::uint64_t unit = 64 << 10;
    if (bytes > UINT64_MAX / 2) return nullptr;
    const std::uint64_t size = (std::max<std::uint64_t>(bytes, 1) + unit - 1) / unit * unit;
    void* address = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (address == MAP_FAILED) return nullptr;
    if (address_) munmap(address_, size_);
    address_ = address;
    size_ = size;
    return address_;
}

ThreadState::ThreadState() : thread(static_cast<pid_t>(syscall(SYS_gettid))) {
    // A thread may have a stack for signals already (Python's main thread with faulthandler): leave it that one.
    stack_t present{};
    if (sigaltstack(nullptr, &present) == 0 && (present.ss_flags & SS_DISABLE)) {
        void* memory =
            mmap(nullptr, signalStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
        if (memory != MAP_FAILED) {
            signalStack_ = static_cast<std::byte*>(memory);
            stack_t ours{};
            ours.ss_sp = memory;
            ours.ss_size = signalStackBytes;
            sigaltstack(&ours, nullptr);
        }
    }
    Registry& all = registry();
    std::lock_guard lock(all.mutex);
    all.threads.push_back(this);
    current = this;
}

ThreadState::~ThreadState() {
    Registry& all = registry();
    {
        std::lock_guard lock(all.mutex);
        std::erase(all.threads, this);
        current = nullptr;
    }
    if (!signalStack_) return;
    stack_t present{};
    if (sigaltstack(nullptr, &present) == 0 && present.ss_sp == signalStack_) {
        stack_t none{};
        none.ss_flags = SS_DISABLE;
        sigaltstack(&none, nullptr);
    }
    munmap(signalStack_, signalStackBytes);
}

ThreadState& threadState() {
    if (current) return *current;
    thread_local ThreadState state;
    return state;
}

ThreadState* existingThreadState() {
    return current;
}

bool interruptThreads(const void* work, const Stoppable* run) {
    Registry& all = registry();
    std::lock_guard lock(all.mutex);
    bool found = false;
    for (ThreadState* state : all.threads) {
        const bool isMeant = (work && state->work.load() == work) || (run && state->sharedRun.load() == run);
        if (!isMeant || state == current) continue;
        found = true;
        if (state->isInterrupted.exchange(true)) continue;
        if (syscall(SYS_tgkill, getpid(), state->thread.load(), stopSignal()) != 0) state->isInterrupted = false;
    }
    return found;
}

}  // namespace metal_executor
