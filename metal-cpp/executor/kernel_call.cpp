// SPDX-License-Identifier: MIT

#include "kernel_call.hpp"

#include <algorithm>
#include <atomic>

#include "flush_denormals.hpp"
#include "kernel.hpp"
#include "stoppable.hpp"
#include "thread_state.hpp"

namespace metal_executor {
namespace {

// Apart from the rest because it is left by a jump: nothing here may need a destructor, and what is used after the jump
// is not changed before it.
[[gnu::noinline]] bool run(ThreadState& state, const Kernel& kernel, const metal_launch& launch,
                           std::uint64_t threadgroups, void* threadgroupMemory, void* scratch) {
    if (sigsetjmp(state.jump, 0) != 0) return false;
    state.inKernel = true;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    kernel.function()(&launch, 0, threadgroups, threadgroupMemory, scratch);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    state.inKernel = false;
    return true;
}

}  // namespace

bool callKernel(ThreadState& state, const Kernel& kernel, metal_launch& launch, std::uint32_t count) {
    if (state.run->shouldStop()) return false;
    const metal_kernel_info& info = kernel.info();
    state.kernel = &kernel;
    void* threadgroupMemory = state.threadgroupMemory.reserve(info.static_threadgroup_memory);
    void* scratch = state.scratch.reserve(info.scratch_size);
    if (!threadgroupMemory || !scratch) {
        state.faultKind = FaultKind::outOfMemory;
        state.faultAddressKnown = false;
        return false;
    }
    const std::uint32_t most = std::clamp<std::uint32_t>(info.max_total_threads, 1, metal_max_threads_per_threadgroup);
    const std::uint32_t group = std::min(count, most / 4 * 4 + (most < 4 ? most : 0));
    const std::uint32_t groups = (count + group - 1) / group;
    launch.threads_per_grid[0] = launch.grid_size[0] = count;
    launch.threads_per_threadgroup[0] = group;
    launch.threadgroups_per_grid[0] = groups;
    for (int axis = 1; axis < 3; ++axis) {
        launch.threads_per_grid[axis] = launch.grid_size[axis] = 1;
        launch.threads_per_threadgroup[axis] = launch.threadgroups_per_grid[axis] = 1;
    }
    FlushDenormals mode;
    return run(state, kernel, launch, groups, threadgroupMemory, scratch);
}

}  // namespace metal_executor
