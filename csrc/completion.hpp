// SPDX-License-Identifier: MIT
//
// The end of a command buffer, seen from Python: waits that Ctrl-C can interrupt, and callbacks. Metal calls `finish`
// on a thread of its own, from a handler that owns the Completion.

#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "handle.hpp"

namespace mtlpy {

/// A reference to a Python object that any thread may drop; after the interpreter's end it is leaked.
using PythonReference = std::shared_ptr<PyObject>;
PythonReference reference(nb::handle object);

/// Callbacks from Metal's threads into Python: `enter` is false when the interpreter is about to end. Between a true
/// `enter` and `leave` it doesn't end.
class PythonGate {
public:
    static bool enter();
    static void leave();
    /// Waits for the callbacks that are in Python and lets no more in. Called once, at exit, without the GIL.
    static void close();
    /// Before a thread asks for the GIL again: once another has closed the gate it stays here for ever. Python would
    /// end it by unwinding its stack, through frames that may not throw.
    static void hold();
};

class Completion {
public:
    /// Metal is through with the command buffer: runs the callbacks, then ends the waits.
    void finish();

    /// With the GIL: Metal is through with it and nobody has asked to be told, so no handler tells `finish`.
    void markFinished();

    /// Without the GIL. True when it has finished, callbacks included.
    bool waitFor(std::chrono::nanoseconds time);

    /// Whether this is a callback, which must not wait for callbacks.
    bool isCallback();

    /// With the GIL. Calls `callback(self)` when it finishes, from any thread; at once when it is done. Python's
    /// command buffer is `self`: null before the commit, so that one which is never committed is not held by its own
    /// callbacks.
    void addCallback(nb::callable callback, nb::object self);

    /// With the GIL, at the commit: whether anyone must be called, and Python's command buffer for it.
    bool hasCallbacks() const { return !callbacks_.empty(); }
    void begin(nb::object self) { self_ = std::move(self); }

private:
    void runCallbacks();

    std::mutex mutex_;
    std::condition_variable changed_;
    bool done_ = false;                  // no more callbacks are taken
    std::atomic<bool> finished_{false};  // and all have run
    std::thread::id callbackThread_;
    std::vector<nb::callable> callbacks_;
    nb::object self_;
};

}  // namespace mtlpy
