// SPDX-License-Identifier: MIT
//
// Prints what dispatches cost: empty ones waited for, batched ones, and how a large one scales.

#include <algorithm>
#include <cstdio>
#include <thread>
#include <vector>

#include "../clock.hpp"
#include "fixture.hpp"

using namespace fixture;

namespace {

template <class Function>
double median(int rounds, Function function) {
    std::vector<double> times;
    for (int i = 0; i < rounds; ++i) {
        const std::int64_t start = nanoseconds();
        function();
        times.push_back(static_cast<double>(nanoseconds() - start) * 1e-3);
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

void measureWaiting(const char* text, Waiting waiting, std::chrono::microseconds pauseBetween) {
    auto stream = std::make_shared<Stream>();
    auto empty = kernel("empty");
    std::vector<double> times;
    for (int i = 0; i < (pauseBetween.count() ? 300 : 5000); ++i) {
        if (pauseBetween.count()) std::this_thread::sleep_for(pauseBetween);
        const std::int64_t start = nanoseconds();
        auto buffer = commandBuffer(stream);
        buffer->append(dispatch(*buffer, empty, 1024, 256, {}));
        buffer->commit();
        buffer->wait(waiting);
        times.push_back(static_cast<double>(nanoseconds() - start) * 1e-3);
    }
    std::sort(times.begin(), times.end());
    std::printf("%-52s %8.2f us  (90 %%: %.2f)\n", text, times[times.size() / 2], times[times.size() * 9 / 10]);
}

}  // namespace

int main() {
    std::printf("%u threads, %u processors\n", threadCount(), availableProcessors());
    measureWaiting("empty dispatch, helping, one after another", Waiting::helping, {});
    measureWaiting("empty dispatch, idle waiting, one after another", Waiting::idle, {});
    measureWaiting("empty dispatch, helping, 1 ms apart", Waiting::helping, std::chrono::microseconds(1000));
    measureWaiting("empty dispatch, idle waiting, 1 ms apart", Waiting::idle, std::chrono::microseconds(1000));

    auto stream = std::make_shared<Stream>();
    auto empty = kernel("empty");
    const double batch = median(200, [&] {
        auto buffer = commandBuffer(stream);
        for (int i = 0; i < 1000; ++i) buffer->append(dispatch(*buffer, empty, 1024, 256, {}));
        buffer->commit();
        buffer->wait(Waiting::helping);
    });
    std::printf("%-52s %8.3f us each\n", "1,000 empty dispatches in a command buffer", batch / 1000);

    std::vector<std::uint32_t> values(1 << 16);
    std::uint32_t turns = 200;
    auto addOne = kernel("add_one");
    for (unsigned count = 1; count <= availableProcessors(); count *= 2) {
        setThreadCount(count);
        const double large = median(9, [&] {
            auto buffer = commandBuffer(stream);
            buffer->append(dispatch(*buffer, addOne, 1 << 16, 32, {values.data(), &turns}));
            buffer->commit();
            buffer->wait(Waiting::idle);
        });
        std::printf("busy dispatch of 2,048 threadgroups, %u threads%*s %8.1f us\n", count, 9, "", large);
    }
    return 0;
}
