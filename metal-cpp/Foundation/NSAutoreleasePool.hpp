// SPDX-License-Identifier: MIT

#pragma once

#include "NSObject.hpp"

namespace NS {

/// Holds the objects autoreleased on this thread from its `init` on, and releases them when it is drained or released.
/// Pools nest. A thread without a pool keeps what is autoreleased on it until it ends.
class AutoreleasePool : public Object {
public:
    static AutoreleasePool* alloc();
    AutoreleasePool* init();

    /// Ends the pool, and every pool begun after it on this thread.
    void drain();
    void addObject(Object* pObject);

    /// Prints the thread's pools to the standard error stream.
    static void showPools();
};

}  // namespace NS
