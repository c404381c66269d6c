// SPDX-License-Identifier: MIT
//
// The client and the compiler's process: answers, deaths, interrupts, forks.

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "fixture.hpp"

using namespace fixture;
using namespace std::chrono_literals;

static RequestOptions uncached() {
    RequestOptions options;
    options.useCache = false;
    return options;
}

TEST(requests_are_answered) {
    Folder folder;
    Client client(configuration(folder));
    const auto first = client.library(library("source"));
    REQUIRE(first);
    CHECK(first.reply->ok);
    CHECK_EQUAL(text(first.reply->bitcode), std::string("source"));
    const auto second = client.pipeline(pipeline("code"));
    REQUIRE(second);
    CHECK_EQUAL(text(second.reply->object), std::string("code"));
    const auto third = client.information();
    REQUIRE(third);
    CHECK_EQUAL(third.reply->cpu, std::string("fake"));
}

TEST(large_requests_and_replies_pass) {
    Folder folder;
    Client client(configuration(folder));
    std::string source(20 << 20, 'x');
    for (std::size_t i = 0; i < source.size(); i += 1000) source[i] = static_cast<char>(i / 1000);
    const auto answer = client.library(library(source));
    REQUIRE(answer);
    CHECK(text(answer.reply->bitcode) == source);
}

TEST(start_is_optional_and_in_advance) {
    Folder folder;
    Client client(configuration(folder));
    CHECK_EQUAL(client.compilerProcess(), 0);
    client.start();
    const int process = client.compilerProcess();
    CHECK(process > 0);
    client.start();
    CHECK(client.library(library("a")));
    CHECK_EQUAL(client.compilerProcess(), process);
}

TEST(crash_of_a_request_is_its_own_error) {
    Folder folder;
    Client client(configuration(folder));
    RequestOptions options;
    options.name = "cell 7";
    const auto bad = client.library(library("crash"), options);
    CHECK(bad.outcome == Outcome::failed);
    CHECK_EQUAL(bad.error, std::string("the compiler ended unexpectedly while compiling cell 7"));
    CHECK(client.library(library("good")));
    CHECK_EQUAL(client.pipeline(pipeline("x")).error, std::string());
}

TEST(death_of_the_service_is_an_error_and_then_over) {
    Folder folder;
    Client client(configuration(folder));
    const auto bad = client.library(library("end"));
    CHECK(bad.outcome == Outcome::failed);
    CHECK(bad.error.starts_with("the compiler ended unexpectedly while compiling the library"));
    CHECK_EQUAL(client.library(library("good")).error, std::string());
    for (int i = 0; i < 30; ++i) {
        kill(client.compilerProcess(), SIGKILL);
        if (i % 3 == 0) std::this_thread::sleep_for(5ms);  // else the request may reach one that is dying
        CHECK_EQUAL(client.library(library("after " + std::to_string(i))).error, std::string());
    }
}

TEST(missing_compiler_is_an_error_that_says_so) {
    Folder folder;
    Configuration made = configuration(folder);
    made.compiler = "/nowhere/metal-compiler";
    const auto missing = Client(made).library(library("a"));
    CHECK(missing.outcome == Outcome::failed);
    CHECK_EQUAL(missing.error,
                std::string("cannot run the compiler /nowhere/metal-compiler: No such file or directory"));
    made.compiler = "";
    CHECK_EQUAL(Client(made).library(library("a")).error,
                std::string("metal-compiler was not found, neither beside this library nor in PATH; MTLPY_COMPILER can "
                            "name it"));
    made.compiler = "/bin/false";
    const auto useless = Client(made).library(library("a"));
    CHECK(useless.outcome == Outcome::failed);
    CHECK(useless.error.find("the compiler") == 0);
}

TEST(answer_that_cannot_be_read_is_an_error) {
    Folder folder;
    Client client(configuration(folder));
    CHECK_EQUAL(client.library(library("garbage")).error,
                std::string("the compiler's answer for the library can't be read: message ends early"));
}

TEST(request_can_be_interrupted) {
    Folder folder;
    Client client(configuration(folder));
    client.start();
    int asked = 0;
    RequestOptions options;
    options.interrupted = [&] { return ++asked == 3; };
    const auto start = std::chrono::steady_clock::now();
    CHECK(client.library(library("sleep"), options).outcome == Outcome::interrupted);
    CHECK(std::chrono::steady_clock::now() - start < 5s);
    CHECK_EQUAL(asked, 3);
    CHECK(client.library(library("good"), options));
}

TEST(eight_threads_compile_at_once) {
    Folder folder;
    Client client(configuration(folder));
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t) {
        threads.emplace_back([&, t] {
            for (int i = 0; i < 10; ++i) {
                const std::string source = "thread " + std::to_string(t) + " request " + std::to_string(i);
                const auto answer =
                    i % 2 ? client.library(library(source)) : client.library(library(source), uncached());
                if (!answer || text(answer.reply->bitcode) != source) ++wrong;
                if (i == 5 && t == 0 && client.library(library("crash")).outcome != Outcome::failed) ++wrong;
            }
        });
    }
    for (auto& thread : threads) thread.join();
    CHECK_EQUAL(wrong.load(), 0);
}

TEST(compiler_inherits_no_descriptors) {
    Folder folder;
    const int leaky = open("/dev/null", O_RDONLY);  // not close-on-exec
    const int high = fcntl(leaky, F_DUPFD, 100);
    Client client(configuration(folder));
    const auto answer = client.library(library("descriptors"));
    REQUIRE(answer);
    CHECK_EQUAL(answer.reply->log, std::string("0 1 2 3 4 "));  // 4: the request's own connection
    close(leaky);
    close(high);
}

TEST(client_leaves_neither_process_nor_descriptors_behind) {
    Folder folder;
    const int before = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int process = 0;
    {
        Client client(configuration(folder));
        client.library(library("a"));
        client.library(library("crash"));
        process = client.compilerProcess();
    }
    CHECK_EQUAL(kill(process, 0), -1);
    const int after = open("/dev/null", O_RDONLY | O_CLOEXEC);
    CHECK_EQUAL(after, before + 1);
    close(before);
    close(after);
}

TEST(forked_child_has_a_compiler_of_its_own) {
    if (threadSanitizer) return;  // it can't follow a fork of a process with threads
    Folder folder;
    Client client(configuration(folder));
    CHECK(client.library(library("before")));
    const int parents = client.compilerProcess();
    std::atomic<bool> isOver = false;
    std::thread busy([&] {
        for (int i = 0; !isOver; ++i) CHECK(client.library(library("busy " + std::to_string(i)), uncached()));
    });
    for (int i = 0; i < 10; ++i) {
        const pid_t child = fork();
        if (child == 0) {
            alarm(60);
            if (client.compilerProcess() != 0) _exit(1);
            if (client.library(library("before")).source != Source::memory) _exit(2);
            if (!client.library(library("in the child"), uncached())) _exit(3);
            if (client.compilerProcess() == parents) _exit(4);
            _exit(0);
        }
        int status = 0;
        waitpid(child, &status, 0);
        CHECK(WIFEXITED(status));
        CHECK_EQUAL(WEXITSTATUS(status), 0);
    }
    isOver = true;
    busy.join();
    CHECK_EQUAL(client.compilerProcess(), parents);
}

TEST(environment_names_compiler_and_folder) {
    setenv("MTLPY_COMPILER", "/some/where/compiler", 1);
    setenv("MTLPY_CACHE_DIR", "/some/folder", 1);
    setenv("MTLPY_CACHE_SIZE", "2.5M", 1);
    Configuration made = Configuration::fromEnvironment();
    CHECK_EQUAL(made.compiler, std::string("/some/where/compiler"));
    CHECK_EQUAL(made.cacheFolder, std::string("/some/folder"));
    CHECK_EQUAL(made.cacheLimit, 2621440u);
    setenv("MTLPY_CACHE_DIR", "", 1);
    setenv("MTLPY_CACHE_SIZE", "lots", 1);
    made = Configuration::fromEnvironment();
    CHECK_EQUAL(made.cacheFolder, std::string());
    CHECK_EQUAL(made.cacheLimit, std::uint64_t{1} << 30);
    unsetenv("MTLPY_CACHE_DIR");
    setenv("XDG_CACHE_HOME", "/xdg", 1);
    CHECK_EQUAL(Configuration::fromEnvironment().cacheFolder, std::string("/xdg/mtlpy_nb"));
    setenv("XDG_CACHE_HOME", "relative", 1);
    setenv("HOME", "/home/somebody", 1);
    CHECK_EQUAL(Configuration::fromEnvironment().cacheFolder, std::string("/home/somebody/.cache/mtlpy_nb"));
}

int main(int count, char** arguments) {
    alarm(200);
    return check::main(count, arguments);
}
