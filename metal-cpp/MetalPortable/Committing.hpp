// SPDX-License-Identifier: MIT
//
// Part of MetalPortable: commits that cost less than handing the commands over to another thread.

#pragma once

#include <Metal/Metal.hpp>

#include <functional>

namespace MTL::Portable {

/// CommandBuffer::commit() for a thread that waits for the end: it runs the commands itself where nothing is in front
/// of them and they are known to be over soon. It must then still wait.
void commitAndRun(CommandBuffer* commandBuffer);

/// Called on the thread that ends the command buffer, before anyone sees that it has ended; to be given before the
/// commit. Must be short. A completed handler is called on a thread of its own, which takes longer.
void atEnd(CommandBuffer* commandBuffer, std::function<void()> function);

}  // namespace MTL::Portable
