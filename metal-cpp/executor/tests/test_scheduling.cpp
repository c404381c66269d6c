// SPDX-License-Identifier: MIT
//
// Who runs what: threadgroups among threads, streams among each other, and whom small work leaves asleep.

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "../clock.hpp"
#include "../committing.hpp"
#include "../ranges.hpp"
#include "../threads.hpp"
#include "fixture.hpp"

using namespace fixture;

namespace {

/// A dispatch of add_one; `turns` make each thread slow.
void addOne(CommandBuffer& buffer, std::vector<std::uint32_t>& values, std::uint32_t turns) {
    auto* stored = static_cast<std::uint32_t*>(buffer.allocate(sizeof turns));
    *stored = turns;
    buffer.append(
        dispatch(buffer, kernel("add_one"), static_cast<std::uint32_t>(values.size()), 64, {values.data(), stored}));
}

bool isTouched(const std::vector<std::uint32_t>& values) {
    for (const std::uint32_t& value : values) {
        if (__atomic_load_n(&value, __ATOMIC_RELAXED) != 0) return true;
    }
    return false;
}

}  // namespace

TEST(each_threadgroup_is_taken_once) {
    for (const std::uint64_t count : {1, 2, 7, 1000, 100'003}) {
        for (const unsigned threads : {1, 2, 3, 16}) {
            Ranges ranges(count);
            ranges.split(threads);
            std::vector<std::atomic<int>> taken(count);
            std::vector<std::thread> workers;
            for (unsigned worker = 0; worker < 4; ++worker) {
                workers.emplace_back([&, worker] {
                    std::uint64_t first = 0;
                    while (const std::uint64_t got = ranges.take(worker, 2, 50, 4, first)) {
                        for (std::uint64_t i = first; i < first + got; ++i) ++taken[i];
                    }
                });
            }
            for (auto& worker : workers) worker.join();
            CHECK(!ranges.areLeft());
            for (const auto& times : taken) CHECK_EQUAL(times.load(), 1);
        }
    }
}

TEST(a_thread_begins_where_it_began_before_and_ends_with_the_others_rest) {
    for (int again = 0; again < 2; ++again) {
        Ranges ranges(800);
        ranges.split(4);
        std::uint64_t first = 0;
        CHECK_EQUAL(ranges.take(2, 1, 1000, 4, first), 50u);
        CHECK_EQUAL(first, 400u);
        CHECK_EQUAL(ranges.take(2, 150, 1000, 4, first), 150u);
        CHECK_EQUAL(first, 450u);
        CHECK_EQUAL(ranges.take(2, 1, 20, 4, first), 20u);
        CHECK_EQUAL(first, 180u);  // of the first of the longest, from its end
    }
}

TEST(more_threadgroups_than_fit_into_32_bits) {
    for (const std::uint64_t count : {(std::uint64_t{5} << 40) + 12345, (std::uint64_t{1} << 33) - 1}) {
        Ranges ranges(count);
        ranges.split(3);
        std::uint64_t first = 0, sum = 0;
        while (const std::uint64_t got = ranges.take(1, 1, UINT64_MAX, 2, first)) {
            CHECK(first < count && got <= count - first);
            sum += got;
        }
        CHECK_EQUAL(sum, count);
    }
}

TEST(a_short_dispatch_ends_while_long_ones_have_all_threads) {
    const std::uint32_t minutes = threadSanitizer ? 10'000 : 200'000;
    std::vector<std::vector<std::uint32_t>> values(threadCount() + 1, std::vector<std::uint32_t>(1 << 20));
    std::vector<std::shared_ptr<CommandBuffer>> longOnes;
    for (auto& ofOne : values) {
        longOnes.push_back(commandBuffer(std::make_shared<Stream>()));
        addOne(*longOnes.back(), ofOne, minutes);
        longOnes.back()->commit();
    }
    std::vector<std::uint32_t> few(64);
    auto shortOne = commandBuffer(std::make_shared<Stream>());
    addOne(*shortOne, few, 0);
    shortOne->commit();
    CHECK(shortOne->wait(Waiting::idle, 60s));
    for (auto& ofOne : values) {  // every one of them gets its turns, more than there are threads
        for (int i = 0; i < 60'000 && !isTouched(ofOne); ++i) std::this_thread::sleep_for(1ms);
        CHECK(isTouched(ofOne));
    }
    for (auto& one : longOnes) CHECK(!one->hasEnded());
    for (auto& one : longOnes) CHECK(one->stop(60s));
    for (auto& one : longOnes) CHECK(one->fault().kind == FaultKind::stopped);
}

TEST(a_short_dispatch_ends_while_long_lists_of_dispatches_have_all_threads) {
    std::vector<std::vector<std::uint32_t>> values(threadCount() + 1, std::vector<std::uint32_t>(64));
    std::vector<std::shared_ptr<CommandBuffer>> longOnes;
    auto slow = kernel("add_one");
    std::uint32_t turns = 20'000;
    for (auto& ofOne : values) {
        longOnes.push_back(commandBuffer(std::make_shared<Stream>()));
        auto& buffer = *longOnes.back();
        for (int i = 0; i < 5'000; ++i) buffer.append(dispatch(buffer, slow, 64, 64, {ofOne.data(), &turns}));
        buffer.commit();
    }
    std::vector<std::uint32_t> few(64);
    auto shortOne = commandBuffer(std::make_shared<Stream>());
    addOne(*shortOne, few, 0);
    shortOne->commit();
    CHECK(shortOne->wait(Waiting::idle, 60s));
    for (auto& one : longOnes) CHECK(!one->hasEnded());
    for (auto& one : longOnes) CHECK(one->stop(60s));
}

TEST(streams_that_take_turns_run_every_thread_once) {
    std::vector<std::vector<std::uint32_t>> values(3 * threadCount() + 1, std::vector<std::uint32_t>(1 << 14));
    std::vector<std::shared_ptr<CommandBuffer>> all;
    for (auto& ofOne : values) {
        all.push_back(commandBuffer(std::make_shared<Stream>()));
        for (int i = 0; i < 3; ++i) addOne(*all.back(), ofOne, 500);
        all.back()->commit();
    }
    for (auto& one : all) CHECK(one->wait(Waiting::idle, 120s));
    for (auto& one : all) CHECK(one->status() == Status::completed);
    for (auto& ofOne : values) CHECK(ofOne == std::vector<std::uint32_t>(1 << 14, 3));
}

TEST(a_thread_leaves_a_processor_if_it_may) {
    cpu_set_t before, after;
    REQUIRE(sched_getaffinity(0, sizeof before, &before) == 0);
    const int processor = sched_getcpu();
    leaveProcessor(processor == 0 ? 1 : 0);  // it is not there
    leaveProcessor(-1);
    bool hasLeft = false;
    for (int i = 0; i < 100 && !hasLeft; ++i) {  // the system may take it back at once
        const int present = sched_getcpu();
        leaveProcessor(present);
        hasLeft = sched_getcpu() != present;
    }
    CHECK(hasLeft || CPU_COUNT(&before) == 1);
    REQUIRE(sched_getaffinity(0, sizeof after, &after) == 0);
    CHECK(CPU_EQUAL(&before, &after));
}

TEST(small_dispatches_wake_nobody) {
    auto stream = std::make_shared<Stream>();
    auto empty = kernel("empty");
    const auto batch = [&] {
        auto buffer = commandBuffer(stream);
        for (int i = 0; i < 1000; ++i) buffer->append(dispatch(*buffer, empty, 256, 32, {}));
        buffer->commit();
        buffer->wait(Waiting::idle);
    };
    while (empty->nanosecondsPerThread() == 0) batch();
    // Another process may take the processor away in the middle of a dispatch, which then seems to be slow.
    std::uint64_t least = UINT64_MAX;
    for (int i = 0; i < 20 && least > 1; ++i) {
        std::this_thread::sleep_for(5ms);
        const std::uint64_t before = wakeUps();
        batch();
        least = std::min(least, wakeUps() - before);
    }
    CHECK(least <= 1);  // the one that runs them
}

TEST(large_dispatches_wake_the_others) {
    setThreadCount(2);
    auto stream = std::make_shared<Stream>();
    std::vector<std::uint32_t> values(1 << 14);
    std::uint64_t most = 0;
    for (int i = 0; i < 20 && most < 2; ++i) {
        std::this_thread::sleep_for(5ms);
        const std::uint64_t before = wakeUps();
        auto buffer = commandBuffer(stream);
        addOne(*buffer, values, 1000);
        buffer->commit();
        buffer->wait(Waiting::idle);
        most = std::max(most, wakeUps() - before);
    }
    CHECK(most >= 2);
}

TEST(the_others_are_woken_when_a_small_dispatch_turns_out_large) {
    setThreadCount(2);
    auto stream = std::make_shared<Stream>();
    auto slow = kernel("add_one");
    std::vector<std::uint32_t> values(1 << 14);
    std::uint32_t turns = 1000;
    std::uint64_t most = 0;
    for (int i = 0; i < 20 && most < 2; ++i) {
        slow->noteNanosecondsPerThread(10'000.0f / static_cast<float>(values.size()));
        std::this_thread::sleep_for(5ms);
        const std::uint64_t before = wakeUps();
        auto buffer = commandBuffer(stream);
        buffer->append(dispatch(*buffer, slow, static_cast<std::uint32_t>(values.size()), 64, {values.data(), &turns}));
        buffer->commit();
        buffer->wait(Waiting::idle);
        most = std::max(most, wakeUps() - before);
    }
    CHECK(most >= 2);
}

// ---- Short work that the committing thread runs itself ----

static long thisThread() {
    return static_cast<long>(syscall(SYS_gettid));
}

static void commit(CommandBuffer& buffer, Committer committer) {
    const Committing committing(committer);
    buffer.commit();
}

/// The thread that ran `kernel`, in a command buffer of a new stream.
static long whoRuns(const std::shared_ptr<const Kernel>& kernel, Committer committer, std::uint32_t threads = 1) {
    long runner = 0;
    auto buffer = commandBuffer(std::make_shared<Stream>());
    buffer->append(dispatch(*buffer, kernel, threads, threads, {&runner}));
    commit(*buffer, committer);
    CHECK(buffer->wait(Waiting::idle));
    CHECK(buffer->status() == Status::completed);
    return runner;
}

/// Runs it until it was seen to be quick, which takes more than once where others have the processors.
static void getToKnow(const std::shared_ptr<const Kernel>& kernel) {
    do whoRuns(kernel, Committer::leaves);
    while (kernel->nanosecondsPerThread() > 100'000);
}

/// A worker is busy for a moment after the end that was waited for, so what a thread does itself shows by and by.
template <class Condition>
static bool eventually(Condition&& condition) {
    const auto end = Clock::now() + std::chrono::minutes(1);
    while (!condition()) {
        if (Clock::now() > end) return false;
    }
    return true;
}

TEST(a_thread_that_waits_runs_short_work_itself) {
    const auto soon = kernel("who_soon"), unknown = kernel("who");
    CHECK(whoRuns(soon, Committer::waits) != thisThread());  // how long it takes is not known yet
    CHECK(eventually([&] {
        getToKnow(soon);
        return whoRuns(soon, Committer::waits) == thisThread();
    }));
    getToKnow(soon);
    CHECK(whoRuns(soon, Committer::leaves) != thisThread());
    CHECK(whoRuns(soon, Committer::waits, 1'000'000) != thisThread());
    getToKnow(unknown);
    CHECK(whoRuns(unknown, Committer::waits) != thisThread());  // it could run for ever
}

TEST(a_thread_that_waits_makes_short_copies_itself) {
    std::vector<std::uint8_t> from(5000, 7), to(5000);
    const auto endsWithCommit = [&](Command command, Committer committer) {
        auto buffer = commandBuffer(std::make_shared<Stream>());
        buffer->append(std::move(command));
        commit(*buffer, committer);
        const bool hadEnded = buffer->hasEnded();
        CHECK(buffer->wait(Waiting::idle));
        return hadEnded;
    };
    const Copy copy{to.data(), from.data(), from.size()};
    CHECK(eventually([&] { return endsWithCommit(copy, Committer::waits); }));
    CHECK(eventually([&] { return endsWithCommit(Fill{to.data() + 10, 100, 3}, Committer::goesOn); }));
    CHECK_EQUAL(int(to[9]), 7);
    CHECK_EQUAL(int(to[10]), 3);
    CHECK_EQUAL(int(to[110]), 7);
}

TEST(a_thread_runs_nothing_itself_where_all_others_may_be_busy) {
    const unsigned before = threadCount();
    REQUIRE(setThreadCount(1));
    const auto soon = kernel("who_soon");
    getToKnow(soon);
    std::atomic<bool> isHeld = false, mayEnd = false;
    auto holding = commandBuffer(std::make_shared<Stream>());
    holding->append(Call{[&] {
        isHeld = true;
        while (!mayEnd) std::this_thread::yield();
    }});
    holding->commit();
    while (!isHeld) std::this_thread::yield();
    long runner = 0;
    auto buffer = commandBuffer(std::make_shared<Stream>());
    buffer->append(dispatch(*buffer, soon, 1, 1, {&runner}));
    commit(*buffer, Committer::waits);
    CHECK(!buffer->hasEnded());
    mayEnd = true;
    CHECK(buffer->wait(Waiting::idle));
    CHECK(runner != thisThread());
    CHECK(holding->wait(Waiting::idle));
    setThreadCount(before);
}

TEST(short_work_behind_other_work_waits_for_its_turn) {
    auto stream = std::make_shared<Stream>();
    const auto soon = kernel("who_soon");
    getToKnow(soon);
    auto event = std::make_shared<Event>();
    auto first = commandBuffer(stream), second = commandBuffer(stream);
    long runner = 0;
    first->append(WaitEvent{event, 1});
    second->append(dispatch(*second, soon, 1, 1, {&runner}));
    commit(*first, Committer::waits);
    commit(*second, Committer::waits);
    CHECK(!second->hasEnded());
    event->signal(1);
    CHECK(second->wait(Waiting::idle));
    CHECK(first->hasEnded());
    CHECK(runner != 0);
}

TEST(what_follows_short_work_is_handed_over) {
    const auto soon = kernel("who_soon");
    CHECK(eventually([&] {
        auto stream = std::make_shared<Stream>();
        long runners[2] = {};
        auto first = commandBuffer(stream), second = commandBuffer(stream);
        first->append(dispatch(*first, soon, 1, 1, {&runners[0]}));
        second->append(dispatch(*second, soon, 1, 1, {&runners[1]}));
        first->enqueue();
        getToKnow(soon);
        commit(*second, Committer::waits);  // behind one that is not committed
        CHECK(!second->hasEnded());
        commit(*first, Committer::waits);
        CHECK(first->wait(Waiting::idle));
        CHECK(second->wait(Waiting::idle));
        CHECK(runners[1] != thisThread());
        return runners[0] == thisThread();
    }));
}

TEST(short_work_from_many_threads) {
    const auto soon = kernel("who_soon");
    getToKnow(soon);
    auto shared = std::make_shared<Stream>();
    std::vector<std::thread> threads;
    std::atomic<int> wrong = 0;
    for (int t = 0; t < 8; ++t) {
        threads.emplace_back([&, t] {
            const auto stream = t % 2 ? shared : std::make_shared<Stream>();
            for (int i = 0; i < 500; ++i) {
                long runner = 0;
                auto buffer = commandBuffer(stream);
                buffer->append(dispatch(*buffer, soon, 1, 1, {&runner}));
                commit(*buffer, i % 3 ? Committer::waits : Committer::goesOn);
                if (!buffer->wait(Waiting::idle) || runner == 0) ++wrong;
            }
        });
    }
    for (auto& thread : threads) thread.join();
    CHECK_EQUAL(wrong.load(), 0);
}

int main(int count, char** arguments) {
    return check::main(count, arguments);
}
