// SPDX-License-Identifier: MIT
//
// What a command buffer is made of. Memory that a command points at must live until the command buffer ends
// (CommandBuffer::keep, CommandBuffer::allocate).

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <variant>

#include "attributes.hpp"
#include "event.hpp"
#include "kernel.hpp"

namespace metal_executor {

/// Runs a kernel over a grid. `launch` must be complete; threadgroups_per_grid covers threads_per_grid.
struct Dispatch {
    std::shared_ptr<const Kernel> kernel;
    metal_launch launch{};
    /// Bytes of threadgroup memory that arguments take, after the kernel's own (static) ones.
    std::uint32_t threadgroupMemory = 0;
    /// Three sizes in threadgroups, read when the command runs, in place of `launch`'s grid; null: not indirect.
    const std::uint32_t* indirect = nullptr;
    /// What the kernel's [[stage_in]] is fetched from; null for kernels without.
    std::shared_ptr<const StageIn> stageIn;
};

/// Ranges may overlap.
struct Copy {
    void* to = nullptr;
    const void* from = nullptr;
    std::uint64_t bytes = 0;
};

/// Copies rows of images, as between buffers and textures.
struct CopyImage {
    std::uint8_t* to = nullptr;
    const std::uint8_t* from = nullptr;
    std::uint64_t rowBytes = 0, rows = 0, images = 1;
    std::uint64_t toBytesPerRow = 0, toBytesPerImage = 0;
    std::uint64_t fromBytesPerRow = 0, fromBytesPerImage = 0;
};

struct Fill {
    void* to = nullptr;
    std::uint64_t bytes = 0;
    std::uint8_t value = 0;
};

struct SignalEvent {
    std::shared_ptr<Event> event;
    std::uint64_t value = 0;
};

/// Parks the stream until the event has the value; no thread is held.
struct WaitEvent {
    std::shared_ptr<Event> event;
    std::uint64_t value = 0;
};

/// Host code, run in its turn on the thread that runs the stream. What it throws (std::exception) becomes the command
/// buffer's error. It must not wait for command buffers.
struct Call {
    std::function<void()> function;
};

/// Dispatches that are known only when the command runs: `next` fills one and returns true until there are no more. It
/// is called on the thread that runs the stream, when the dispatch before has run; what it throws is as of a Call.
struct Generate {
    std::function<bool(Dispatch&)> next;
};

namespace render {

struct RenderPass;

/// A whole render pass: see render/draw.hpp.
struct Render {
    std::shared_ptr<const RenderPass> pass;
};

}  // namespace render

using Command = std::variant<Dispatch, Copy, CopyImage, Fill, SignalEvent, WaitEvent, Call, Generate, render::Render>;

}  // namespace metal_executor
