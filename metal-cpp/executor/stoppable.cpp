// SPDX-License-Identifier: MIT

#include "stoppable.hpp"

#include <chrono>
#include <thread>
#include <utility>

#include "fault_signals.hpp"
#include "kernel.hpp"
#include "thread_state.hpp"

namespace metal_executor {

void Stoppable::fail(Fault fault) {
    if (fault.message.empty()) describe(fault);
    {
        std::lock_guard lock(mutex_);
        if (!fault_) fault_ = std::move(fault);
    }
    failed_ = true;
    // A signal is ignored where jumping would be unsafe, so until all have left, again.
    while (interruptThreads(nullptr, this)) std::this_thread::sleep_for(std::chrono::microseconds(100));
}

Fault Stoppable::fault() const {
    std::lock_guard lock(mutex_);
    return fault_;
}

TakingPart::TakingPart(ThreadState& state, const Stoppable& work, const void* owner) : state_(state) {
    state.run = &work;
    state.sharedRun = &work;
    state.work = owner;
}

TakingPart::~TakingPart() {
    state_.work = nullptr;
    state_.sharedRun = nullptr;
    state_.run = nullptr;
}

Fault takeFault(ThreadState& state) {
    Fault fault;
    fault.kind = std::exchange(state.faultKind, FaultKind::none);
    if (fault.kind == FaultKind::none) return fault;
    fault.kernel = state.kernel->name();
    if (fault.kind != FaultKind::stopped) {
        fault.addressKnown = state.faultAddressKnown;
        fault.address = state.faultAddress;
        fault.isWrite = state.faultIsWrite;
    }
    return fault;
}

}  // namespace metal_executor
