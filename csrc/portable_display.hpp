// SPDX-License-Identifier: MIT
//
// What only the software device's layers can do: the display is memory, and one can ask whether waiting is needed.

#pragma once

#include <QuartzCore/QuartzCore.hpp>
#include <chrono>

#include "handle.hpp"

namespace mtlpy::portable {

/// What the layer's display shows, as a further drawable; null before the first, and on a Mac.
NS::SharedPtr<CA::MetalDrawable> shownDrawable(CA::MetalLayer* layer);

/// Whether nextDrawable() would return at once, after `time` at the latest. On a Mac true at once: only nextDrawable()
/// can wait there.
bool waitForDrawable(CA::MetalLayer* layer, std::chrono::nanoseconds time);

}  // namespace mtlpy::portable
