// SPDX-License-Identifier: MIT

#include "threads.hpp"

#include <pthread.h>
#include <signal.h>

#include <thread>
#include <utility>

#include "fault_signals.hpp"

namespace metal_executor {
namespace {

// Faults must reach the thread that makes them, and a kernel must be stoppable.
void blockSignals() {
    sigset_t set;
    sigfillset(&set);
    for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGPROF}) sigdelset(&set, signal);
    if (stopSignal() != 0) sigdelset(&set, stopSignal());
    pthread_sigmask(SIG_SETMASK, &set, nullptr);
}

}  // namespace

void startThread(const char* name, std::function<void()> function) {
    // Blocked before the thread exists, so that no signal finds it with the program's mask.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
        std::thread([name, run = std::move(function)] {
            pthread_setname_np(pthread_self(), name);
            blockSignals();
            run();
        }).detach();
    } catch (...) {
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
        throw;
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace metal_executor
