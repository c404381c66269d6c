// SPDX-License-Identifier: MIT
//
// Commits that cost less than handing the commands over, where the device can.

#pragma once

#include <Metal/Metal.hpp>
#include <functional>

namespace mtlpy::portable {

/// Commits for a thread that waits next, which may run the commands itself; without the GIL.
void commitAndRun(MTL::CommandBuffer* commandBuffer);

/// Before the commit, where `canWait`: what any thread calls, without the GIL, when the command buffer ends.
void atEnd(MTL::CommandBuffer* commandBuffer, std::function<void()> function);

}  // namespace mtlpy::portable
