// SPDX-License-Identifier: MIT

#include "../event.hpp"

#include <atomic>
#include <thread>
#include <vector>

#include "fixture.hpp"

using namespace fixture;

TEST(value_only_grows) {
    Event event(5);
    event.signal(3);
    CHECK_EQUAL(event.value(), 5u);
    event.signal(9);
    CHECK_EQUAL(event.value(), 9u);
    CHECK(event.wait(9, 0ns));
    CHECK(!event.wait(10, 10ms));
}

TEST(more_parked_streams_than_workers_leave_workers_free) {
    auto event = std::make_shared<Event>();
    std::vector<std::shared_ptr<CommandBuffer>> parked;
    std::vector<std::shared_ptr<Stream>> streams;
    for (unsigned i = 0; i < 3 * threadCount() + 5; ++i) {
        streams.push_back(std::make_shared<Stream>());
        parked.push_back(commandBuffer(streams.back()));
        parked.back()->append(WaitEvent{event, 1});
        parked.back()->commit();
    }
    auto stream = std::make_shared<Stream>();
    auto free = commandBuffer(stream);
    free->append(Call{[] {}});
    free->commit();
    CHECK(free->wait(Waiting::idle, 10s));
    for (auto& buffer : parked) CHECK(!buffer->wait(Waiting::helping, 0ns));
    event->signal(1);
    for (auto& buffer : parked) CHECK(buffer->wait(Waiting::idle, 10s));
}

TEST(streams_wait_for_each_other) {
    auto ping = std::make_shared<Event>(), pong = std::make_shared<Event>();
    auto first = std::make_shared<Stream>(), second = std::make_shared<Stream>();
    std::vector<int> order;
    std::shared_ptr<CommandBuffer> last;
    for (std::uint64_t i = 1; i <= 200; ++i) {
        auto answer = commandBuffer(second);
        answer->append(WaitEvent{ping, i});
        answer->append(Call{[&order, i] { order.push_back(int(2 * i)); }});
        answer->append(SignalEvent{pong, i});
        answer->commit();
        auto call = commandBuffer(first);
        call->append(WaitEvent{pong, i - 1});
        call->append(Call{[&order, i] { order.push_back(int(2 * i - 1)); }});
        call->append(SignalEvent{ping, i});
        call->commit();
        last = answer;
    }
    CHECK(last->wait(Waiting::helping, 30s));
    REQUIRE(order.size() == 400);
    for (int i = 0; i < 400; ++i) CHECK_EQUAL(order[i], i + 1);
}

TEST(host_waits_for_a_stream_and_a_stream_for_the_host) {
    auto event = std::make_shared<Event>();
    auto stream = std::make_shared<Stream>();
    auto buffer = commandBuffer(stream);
    buffer->append(SignalEvent{event, 1});
    buffer->append(WaitEvent{event, 2});
    buffer->append(SignalEvent{event, 3});
    buffer->commit();
    CHECK(event->wait(1, 10s));
    CHECK(!buffer->hasEnded());
    event->signal(2);
    CHECK(event->wait(3, 10s));
    CHECK(buffer->wait(Waiting::idle, 10s));
}

TEST(listeners_are_told_once) {
    auto event = std::make_shared<Event>();
    std::atomic<int> calls = 0;
    std::atomic<std::uint64_t> seen = 0;
    event->notify(2, [&](std::uint64_t value) {
        seen = value;
        ++calls;
    });
    event->signal(1);
    event->signal(4);
    event->signal(5);
    for (int i = 0; i < 5000 && calls == 0; ++i) std::this_thread::sleep_for(1ms);
    event->notify(5, [&](std::uint64_t) { ++calls; });
    for (int i = 0; i < 5000 && calls < 2; ++i) std::this_thread::sleep_for(1ms);
    CHECK_EQUAL(calls.load(), 2);
    CHECK_EQUAL(seen.load(), 4u);
}

TEST(stop_ends_a_wait_for_an_event_that_never_comes) {
    auto event = std::make_shared<Event>();
    auto stream = std::make_shared<Stream>();
    auto stuck = commandBuffer(stream), next = commandBuffer(stream);
    stuck->append(WaitEvent{event, 1});
    stuck->commit();
    next->commit();
    CHECK(!next->wait(Waiting::idle, 20ms));
    CHECK(stuck->stop(10s));
    CHECK(stuck->fault().kind == FaultKind::stopped);
    CHECK(next->wait(Waiting::idle, 10s));
    CHECK(next->status() == Status::completed);
}

TEST(what_is_parked_at_exit_is_abandoned) {
    static auto event = std::make_shared<Event>();
    static auto stream = std::make_shared<Stream>();
    auto buffer = commandBuffer(stream);
    buffer->append(WaitEvent{event, 1});
    buffer->commit();
}

int main(int count, char** arguments) {
    return check::main(count, arguments);
}
