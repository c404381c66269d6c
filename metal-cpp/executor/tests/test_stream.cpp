// SPDX-License-Identifier: MIT

#include "../stream.hpp"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include "fixture.hpp"

using namespace fixture;

static void addOne(CommandBuffer& buffer, std::vector<std::uint32_t>& values, std::uint32_t threadsPerThreadgroup,
                   std::uint32_t turns = 0) {
    auto* stored = static_cast<std::uint32_t*>(buffer.allocate(sizeof turns));
    *stored = turns;
    buffer.append(dispatch(buffer, kernel("add_one"), static_cast<std::uint32_t>(values.size()), threadsPerThreadgroup,
                           {values.data(), stored}));
}

static bool allAre(const std::vector<std::uint32_t>& values, std::uint32_t expected) {
    for (const std::uint32_t value : values) {
        if (value != expected) return false;
    }
    return true;
}

TEST(every_thread_runs_exactly_once_whatever_the_shape) {
    auto stream = std::make_shared<Stream>();
    for (const Waiting waiting : {Waiting::helping, Waiting::idle}) {
        for (const std::size_t threads : {1, 31, 1000, 100'000}) {
            for (const std::uint32_t group : {1, 32, 1024}) {
                std::vector<std::uint32_t> values(threads);
                auto buffer = commandBuffer(stream);
                addOne(*buffer, values, group);
                addOne(*buffer, values, group, 20);
                buffer->commit();
                CHECK(buffer->wait(waiting));
                CHECK(buffer->status() == Status::completed);
                CHECK(allAre(values, 2));
            }
        }
    }
}

TEST(command_buffers_of_a_stream_run_in_order) {
    auto stream = std::make_shared<Stream>();
    std::vector<int> order;  // no lock: the order is what makes this right
    std::vector<std::shared_ptr<CommandBuffer>> buffers;
    for (int i = 0; i < 500; ++i) {
        buffers.push_back(commandBuffer(stream));
        buffers.back()->append(Call{[&order, i] { order.push_back(i); }});
    }
    for (auto& buffer : buffers) buffer->enqueue();
    for (int i = 499; i >= 0; --i) buffers[i]->commit();  // the enqueued order counts
    for (auto& buffer : buffers) CHECK(buffer->wait(Waiting::idle));
    std::vector<int> expected(500);
    std::iota(expected.begin(), expected.end(), 0);
    CHECK(order == expected);
}

TEST(many_streams_from_many_threads) {
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t) {
        threads.emplace_back([&wrong, t] {
            auto stream = std::make_shared<Stream>();
            std::vector<std::uint32_t> values(2000);
            std::vector<std::shared_ptr<CommandBuffer>> buffers;
            for (int i = 0; i < 50; ++i) {
                buffers.push_back(commandBuffer(stream));
                addOne(*buffers.back(), values, 64, t);
                buffers.back()->commit();
                if (i % 10 == 0) buffers.back()->wait(t % 2 ? Waiting::helping : Waiting::idle);
            }
            buffers.back()->wait(t % 2 ? Waiting::helping : Waiting::idle);
            if (!allAre(values, 50)) ++wrong;
        });
    }
    for (auto& thread : threads) thread.join();
    CHECK_EQUAL(wrong.load(), 0);
}

TEST(copies_and_fills) {
    auto stream = std::make_shared<Stream>();
    std::vector<std::uint8_t> from(100), to(100), image(100);
    std::iota(from.begin(), from.end(), std::uint8_t{0});
    auto buffer = commandBuffer(stream);
    buffer->append(Copy{to.data() + 10, from.data(), 50});
    buffer->append(Fill{to.data(), 5, 0xee});
    CopyImage copy;
    copy.to = image.data();
    copy.from = from.data();
    copy.rowBytes = 3;
    copy.rows = 4;
    copy.images = 2;
    copy.toBytesPerRow = 10;
    copy.toBytesPerImage = 50;
    copy.fromBytesPerRow = 3;
    copy.fromBytesPerImage = 12;
    buffer->append(copy);
    buffer->commit();
    CHECK(buffer->wait(Waiting::helping));
    CHECK_EQUAL(int(to[4]), 0xee);
    CHECK_EQUAL(int(to[5]), 0);
    CHECK_EQUAL(int(to[59]), 49);
    CHECK_EQUAL(int(image[32]), 11);
    CHECK_EQUAL(int(image[50]), 12);
    CHECK_EQUAL(int(image[33]), 0);
}

TEST(indirect_dispatch_reads_its_size_when_it_runs) {
    auto stream = std::make_shared<Stream>();
    std::vector<std::uint32_t> values(1000);
    std::uint32_t sizes[3] = {0, 0, 0};
    const std::uint32_t wanted[3] = {7, 1, 1};
    auto buffer = commandBuffer(stream);
    buffer->append(Copy{sizes, wanted, sizeof sizes});
    auto* turns = static_cast<std::uint32_t*>(buffer->allocate(4));
    *turns = 0;
    Dispatch made = dispatch(*buffer, kernel("add_one"), 1, 100, {values.data(), turns});
    made.indirect = sizes;
    buffer->append(made);
    buffer->commit();
    CHECK(buffer->wait(Waiting::helping));
    CHECK_EQUAL(values[699], 1u);
    CHECK_EQUAL(values[700], 0u);
}

TEST(indirect_dispatch_of_absurd_size_is_an_error) {
    auto stream = std::make_shared<Stream>();
    const std::uint32_t sizes[3] = {0xffffffff, 1, 1};
    auto buffer = commandBuffer(stream);
    Dispatch made = dispatch(*buffer, kernel("empty"), 1, 32, {});
    made.indirect = sizes;
    buffer->append(made);
    buffer->commit();
    CHECK(buffer->wait(Waiting::idle));
    CHECK(buffer->status() == Status::error);
    CHECK(buffer->fault().kind == FaultKind::badDispatch);
    CHECK_EQUAL(buffer->fault().message,
                std::string("kernel empty: indirect dispatch of 4294967295 x 1 x 1 threadgroups has more than "
                            "4294967295 threads along an axis"));
}

TEST(handlers_run_once_and_before_wait_returns) {
    auto stream = std::make_shared<Stream>();
    auto buffer = commandBuffer(stream);
    std::atomic<int> scheduled = 0, completed = 0, ended = 0, late = 0;
    buffer->onScheduled([&](CommandBuffer&) { ++scheduled; });
    buffer->onCompleted([&](CommandBuffer& self) {
        std::this_thread::sleep_for(5ms);
        if (self.status() == Status::completed) ++completed;
    });
    buffer->onEnd([&](CommandBuffer& self) {
        if (!self.hasEnded()) ++ended;
    });
    CHECK(buffer->status() == Status::notEnqueued);
    buffer->commit();
    buffer->commit();
    CHECK(buffer->waitUntilScheduled());
    CHECK(buffer->wait(Waiting::helping));
    CHECK_EQUAL(scheduled.load(), 1);
    CHECK_EQUAL(completed.load(), 1);
    CHECK_EQUAL(ended.load(), 1);
    buffer->onCompleted([&](CommandBuffer&) { ++late; });
    for (int i = 0; i < 1000 && late == 0; ++i) std::this_thread::sleep_for(1ms);
    CHECK_EQUAL(late.load(), 1);
}

TEST(times_are_measured_in_order) {
    auto stream = std::make_shared<Stream>();
    auto buffer = commandBuffer(stream);
    buffer->append(Call{[] { std::this_thread::sleep_for(10ms); }});
    CHECK_EQUAL(buffer->times().gpuEnd, 0.0);
    buffer->commit();
    buffer->wait(Waiting::idle);
    const Times times = buffer->times();
    CHECK(times.kernelStart > 0 && times.kernelStart <= times.kernelEnd && times.kernelEnd <= times.gpuStart);
    CHECK(times.gpuEnd - times.gpuStart >= 0.010 && times.gpuEnd - times.gpuStart < 5);
}

TEST(host_function_that_throws_is_an_error) {
    auto stream = std::make_shared<Stream>();
    auto bad = commandBuffer(stream), good = commandBuffer(stream);
    bool isReached = false;
    bad->append(Call{[] { throw std::runtime_error("no more paper"); }});
    bad->append(Call{[&] { isReached = true; }});
    bad->commit();
    good->commit();
    CHECK(good->wait(Waiting::helping));
    CHECK(bad->fault().kind == FaultKind::hostError);
    CHECK_EQUAL(bad->fault().message, std::string("error in a host function: no more paper"));
    CHECK(!isReached);
    CHECK(good->status() == Status::completed);
}

TEST(a_log_that_finds_no_memory_is_an_error) {
    if (addressSanitizer || threadSanitizer) return;  // they end the program
    auto target = std::make_shared<LogTarget>();
    target->bytes = std::size_t{1} << 62;
    auto buffer = commandBuffer(std::make_shared<Stream>());
    buffer->setLogTarget(target);
    buffer->append(dispatch(*buffer, kernel("logs"), 64, 64, {}));
    buffer->commit();
    CHECK(buffer->wait(Waiting::idle));
    CHECK(buffer->fault().kind == FaultKind::hostError);
}

TEST(kept_objects_live_until_the_end) {
    auto stream = std::make_shared<Stream>();
    auto object = std::make_shared<int>(1);
    std::weak_ptr<int> watched = object;
    auto buffer = commandBuffer(stream);
    buffer->keep(std::move(object));
    CHECK(!watched.expired());
    buffer->commit();
    buffer->wait(Waiting::idle);
    CHECK(watched.expired());
}

TEST(wait_gives_up_after_its_timeout) {
    auto stream = std::make_shared<Stream>();
    auto buffer = commandBuffer(stream);
    std::atomic<bool> isFree = false;
    buffer->append(Call{[&] {
        while (!isFree) std::this_thread::sleep_for(1ms);
    }});
    buffer->commit();
    CHECK(!buffer->wait(Waiting::idle, 20ms));
    CHECK(!buffer->hasEnded());
    isFree = true;
    CHECK(buffer->wait(Waiting::idle));
}

TEST(thread_count_can_change_between_dispatches) {
    const unsigned before = threadCount();
    CHECK(before >= 1);
    CHECK(!setThreadCount(0));
    CHECK(!setThreadCount(1u << 20));
    CHECK_EQUAL(threadCount(), before);
    auto stream = std::make_shared<Stream>();
    for (const unsigned count : {1u, 4u, 2u, 8u, 1u}) {
        CHECK(setThreadCount(count));
        CHECK_EQUAL(threadCount(), count);
        std::vector<std::uint32_t> values(50'000);
        auto buffer = commandBuffer(stream);
        addOne(*buffer, values, 32, 10);
        buffer->commit();
        buffer->wait(Waiting::idle);
        CHECK(allAre(values, 1));
    }
    setThreadCount(before);
}

TEST(threads_share_a_dispatch) {
    const unsigned before = threadCount();
    auto stream = std::make_shared<Stream>();
    for (const std::uint32_t threads : {2u, 4u}) {
        setThreadCount(threads);
        for (int round = 0; round < 20; ++round) {
            std::uint32_t started = 0;
            auto buffer = commandBuffer(stream);
            // A kernel that isn't known yet, since one known to be quick would rightly be left to one thread.
            buffer->append(dispatch(*buffer, kernel("meet"), threads * 64, 64, {&started}));
            buffer->commit();
            const bool haveMet = buffer->wait(round % 2 ? Waiting::helping : Waiting::idle, 20s);
            CHECK(haveMet);
            if (!haveMet) buffer->stop();
            std::this_thread::sleep_for(round % 3 * 100us);  // workers asleep, spinning, just done
        }
    }
    setThreadCount(before);
}

TEST(kernels_run_with_denormals_flushed_and_callers_without) {
    auto stream = std::make_shared<Stream>();
    volatile float smallest = 1.17549435e-38f;
    for (const Waiting waiting : {Waiting::helping, Waiting::idle}) {
        float values[2] = {smallest, 1};
        auto buffer = commandBuffer(stream);
        buffer->append(dispatch(*buffer, kernel("denormal"), 1, 1, {values}));
        buffer->commit();
        buffer->wait(waiting);
        CHECK_EQUAL(values[1], 0.0f);
        CHECK(smallest * 0.5f > 0);
    }
}

int main(int count, char** arguments) {
    return check::main(count, arguments);
}

TEST(keeps_when_each_dispatch_ran_if_it_is_told_to) {
    auto stream = std::make_shared<Stream>();
    std::vector<std::uint32_t> values(100);
    std::uint32_t turns = 1000;
    const auto add = kernel("add_one");
    for (const bool isTold : {true, false}) {
        auto buffer = commandBuffer(stream);
        if (isTold) buffer->keepDispatchTimes();
        buffer->append(dispatch(*buffer, add, 100, 32, {values.data(), &turns}));
        buffer->append(Fill{values.data(), 4, 7});
        buffer->append(dispatch(*buffer, add, 100, 32, {values.data(), &turns}));
        CHECK(buffer->dispatchTimes().empty());
        buffer->commit();
        CHECK(buffer->wait(Waiting::idle, 60s));
        const auto times = buffer->dispatchTimes();
        CHECK_EQUAL(times.size(), std::size_t{isTold ? 2u : 0u});
        if (!isTold) continue;
        CHECK(buffer->times().gpuStart <= times[0].start);
        CHECK(times[0].start < times[0].end);
        CHECK(times[0].end <= times[1].start);
        CHECK(times[1].start < times[1].end);
        CHECK(times[1].end <= buffer->times().gpuEnd);
    }
}

TEST(keeps_no_time_of_a_dispatch_behind_a_fault) {
    auto stream = std::make_shared<Stream>();
    auto buffer = commandBuffer(stream);
    std::uint32_t value = 0, turns = 0;
    buffer->keepDispatchTimes();
    buffer->append(dispatch(*buffer, kernel("add_one"), 1, 1, {&value, &turns}));
    buffer->append(Call{[] { throw std::runtime_error("no"); }});
    buffer->append(dispatch(*buffer, kernel("add_one"), 1, 1, {&value, &turns}));
    buffer->commit();
    CHECK(buffer->wait(Waiting::idle, 60s));
    CHECK_EQUAL(buffer->dispatchTimes().size(), std::size_t{1});
}
