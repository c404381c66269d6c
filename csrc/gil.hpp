// SPDX-License-Identifier: MIT
//
// Letting go of Python's lock while Metal works.

#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <thread>

namespace mtlpy {

/// Gives other threads of Python their turn until the end of the scope.
///
/// An interpreter that ends makes CPython before 3.14 end each daemon thread that asks for the lock, by unwinding its
/// stack (pthread_exit): out of a destructor that would abort the process. Such a thread sleeps instead, as in 3.14.
class ReleasedGil {
public:
    ReleasedGil() : state_(PyEval_SaveThread()) {}
    ~ReleasedGil() {
        try {
            PyEval_RestoreThread(state_);
        } catch (...) {
            for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
        }
    }
    ReleasedGil(const ReleasedGil&) = delete;
    ReleasedGil& operator=(const ReleasedGil&) = delete;

private:
    PyThreadState* state_;
};

}  // namespace mtlpy
