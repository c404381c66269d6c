// SPDX-License-Identifier: MIT

#include "../observer.hpp"

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "fixture.hpp"

using namespace fixture;

namespace {

/// Writes down what it is told of. No lock: never two calls at a time.
class Notes final : public Observer {
public:
    void begins(std::size_t command) override {
        text += "b" + std::to_string(command) + " ";
        begun = command;
        ++told;
    }
    void ended(std::size_t command, double start, double end, const Fault& fault) override {
        text += (fault ? "f" : "e") + std::to_string(command) + " ";
        areTimesRight = areTimesRight && 0 < start && start <= end;
    }

    std::string text;
    std::size_t begun = 0;
    std::atomic<unsigned> told = 0;  // beginnings, for who waits for one
    bool areTimesRight = true;
};

}  // namespace

TEST(is_told_of_each_command_in_order) {
    auto stream = std::make_shared<Stream>();
    auto notes = std::make_shared<Notes>();
    auto buffer = commandBuffer(stream);
    std::vector<std::uint32_t> values(100);
    std::uint32_t turns = 0;
    buffer->append(dispatch(*buffer, kernel("add_one"), 100, 32, {values.data(), &turns}));
    buffer->append(Fill{values.data(), 4, 7});
    std::size_t during = 99;
    buffer->append(Call{[&] { during = notes->begun; }});
    buffer->observe(notes);
    buffer->commit();
    CHECK(buffer->wait(Waiting::idle, 10s));
    CHECK_EQUAL(notes->text, std::string("b0 e0 b1 e1 b2 e2 "));
    CHECK_EQUAL(during, std::size_t{2});
    CHECK(notes->areTimesRight);
    CHECK_EQUAL(notes.use_count(), 1l);  // let go of at the end
}

TEST(is_told_of_a_fault_and_of_nothing_after_it) {
    auto stream = std::make_shared<Stream>();
    auto notes = std::make_shared<Notes>();
    auto buffer = commandBuffer(stream);
    buffer->append(Call{[] { throw std::runtime_error("no"); }});
    buffer->append(Call{[] {}});
    buffer->observe(notes);
    buffer->commit();
    CHECK(buffer->wait(Waiting::idle, 10s));
    CHECK_EQUAL(notes->text, std::string("b0 f0 "));
}

TEST(is_told_once_of_a_wait_and_when_it_is_over) {
    auto event = std::make_shared<Event>();
    auto stream = std::make_shared<Stream>();
    auto notes = std::make_shared<Notes>();
    auto buffer = commandBuffer(stream);
    buffer->append(WaitEvent{event, 2});
    buffer->append(SignalEvent{event, 3});
    buffer->append(WaitEvent{event, 1});  // is over before it begins
    buffer->observe(notes);
    buffer->commit();
    CHECK(!buffer->wait(Waiting::idle, 20ms));
    event->signal(1);
    CHECK(!buffer->wait(Waiting::idle, 20ms));
    event->signal(2);
    CHECK(buffer->wait(Waiting::idle, 10s));
    CHECK_EQUAL(notes->text, std::string("b0 e0 b1 e1 b2 e2 "));
    CHECK(notes->areTimesRight);
}

TEST(is_not_told_that_a_wait_is_over_which_was_stopped) {
    auto event = std::make_shared<Event>();
    auto stream = std::make_shared<Stream>();
    auto notes = std::make_shared<Notes>();
    auto buffer = commandBuffer(stream);
    buffer->append(WaitEvent{event, 1});
    buffer->append(Call{[] {}});
    buffer->observe(notes);
    buffer->commit();
    const auto patience = std::chrono::steady_clock::now() + 10s;
    while (notes->told == 0 && std::chrono::steady_clock::now() < patience) std::this_thread::yield();
    CHECK(buffer->stop(10s));
    CHECK_EQUAL(notes->text, std::string("b0 "));
    CHECK_EQUAL(notes.use_count(), 1l);
}

int main(int count, char** arguments) {
    return check::main(count, arguments);
}
