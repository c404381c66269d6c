// SPDX-License-Identifier: MIT

#include "fault.hpp"

#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <mutex>

#include "fault_signals.hpp"
#include "kernel.hpp"
#include "process.hpp"
#include "stoppable.hpp"
#include "thread_state.hpp"

namespace metal_executor {
namespace {

constexpr int faultSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
constexpr int faultSignalCount = 4;

std::mutex installing;
std::atomic<int> chosenStopSignal = 0;

// Handlers that were there before. Written while `installing` is held; a slot is written once and then published by
// `latest`, so that a signal handler never reads one that is being changed.
constexpr int maxGenerations = 16;
struct sigaction earlier[maxGenerations][faultSignalCount];
std::atomic<int> latest[faultSignalCount] = {-1, -1, -1, -1};

[[gnu::tls_model("initial-exec")]] constinit thread_local int chaining = 0;

int indexOf(int signal) {
    for (int i = 0; i < faultSignalCount; ++i) {
        if (faultSignals[i] == signal) return i;
    }
    return -1;
}

FaultKind kindOf(int signal) {
    switch (signal) {
        case SIGBUS:
            return FaultKind::busError;
        case SIGFPE:
            return FaultKind::arithmetic;
        case SIGILL:
            return FaultKind::illegalInstruction;
        default:
            return FaultKind::invalidAddress;
    }
}

std::uintptr_t programCounter(const ucontext_t& context) {
#if defined(__x86_64__)
    return static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
    return context.uc_mcontext.pc;
#else
#error "say here where this processor keeps its program counter"
#endif
}

bool wasWrite([[maybe_unused]] const ucontext_t& context) {
#if defined(__x86_64__)
    return (context.uc_mcontext.gregs[REG_ERR] & 2) != 0;
#else
    return false;
#endif
}

void restoreDefault(int signal) {
    struct sigaction standard{};
    standard.sa_handler = SIG_DFL;
    sigaction(signal, &standard, nullptr);
}

// Not a kernel's: whoever was here before decides.
void chain(int signal, siginfo_t* info, void* context) {
    const int index = indexOf(signal);
    const int generation = latest[index].load(std::memory_order_acquire);
    const struct sigaction* before = generation < 0 ? nullptr : &earlier[generation][index];
    // An earlier handler that raises the signal again to reach *its* predecessor may come back here.
    const bool isLoop = chaining != 0;
    const bool isDefault = !before || before->sa_handler == SIG_DFL || before->sa_handler == SIG_IGN;
    if (isLoop || isDefault) {
        restoreDefault(signal);
        // A fault happens again on return and ends the process properly; a signal that was sent must be sent again.
        if (info->si_code <= 0) raise(signal);
        return;
    }
    ++chaining;
    if (before->sa_flags & SA_SIGINFO) {
        before->sa_sigaction(signal, info, context);
    } else {
        before->sa_handler(signal);
    }
    --chaining;
}

// The jump doesn't take back what was blocked for the handler, so that is done here.
[[noreturn]] void leaveKernel(ThreadState& state, FaultKind kind, const ucontext_t& context) {
    state.inKernel = false;
    state.faultKind = kind;
    pthread_sigmask(SIG_SETMASK, &context.uc_sigmask, nullptr);
    siglongjmp(state.jump, 1);
}

void onFault(int signal, siginfo_t* info, void* data) {
    ThreadState* state = existingThreadState();
    const auto& context = *static_cast<const ucontext_t*>(data);
    // A handler installed after this one (faulthandler) hands a kernel's fault on by raising it again.
    const bool isRaised = info->si_code == SI_TKILL && info->si_pid == getpid();
    if (state && state->inKernel && (info->si_code > 0 || isRaised)) {
        // Anything below the dispatcher's call is the kernel's doing, be it in a function of the C library.
        state->faultAddressKnown = !isRaised && info->si_code != SI_KERNEL;
        state->faultAddress = state->faultAddressKnown ? reinterpret_cast<std::uintptr_t>(info->si_addr) : 0;
        state->faultIsWrite = wasWrite(context);
        leaveKernel(*state, kindOf(signal), context);
    }
    chain(signal, info, data);
}

void onStop(int, siginfo_t*, void* data) {
    ThreadState* state = existingThreadState();
    if (!state) return;
    state->isInterrupted = false;
    if (!state->inKernel || !state->run->shouldStop()) return;
    // Elsewhere the thread may hold a lock, of the C library or of another signal's handler. The sender tries again.
    const auto& context = *static_cast<const ucontext_t*>(data);
    if (!state->kernel->contains(programCounter(context))) return;
    leaveKernel(*state, FaultKind::stopped, context);
}

struct sigaction ourAction(void (*handler)(int, siginfo_t*, void*)) {
    struct sigaction action{};
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    return action;
}

void installStopHandler() {
    if (chosenStopSignal.load() != 0) return;
    for (int signal = SIGRTMAX - 1; signal > SIGRTMIN; --signal) {
        struct sigaction present{};
        if (sigaction(signal, nullptr, &present) != 0 || present.sa_handler != SIG_DFL) continue;
        struct sigaction ours = ourAction(onStop);
        ours.sa_flags |= SA_RESTART;
        sigaction(signal, &ours, nullptr);
        chosenStopSignal = signal;
        return;
    }
}

const char* phraseOf(FaultKind kind) {
    switch (kind) {
        case FaultKind::none:
            return "no error";
        case FaultKind::invalidAddress:
            return "invalid memory access";
        case FaultKind::busError:
            return "memory access without storage behind it";
        case FaultKind::arithmetic:
            return "arithmetic exception";
        case FaultKind::illegalInstruction:
            return "illegal instruction";
        case FaultKind::stopped:
            return "execution was stopped";
        case FaultKind::outOfMemory:
            return "out of memory for a worker's scratch";
        case FaultKind::forked:
            return forkedMessage;
        case FaultKind::hostError:
            return "error in a host function";
        case FaultKind::badDispatch:
            return "invalid size of an indirect dispatch";
    }
    return "unknown error";
}

}  // namespace

int stopSignal() {
    return chosenStopSignal.load();
}

void describe(Fault& fault) {
    std::string text;
    if (!fault.kernel.empty()) text = "kernel " + fault.kernel + ": ";
    text += phraseOf(fault.kind);
    if (fault.addressKnown) {
        char address[40];
        std::snprintf(address, sizeof address, " at address 0x%llx", static_cast<unsigned long long>(fault.address));
        text += address;
    }
    fault.message = std::move(text);
}

void installFaultHandlers() {
    static const bool forkSafe = [] {
        onFork([] { installing.lock(); }, [] { installing.unlock(); }, [] { installing.unlock(); });
        return true;
    }();
    (void)forkSafe;
    std::lock_guard lock(installing);
    installStopHandler();
    for (int i = 0; i < faultSignalCount; ++i) {
        struct sigaction present{};
        if (sigaction(faultSignals[i], nullptr, &present) != 0) continue;
        if ((present.sa_flags & SA_SIGINFO) && present.sa_sigaction == onFault) continue;
        // Somebody who keeps taking the signals back wins in the end; a faulting kernel is then theirs to deal with.
        const int generation = latest[i].load(std::memory_order_relaxed) + 1;
        if (generation >= maxGenerations) continue;
        earlier[generation][i] = present;
        latest[i].store(generation, std::memory_order_release);
        struct sigaction ours = ourAction(onFault);
        ours.sa_flags |= SA_NODEFER;  // an earlier handler may raise the signal again, or fault
        sigaction(faultSignals[i], &ours, nullptr);
    }
}

}  // namespace metal_executor
