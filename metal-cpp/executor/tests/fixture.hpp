// SPDX-License-Identifier: MIT
//
// What the executor's tests share: loading a test kernel and filling in a dispatch.

#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>

#include "../command_buffer.hpp"
#include "../stream.hpp"
#include "../worker_pool.hpp"
#include "check.hpp"

#if defined(__SANITIZE_THREAD__)
inline constexpr bool threadSanitizer = true;
#else
inline constexpr bool threadSanitizer = false;
#endif
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool addressSanitizer = true;
#else
inline constexpr bool addressSanitizer = false;
#endif

namespace fixture {

using namespace metal_executor;
using namespace std::chrono_literals;

inline std::string kernelPath(const std::string& name) {
    return std::string(KERNEL_FOLDER "/") + name + ".so";
}

inline std::shared_ptr<const Kernel> kernel(const std::string& name) {
    std::string whyNot;
    auto loaded = Kernel::loadFile(kernelPath(name), name, &whyNot);
    if (!loaded) throw std::runtime_error(whyNot);
    return loaded;
}

/// A one-dimensional dispatch; `arguments` as in metal_launch.
inline Dispatch dispatch(CommandBuffer& buffer, std::shared_ptr<const Kernel> kernel, std::uint32_t threads,
                         std::uint32_t threadsPerThreadgroup, std::initializer_list<void*> arguments) {
    auto** stored = static_cast<void**>(buffer.allocate(arguments.size() * sizeof(void*)));
    std::copy(arguments.begin(), arguments.end(), stored);
    Dispatch made;
    made.kernel = std::move(kernel);
    made.launch.arguments = stored;
    for (int axis = 0; axis < 3; ++axis) {
        made.launch.threads_per_grid[axis] = 1;
        made.launch.threads_per_threadgroup[axis] = 1;
        made.launch.threadgroups_per_grid[axis] = 1;
    }
    made.launch.threads_per_grid[0] = threads;
    made.launch.threads_per_threadgroup[0] = threadsPerThreadgroup;
    made.launch.threadgroups_per_grid[0] = (threads + threadsPerThreadgroup - 1) / threadsPerThreadgroup;
    return made;
}

inline std::shared_ptr<CommandBuffer> commandBuffer(const std::shared_ptr<Stream>& stream) {
    return std::make_shared<CommandBuffer>(stream);
}

}  // namespace fixture
