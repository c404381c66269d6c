// SPDX-License-Identifier: MIT

#include "../fault.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>
#include <vector>

#include "fixture.hpp"

using namespace fixture;

static void expectDeviceLives() {
    auto stream = std::make_shared<Stream>();
    std::vector<std::uint32_t> values(10'000);
    std::uint32_t turns = 5;
    auto buffer = commandBuffer(stream);
    buffer->append(dispatch(*buffer, kernel("add_one"), 10'000, 32, {values.data(), &turns}));
    buffer->commit();
    CHECK(buffer->wait(Waiting::idle, 60s));
    CHECK(buffer->status() == Status::completed);
    for (const std::uint32_t value : values) CHECK_EQUAL(value, 1u);
}

static Fault run(const std::string& name, std::initializer_list<void*> arguments, std::uint32_t groups = 1,
                 Waiting waiting = Waiting::idle) {
    auto stream = std::make_shared<Stream>();
    auto buffer = commandBuffer(stream);
    bool isReached = false;
    buffer->append(dispatch(*buffer, kernel(name), groups * 1024, 1024, arguments));
    buffer->append(Call{[&] { isReached = true; }});
    buffer->commit();
    CHECK(buffer->wait(waiting, 60s));
    CHECK(buffer->status() == Status::error);
    CHECK(!isReached);
    return buffer->fault();
}

TEST(wild_stores_are_reported_and_survived) {
    std::uint64_t culprit = 1000, groups = 2000;
    for (const Waiting waiting : {Waiting::idle, Waiting::helping}) {
        for (std::uintptr_t address = 0x1000; address < 0x100'0000; address += 0x8'0000) {
            const Fault fault = run("wild_store", {&address, &culprit}, static_cast<std::uint32_t>(groups), waiting);
            CHECK(fault.kind == FaultKind::invalidAddress);
            CHECK(fault.addressKnown);
            CHECK_EQUAL(fault.address, address);
            CHECK(fault.isWrite);
            CHECK_EQUAL(fault.kernel, std::string("wild_store"));
        }
    }
    std::uintptr_t address = 0x1234'5000;
    CHECK_EQUAL(run("wild_store", {&address, &culprit}, 2000).message,
                std::string("kernel wild_store: invalid memory access at address 0x12345000"));
    expectDeviceLives();
}

TEST(non_canonical_address_has_no_known_address) {
    std::uint64_t culprit = 1000;
    std::uintptr_t address = 0xdead'0000'0000'0000;
    const Fault fault = run("wild_store", {&address, &culprit}, 2000);
    CHECK(fault.kind == FaultKind::invalidAddress);
#if defined(__x86_64__)
    CHECK_EQUAL(fault.message, std::string("kernel wild_store: invalid memory access"));
#endif
}

// The other threads of the dispatch loop for ever and must be called off. ThreadSanitizer holds asynchronous signals
// back until a thread calls it, which a kernel never does.
TEST(fault_in_one_thread_stops_the_others) {
    if (threadSanitizer) return;
    std::uintptr_t address = 0x1000;
    for (std::uint64_t culprit = 0; culprit < 2; ++culprit) {
        const unsigned before = threadCount();
        setThreadCount(4);
        // With one group a thread, only as many as there are threads start at all.
        auto stream = std::make_shared<Stream>();
        auto buffer = commandBuffer(stream);
        buffer->append(dispatch(*buffer, kernel("wild_store"), 2048, 1024, {&address, &culprit}));
        buffer->commit();
        CHECK(buffer->wait(Waiting::idle, 60s));
        CHECK(buffer->fault().kind == FaultKind::invalidAddress);
        setThreadCount(before);
    }
    expectDeviceLives();
}

TEST(arithmetic_and_illegal_instructions_are_faults) {
    int values[2] = {1, 0};
    const Fault divide = run("divide", {values});
#if defined(__x86_64__)
    CHECK(divide.kind == FaultKind::arithmetic);
#endif
    CHECK(divide.message.starts_with("kernel divide: arithmetic exception"));
    CHECK(run("illegal", {}).kind == FaultKind::illegalInstruction);
    expectDeviceLives();
}

TEST(overflowing_stack_is_a_fault) {
    if (addressSanitizer || threadSanitizer) return;  // they give threads stacks of their own making
    int value = 0;
    CHECK(run("overflow", {&value}).kind == FaultKind::invalidAddress);
    CHECK(run("overflow", {&value}, 1, Waiting::helping).kind == FaultKind::invalidAddress);
    expectDeviceLives();
}

TEST(kernel_that_loops_for_ever_is_stopped) {
    if (threadSanitizer) return;
    for (int round = 0; round < 20; ++round) {
        auto stream = std::make_shared<Stream>();
        std::uint32_t starts = 0;
        auto endless = commandBuffer(stream), next = commandBuffer(stream);
        bool isReached = false;
        endless->append(dispatch(*endless, kernel("forever"), 1024 * 64, 1024, {&starts}));
        endless->commit();
        next->append(Call{[&] { isReached = true; }});
        next->commit();
        CHECK(!endless->wait(Waiting::idle, round < 2 ? 50ms : 100us));
        CHECK(endless->stop(30s));
        CHECK(endless->fault().kind == FaultKind::stopped);
        CHECK(next->wait(Waiting::idle, 30s));
        CHECK(isReached);
    }
    auto stream = std::make_shared<Stream>();
    std::uint32_t starts = 0;
    auto endless = commandBuffer(stream);
    endless->append(dispatch(*endless, kernel("forever"), 1, 1, {&starts}));
    endless->commit();
    while (__atomic_load_n(&starts, __ATOMIC_RELAXED) == 0) std::this_thread::yield();
    CHECK(endless->stop(30s));
    CHECK_EQUAL(endless->fault().message, std::string("kernel forever: execution was stopped"));
    expectDeviceLives();
}

TEST(thread_that_helps_is_stopped_too) {
    if (threadSanitizer) return;
    auto stream = std::make_shared<Stream>();
    std::uint32_t starts = 0;
    auto endless = commandBuffer(stream);
    endless->append(dispatch(*endless, kernel("forever"), 1024 * 64, 1024, {&starts}));
    endless->commit();
    std::thread stopper([&] {
        std::this_thread::sleep_for(50ms);
        endless->stop(30s);
    });
    CHECK(endless->wait(Waiting::helping, 60s));
    stopper.join();
    CHECK(endless->fault().kind == FaultKind::stopped);
}

TEST(stop_before_and_after_running) {
    auto stream = std::make_shared<Stream>();
    auto early = commandBuffer(stream), late = commandBuffer(stream);
    early->append(Call{[] {}});
    CHECK(!early->stop(0ns));
    early->commit();
    CHECK(early->wait(Waiting::idle, 10s));
    CHECK(early->fault().kind == FaultKind::stopped);
    late->commit();
    late->wait(Waiting::idle);
    CHECK(late->stop());
    CHECK(late->status() == Status::completed);
}

TEST(scratch_that_cannot_be_had_is_an_error) {
    const Fault fault = run("greedy", {});
    CHECK(fault.kind == FaultKind::outOfMemory);
    CHECK_EQUAL(fault.message, std::string("kernel greedy: out of memory for a worker's scratch"));
}

// In a child process each, since these end it.
static int statusOfChild(void (*body)()) {
    const pid_t child = fork();
    if (child == 0) {
        body();
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return status;
}

static volatile int* const nowhere = nullptr;

TEST(fault_outside_kernels_reaches_the_earlier_handler) {
    if (addressSanitizer || threadSanitizer) return;
    const int status = statusOfChild([] {
        struct sigaction action{};
        action.sa_handler = [](int) { _exit(42); };
        sigaction(SIGSEGV, &action, nullptr);
        installFaultHandlers();
        *nowhere = 1;
    });
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 42);
}

TEST(fault_outside_kernels_without_handler_ends_the_process) {
    if (addressSanitizer || threadSanitizer) return;
    int status = statusOfChild([] {
        struct sigaction standard{};
        standard.sa_handler = SIG_DFL;
        sigaction(SIGSEGV, &standard, nullptr);
        installFaultHandlers();
        *nowhere = 1;
    });
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
    status = statusOfChild([] { raise(SIGFPE); });
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGFPE);
}

// As Python's faulthandler does when it was enabled after the first kernel: it takes the signal, puts back what was
// there before, reports, and raises the signal again.
static struct sigaction before;

TEST(handler_installed_later_that_raises_again_does_not_loop) {
    if (addressSanitizer || threadSanitizer) return;
    const auto later = [] {
        struct sigaction action{};
        action.sa_flags = SA_NODEFER;
        action.sa_handler = [](int signal) {
            sigaction(signal, &before, nullptr);
            raise(signal);
        };
        sigaction(SIGSEGV, &action, &before);
    };
    static void (*install)() = later;
    int status = statusOfChild([] {
        installFaultHandlers();
        install();
        *nowhere = 1;
    });
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
    status = statusOfChild([] {
        installFaultHandlers();
        install();
        installFaultHandlers();
        *nowhere = 1;
    });
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
    status = statusOfChild([] {
        installFaultHandlers();
        auto loaded = kernel("wild_store");
        install();
        auto stream = std::make_shared<Stream>();
        auto buffer = commandBuffer(stream);
        std::uint64_t culprit = 1000;
        std::uintptr_t address = 0x1000;
        buffer->append(dispatch(*buffer, loaded, 2000 * 1024, 1024, {&address, &culprit}));
        buffer->commit();
        buffer->wait(Waiting::idle);
        _exit(buffer->fault().kind == FaultKind::invalidAddress ? 43 : 1);
    });
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 43);
}

int main(int count, char** arguments) {
    return check::main(count, arguments);
}
