// SPDX-License-Identifier: MIT

#include "../shared_counter.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <thread>

#include "fixture.hpp"

using namespace fixture;

static std::shared_ptr<SharedCounter> make(std::uint64_t value, std::string_view label = "") {
    std::string whyNot;
    auto made = SharedCounter::make(value, label, whyNot);
    if (!made) throw std::runtime_error(whyNot);
    return made;
}

static std::string refusal(const std::string& name) {
    std::string whyNot;
    return SharedCounter::open(name, whyNot) ? "" : whyNot;
}

static std::string refusal(int descriptor) {
    std::string whyNot;
    return SharedCounter::open(descriptor, whyNot) ? "" : whyNot;
}

static bool holds(const std::string& text, const char* part) {
    return text.find(part) != text.npos;
}

/// Runs `function` in a child process; what it returns.
template <class Function>
static int inChild(Function function) {
    const pid_t child = fork();
    if (child == 0) _exit(function());
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(value_only_grows_and_changes_the_pulse) {
    auto counter = make(5);
    const std::uint32_t pulse = counter->pulse();
    counter->raise(5);
    counter->raise(3);
    CHECK_EQUAL(counter->value(), 5u);
    CHECK_EQUAL(counter->pulse(), pulse);
    counter->raise(UINT64_MAX);
    CHECK_EQUAL(counter->value(), UINT64_MAX);
    CHECK(counter->pulse() != pulse);
}

TEST(descriptor_and_name_lead_to_the_same_value) {
    auto counter = make(1, "frames");
    std::string whyNot;
    auto byDescriptor = SharedCounter::open(counter->descriptor(), whyNot);
    auto byName = SharedCounter::open(counter->name(), whyNot);
    REQUIRE(byDescriptor && byName);
    CHECK(byDescriptor->descriptor() != counter->descriptor());
    byName->raise(7);
    CHECK_EQUAL(counter->value(), 7u);
    CHECK_EQUAL(byDescriptor->value(), 7u);
    CHECK_EQUAL(byDescriptor->label(), std::string("frames"));
    const int descriptor = counter->descriptor();
    counter.reset();
    CHECK_EQUAL(fcntl(descriptor, F_GETFD), -1);
    byDescriptor->raise(8);
    CHECK_EQUAL(byName->value(), 8u);
}

TEST(label_of_any_length_is_cut_to_what_there_is_room_for) {
    CHECK_EQUAL(make(0, std::string(1000, 'x'))->label(), std::string(255, 'x'));
}

TEST(another_process_raises_it_and_wakes_who_sleeps) {
    auto counter = make(0);
    const std::string name = counter->name();
    std::thread child([&] {
        CHECK_EQUAL(inChild([&] {
                        std::string whyNot;
                        auto same = SharedCounter::open(name, whyNot);
                        if (!same) return 1;
                        usleep(20'000);
                        same->raise(9);
                        return 0;
                    }),
                    0);
    });
    const auto begin = std::chrono::steady_clock::now();
    for (std::uint32_t pulse = counter->pulse(); counter->value() < 9; pulse = counter->pulse()) {
        counter->sleep(pulse, 60s);
        if (std::chrono::steady_clock::now() - begin > 60s) break;
    }
    child.join();
    CHECK_EQUAL(counter->value(), 9u);
}

TEST(sleep_ends_at_once_when_the_pulse_is_another) {
    auto counter = make(0);
    const std::uint32_t pulse = counter->pulse();
    counter->raise(1);
    const auto begin = std::chrono::steady_clock::now();
    counter->sleep(pulse, 60s);
    counter->sleep(counter->pulse(), 0s);
    counter->sleep(counter->pulse(), 1ms);
    CHECK(std::chrono::steady_clock::now() - begin < 50s);
}

TEST(raises_of_many_threads_leave_the_greatest) {
    auto counter = make(0);
    std::vector<std::thread> threads;
    for (std::uint64_t first = 1; first <= 4; ++first) {
        threads.emplace_back([&, first] {
            for (std::uint64_t value = first; value <= 20'000; value += 4) counter->raise(value);
        });
    }
    for (auto& thread : threads) thread.join();
    CHECK_EQUAL(counter->value(), 20'000u);
}

TEST(a_name_is_of_no_use_when_its_event_has_gone) {
    auto counter = make(0);
    const std::string name = counter->name();
    counter.reset();
    CHECK(holds(refusal(name), "has the event no more"));
    auto other = make(0);  // in the same place, perhaps
    CHECK(holds(refusal(name), "has the event no more"));
    int pipes[2];
    REQUIRE(pipe(pipes) == 0);
    const pid_t child = fork();
    if (child == 0) {
        const std::string childs = make(0)->name();
        _exit(write(pipes[1], childs.data(), childs.size()) < 0);
    }
    waitpid(child, nullptr, 0);
    char childs[128] = {};
    CHECK(read(pipes[0], childs, sizeof childs - 1) > 0);
    CHECK(holds(refusal(std::string(childs)), "has the event no more"));
    close(pipes[0]);
    close(pipes[1]);
}

TEST(words_that_are_no_names_are_refused) {
    const std::string name = make(0)->name();
    for (const std::string& word : {std::string(), std::string("mtlpy-event"), name + "0", name + " ", " x" + name,
                                    std::string("mtlpy-event:1:2:"), std::string("mtlpy-event:a:2:00")})
        CHECK(holds(refusal(word), "is no name of a shared event"));
}

TEST(files_that_are_no_counters_are_refused) {
    CHECK(holds(refusal(-1), "file descriptor -1"));
    int pipes[2];
    REQUIRE(pipe(pipes) == 0);
    CHECK(holds(refusal(pipes[0]), "no shared event"));
    const int plain = memfd_create("mtlpy-event", MFD_ALLOW_SEALING);
    REQUIRE(plain >= 0 && ftruncate(plain, 4096) == 0);
    CHECK(holds(refusal(plain), "no shared event"));  // it could be made shorter
    REQUIRE(fcntl(plain, F_ADD_SEALS, F_SEAL_SHRINK) == 0);
    CHECK(holds(refusal(plain), "no shared event"));  // nothing marks it
    CHECK(fcntl(plain, F_GETFD) >= 0);
    for (const int file : {pipes[0], pipes[1], plain}) close(file);
}

TEST(a_counter_of_another_version_is_refused) {
    auto counter = make(3);
    const int copy = memfd_create("mtlpy-event", MFD_ALLOW_SEALING);
    char page[4096];
    REQUIRE(copy >= 0 && pread(counter->descriptor(), page, sizeof page, 0) == sizeof page);
    page[8] ^= 0x40;  // of the version, which comes behind the mark's 8 bytes
    REQUIRE(write(copy, page, sizeof page) == sizeof page && fcntl(copy, F_ADD_SEALS, F_SEAL_SHRINK) == 0);
    CHECK(holds(refusal(copy), "of another version"));
    close(copy);
}

TEST(nobody_can_take_the_memory_away) {
    auto counter = make(3);
    CHECK_EQUAL(ftruncate(counter->descriptor(), 0), -1);
    CHECK_EQUAL(counter->value(), 3u);
}

int main(int count, char** arguments) {
    return check::main(count, arguments);
}
