// SPDX-License-Identifier: MIT

#include "committing.hpp"

#include <variant>

#include "kernel_steps.hpp"

namespace metal_executor {
namespace {

// How long it is expected to take, and the instructions that it can take at the very most.
struct Work {
    double nanoseconds = 0, steps = 0;

    bool isWithin(const Work& limit) const { return nanoseconds <= limit.nanoseconds && steps <= limit.steps; }
};
constexpr Work quickerThanHandingOver = {3'000, 1e6}, soonOver = {1'000'000, 3e7}, unlimited = {1e300, 1e300};

Work copied(std::uint64_t bytes) {
    constexpr double nanosecondsPerByte = 0.1, stepsPerByte = 0.125;
    return {static_cast<double>(bytes) * nanosecondsPerByte, static_cast<double>(bytes) * stepsPerByte};
}

Work workOf(const Dispatch& dispatch) {
    if (dispatch.indirect || dispatch.stageIn) return unlimited;
    const float each = dispatch.kernel->nanosecondsPerThread();
    const std::uint32_t most = mostSteps(*dispatch.kernel);
    if (each == 0 || most == 0) return unlimited;  // it has not run yet; it may run on
    const auto& grid = dispatch.launch.threads_per_grid;
    const double threads = double{1} * grid[0] * grid[1] * grid[2];
    return {threads * static_cast<double>(each), threads * most};
}

Work workOf(const Command& command) {
    if (const auto* dispatch = std::get_if<Dispatch>(&command)) return workOf(*dispatch);
    if (const auto* copy = std::get_if<Copy>(&command)) return copied(copy->bytes);
    if (const auto* copy = std::get_if<CopyImage>(&command)) return copied(copy->rowBytes * copy->rows * copy->images);
    if (const auto* fill = std::get_if<Fill>(&command)) return copied(fill->bytes);
    return unlimited;
}

}  // namespace

bool areShort(const std::vector<Command>& commands, Committer committer) {
    if (committer == Committer::leaves) return false;
    const Work& limit = committer == Committer::goesOn ? quickerThanHandingOver : soonOver;
    Work all;
    for (const Command& command : commands) {
        const Work one = workOf(command);
        all = {all.nanoseconds + one.nanoseconds, all.steps + one.steps};
        if (!all.isWithin(limit)) return false;
    }
    return true;
}

}  // namespace metal_executor
