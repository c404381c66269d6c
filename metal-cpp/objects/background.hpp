// SPDX-License-Identifier: MIT
//
// Work that nobody waits for, one piece after the other, on a thread that lives while there is some.

#pragma once

#include <functional>

namespace metal_objects {

/// Runs `work` some time, or never: what has not begun when the process ends is dropped, and what was asked for before
/// a fork is not done in the child. What it autoreleases ends with it.
void runInBackground(std::function<void()> work);

/// For work that can stop early: the process ends, and waits for it.
bool isBackgroundEnding();

}  // namespace metal_objects
