// SPDX-License-Identifier: MIT

#include "threads.hpp"

#include <pthread.h>
#include <sched.h>
#include <signal.h>

#include <memory>
#include <string>
#include <system_error>
#include <utility>

#include "fault_signals.hpp"

namespace metal_executor {
namespace {

constexpr std::size_t stackBytes = 8 << 20;
// A kernel whose frames are larger than a page must not step over the guard into another thread's stack.
constexpr std::size_t guardBytes = 1 << 20;

// Faults must reach the thread that makes them, and a kernel must be stoppable.
void blockSignals() {
    sigset_t set;
    sigfillset(&set);
    for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGPROF}) sigdelset(&set, signal);
    if (stopSignal() != 0) sigdelset(&set, stopSignal());
    pthread_sigmask(SIG_SETMASK, &set, nullptr);
}

struct Start {
    const char* name;
    std::function<void()> run;
};

void* begin(void* data) {
    const std::unique_ptr<Start> start(static_cast<Start*>(data));
    pthread_setname_np(pthread_self(), start->name);
    blockSignals();
    start->run();
    return nullptr;
}

}  // namespace

void startThread(const char* name, std::function<void()> function) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, stackBytes);
    pthread_attr_setguardsize(&attributes, guardBytes);
    auto start = std::make_unique<Start>(name, std::move(function));
    // Blocked before the thread exists, so that no signal finds it with the program's mask.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    const int error = pthread_create(&thread, &attributes, begin, start.get());
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    pthread_attr_destroy(&attributes);
    if (error != 0) throw std::system_error(error, std::generic_category(), std::string("cannot start ") + name);
    static_cast<void>(start.release());  // begin() has it
}

void leaveProcessor(int processor) {
    cpu_set_t allowed;
    if (sched_getcpu() != processor || sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
    cpu_set_t others = allowed;
    CPU_CLR(processor, &others);
    if (CPU_COUNT(&others) == 0 || sched_setaffinity(0, sizeof others, &others) != 0) return;
    sched_setaffinity(0, sizeof allowed, &allowed);
}

}  // namespace metal_executor
