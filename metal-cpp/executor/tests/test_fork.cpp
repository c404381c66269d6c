// SPDX-License-Identifier: MIT

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "fixture.hpp"

using namespace fixture;

/// 0, or what went wrong.
static int runSomething() {
    auto stream = std::make_shared<Stream>();
    std::vector<std::uint32_t> values(20'000);
    std::uint32_t turns = 5;
    auto buffer = commandBuffer(stream);
    buffer->append(dispatch(*buffer, kernel("add_one"), 20'000, 32, {values.data(), &turns}));
    std::atomic<bool> isCalled = false;
    buffer->onCompleted([&](CommandBuffer&) { isCalled = true; });
    buffer->commit();
    if (!buffer->wait(Waiting::idle, 30s)) return 20;
    if (buffer->status() != Status::completed) return 21;
    if (!isCalled) return 22;
    return std::count(values.begin(), values.end(), 1u) == 20'000 ? 0 : 23;
}

TEST(child_refuses_what_the_parent_made_and_makes_its_own) {
    if (threadSanitizer) return;  // it lets no child of a process with threads start one
    auto stream = std::make_shared<Stream>();
    auto event = std::make_shared<Event>();
    auto parked = commandBuffer(stream), recorded = commandBuffer(stream);
    parked->append(WaitEvent{event, 1});
    parked->commit();
    CHECK_EQUAL(runSomething(), 0);

    const pid_t child = fork();
    if (child == 0) {
        alarm(60);
        if (stream->belongsToThisProcess()) _exit(1);
        recorded->commit();
        if (!recorded->wait(Waiting::idle)) _exit(2);
        if (recorded->status() != Status::error || recorded->fault().kind != FaultKind::forked) _exit(3);
        if (recorded->fault().message.find("before fork") == std::string::npos) _exit(4);
        auto made = commandBuffer(stream);
        made->commit();
        if (made->fault().kind != FaultKind::forked) _exit(5);
        event->signal(1);
        if (!parked->wait(Waiting::helping)) _exit(6);
        if (const int problem = runSomething()) _exit(problem);
        parked = nullptr;
        recorded = nullptr;
        stream = nullptr;
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    CHECK_EQUAL(WIFSIGNALED(status) ? WTERMSIG(status) : 0, 0);
    CHECK_EQUAL(WEXITSTATUS(status), 0);
    event->signal(1);
    CHECK(parked->wait(Waiting::idle, 10s));
}

TEST(fork_while_the_pool_is_busy) {
    // A sanitizer's own locks may be held by another thread at the fork.
    if (threadSanitizer || addressSanitizer) return;
    std::atomic<bool> isOver = false;
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i) {
        threads.emplace_back([&] {
            while (!isOver) CHECK_EQUAL(runSomething(), 0);
        });
    }
    for (int i = 0; i < 20; ++i) {
        const pid_t child = fork();
        if (child == 0) {
            alarm(60);
            _exit(runSomething());
        }
        int status = 0;
        waitpid(child, &status, 0);
        CHECK_EQUAL(WIFSIGNALED(status) ? WTERMSIG(status) : 0, 0);
        CHECK_EQUAL(WEXITSTATUS(status), 0);
    }
    isOver = true;
    for (auto& thread : threads) thread.join();
}

int main(int count, char** arguments) {
    return check::main(count, arguments);
}
