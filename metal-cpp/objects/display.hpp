// SPDX-License-Identifier: MIT
//
// The clock of the display that this device has none of: calls that come at their time, from a thread of their own.

#pragma once

#include <functional>

namespace metal_objects {

/// Seconds between two pictures of a display.
inline constexpr double refreshPeriod = 1.0 / 60;

/// Calls `function` at `time`, in seconds of the steady clock; soon where that is over. In order of their times, those
/// of one time in the order in which they came.
void callAt(double time, std::function<void()> function);

}  // namespace metal_objects
