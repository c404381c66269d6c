// SPDX-License-Identifier: MIT

#include "completion.hpp"

#include <algorithm>

namespace mtlpy {

namespace {

struct Gate {
    std::mutex mutex;
    std::condition_variable left;
    int inside = 0;
    std::atomic<bool> closed = false;
    std::thread::id closer;
};

Gate& gate() {
    static Gate* instance = new Gate;  // outlives the workers, which may call during the process's exit
    return *instance;
}

void callAndReport(const nb::callable& function, const nb::object& argument) {
    try {
        function(argument);
    } catch (nb::python_error& error) {
        error.restore();
        PyErr_WriteUnraisable(function.ptr());
    }
}

/// Roughly what a sleeping thread costs to wake: shorter kernels are worth spinning for.
constexpr std::chrono::microseconds spinTime{50};

}  // namespace

PythonReference reference(nb::handle object) {
    return PythonReference(object.inc_ref().ptr(), [](PyObject* held) {
        if (!PythonGate::enter()) return;
        {
            nb::gil_scoped_acquire acquire;
            Py_DECREF(held);
        }
        PythonGate::leave();
    });
}

bool PythonGate::enter() {
    const std::lock_guard lock(gate().mutex);
    if (gate().closed) return false;
    ++gate().inside;
    return true;
}

void PythonGate::leave() {
    const std::lock_guard lock(gate().mutex);
    if (--gate().inside == 0) gate().left.notify_all();
}

void PythonGate::close() {
    std::unique_lock lock(gate().mutex);
    gate().closer = std::this_thread::get_id();
    gate().closed = true;
    gate().left.wait_for(lock, std::chrono::seconds(1), [] { return gate().inside == 0; });
}

void PythonGate::hold() {
    if (!gate().closed || gate().closer == std::this_thread::get_id()) return;
    while (true) std::this_thread::sleep_for(std::chrono::hours(1));
}

void Completion::runCallbacks() {
    std::unique_lock lock(mutex_);
    callbackThread_ = std::this_thread::get_id();
    done_ = true;
    if (callbacks_.empty()) return;
    std::vector<nb::callable> callbacks;
    callbacks.swap(callbacks_);
    nb::object self = std::move(self_);
    lock.unlock();
    if (!PythonGate::enter()) {  // the interpreter is gone: nobody may touch their counts
        for (nb::callable& callback : callbacks) callback.release();
        self.release();
        return;
    }
    {
        nb::gil_scoped_acquire acquire;
        for (const nb::callable& callback : callbacks) callAndReport(callback, self);
        callbacks.clear();
        self.reset();
    }
    PythonGate::leave();
}

void Completion::finish() {
    runCallbacks();
    {
        const std::lock_guard lock(mutex_);
        finished_.store(true, std::memory_order_release);
    }
    changed_.notify_all();
}

bool Completion::waitFor(std::chrono::nanoseconds time) {
    const auto start = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - start < std::min<std::chrono::nanoseconds>(time, spinTime)) {
        if (finished_.load(std::memory_order_acquire)) return true;
        std::this_thread::yield();
    }
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, time, [this] { return finished_.load(); });
}

bool Completion::isCallback() {
    const std::lock_guard lock(mutex_);
    return done_ && !finished_ && callbackThread_ == std::this_thread::get_id();
}

void Completion::markFinished() {
    const std::lock_guard lock(mutex_);
    done_ = finished_ = true;
}

void Completion::addCallback(nb::callable callback, nb::object self) {
    {
        const std::lock_guard lock(mutex_);
        if (!done_) {
            callbacks_.push_back(std::move(callback));
            if (self.is_valid()) self_ = std::move(self);
            return;
        }
    }
    callAndReport(callback, self);
}

}  // namespace mtlpy
