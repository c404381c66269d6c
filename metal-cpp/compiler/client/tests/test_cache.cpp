// SPDX-License-Identifier: MIT
//
// The client's caches: what is found again, what is not, and what a bad folder does (nothing).

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>
#include <vector>

#include "fixture.hpp"

using namespace fixture;

TEST(second_request_comes_from_memory) {
    Folder folder;
    Client client(configuration(folder));
    CHECK(client.library(library("a")).source == Source::compiler);
    CHECK(client.library(library("a")).source == Source::memory);
    CHECK(client.library(library("b")).source == Source::compiler);
    protocol::LibraryRequest other = library("a");
    other.options.macros.push_back({"N", "3"});
    CHECK(client.library(other).source == Source::compiler);
    CHECK_EQUAL(folder.requests(), 3);
    CHECK_EQUAL(client.cacheFacts().memoryHits, 1u);
    CHECK_EQUAL(client.cacheFacts().misses, 3u);
}

TEST(warm_start_runs_no_compiler) {
    Folder folder;
    {
        Client client(configuration(folder));
        CHECK(client.library(library("a")));
        CHECK(client.pipeline(pipeline("code")));
    }
    Client client(configuration(folder));
    const auto first = client.library(library("a"));
    const auto second = client.pipeline(pipeline("code"));
    CHECK(first.source == Source::disk);
    CHECK(second.source == Source::disk);
    CHECK_EQUAL(text(first.reply->bitcode), std::string("a"));
    CHECK_EQUAL(text(second.reply->object), std::string("code"));
    CHECK_EQUAL(second.reply->log, std::string("about k"));
    CHECK_EQUAL(client.compilerProcess(), 0);
    CHECK_EQUAL(client.cacheFacts().diskHits, 2u);
    CHECK_EQUAL(client.cacheFacts().entries, 2u);
}

TEST(kernel_file_starts_with_its_shared_object) {
    Folder folder;
    Client client(configuration(folder));
    CHECK(client.pipeline(pipeline("\177ELF and so on")));
    REQUIRE(folder.entries().size() == 1);
    CHECK_EQUAL(folder.entries()[0].extension().string(), std::string(".so"));
    CHECK(read(folder.entries()[0]).starts_with("\177ELF and so on"));
}

TEST(every_part_of_a_pipeline_request_counts) {
    Folder folder;
    Client client(configuration(folder));
    std::vector<protocol::PipelineRequest> requests(8, pipeline("code"));
    requests[1].entry = "other";
    requests[2].constants.push_back({3, {1}});
    requests[3].laneMapping = 1;
    requests[4].laneWidth = 8;
    requests[5].mathMode = protocol::MathMode::safe;
    requests[6].maxTotalThreads = 64;
    requests[7].output = protocol::Output::ir;
    for (const auto& request : requests) CHECK(client.pipeline(request).source == Source::compiler);
    for (const auto& request : requests) CHECK(client.pipeline(request).source == Source::memory);
}

TEST(another_build_of_the_compiler_compiles_again) {
    Folder folder;
    Configuration made = configuration(folder);
    made.compiler = (folder.path() / "compiler").string();
    fs::copy_file(FAKE_COMPILER, made.compiler);
    CHECK(Client(made).library(library("a")).source == Source::compiler);
    CHECK(Client(made).library(library("a")).source == Source::disk);
    fs::last_write_time(made.compiler, fs::file_time_type::clock::now() + std::chrono::hours(1));
    CHECK(Client(made).library(library("a")).source == Source::compiler);
}

TEST(failed_compilation_is_not_kept) {
    Folder folder;
    Client client(configuration(folder));
    CHECK(client.library(library("error")).source == Source::compiler);
    CHECK(client.library(library("error")).source == Source::compiler);
    CHECK(folder.entries().empty());
}

TEST(caches_can_be_passed_by) {
    Folder folder;
    Client client(configuration(folder));
    RequestOptions options;
    options.useCache = false;
    CHECK(client.library(library("a"), options).source == Source::compiler);
    CHECK(folder.entries().empty());
    CHECK(client.library(library("a")).source == Source::compiler);
    CHECK(client.library(library("a"), options).source == Source::compiler);
}

TEST(cache_can_be_cleared_and_moved) {
    Folder folder;
    Client client(configuration(folder));
    fs::create_directories(folder.cache());
    write(folder.cache() / "notes.txt", "not an entry");
    client.library(library("a"));
    CHECK_EQUAL(client.cacheFacts().entries, 1u);
    client.clearCache();
    CHECK_EQUAL(client.cacheFacts().entries, 0u);
    CHECK_EQUAL(read(folder.cache() / "notes.txt"), std::string("not an entry"));
    CHECK(client.library(library("a")).source == Source::compiler);
    client.setCacheFolder("");
    CHECK_EQUAL(client.cacheFacts().folder, std::string());
    client.clearCache();
    CHECK(client.library(library("a")).source == Source::compiler);
    client.setCacheFolder((folder.path() / "elsewhere").string());
    client.clearCache();
    client.library(library("a"));
    CHECK(fs::exists(folder.path() / "elsewhere"));
}

TEST(changed_include_compiles_again) {
    Folder folder;
    const fs::path header = folder.path() / "header.h";
    write(header, "one");
    const auto request = library("include " + header.string());
    Client client(configuration(folder));
    CHECK_EQUAL(text(client.library(request).reply->bitcode), std::string("one"));
    CHECK(client.library(request).source == Source::memory);
    write(header, "two");
    CHECK_EQUAL(text(client.library(request).reply->bitcode), std::string("two"));
    CHECK(Client(configuration(folder)).library(request).source == Source::disk);
    write(header, "one");
    CHECK(Client(configuration(folder)).library(request).source == Source::compiler);
    fs::remove(header);
    CHECK(Client(configuration(folder)).library(request).source == Source::compiler);
}

TEST(damaged_entries_are_ignored_and_rewritten) {
    Folder folder;
    const auto compile = [&] { return Client(configuration(folder)).pipeline(pipeline("some code")).source; };
    CHECK(compile() == Source::compiler);
    REQUIRE(folder.entries().size() == 1);
    const fs::path entry = folder.entries()[0];
    const std::string good = read(entry);
    std::vector<std::string> bad = {"",
                                    "x",
                                    std::string(good.size(), '\0'),
                                    std::string(100'000, '\xff'),
                                    good.substr(0, good.size() - 1),
                                    good.substr(1),
                                    good + "x",
                                    good + good};
    for (std::size_t i = 0; i < good.size(); i += 5) {
        bad.push_back(good);
        bad.back()[i] ^= 0x20;
    }
    for (const std::string& content : bad) {
        write(entry, content);
        CHECK(compile() == Source::compiler);
        CHECK(read(entry) == good);
        CHECK(compile() == Source::disk);
    }
}

TEST(foreign_files_in_place_of_entries_are_ignored) {
    Folder folder;
    const auto compile = [&] { return Client(configuration(folder)).pipeline(pipeline("some code")); };
    CHECK(compile());
    const fs::path entry = folder.entries()[0];
    fs::permissions(entry, fs::perms::all);  // anybody may have written this
    CHECK(compile().source == Source::compiler);
    CHECK(compile().source == Source::disk);
    fs::remove(entry);
    CHECK_EQUAL(mkfifo(entry.c_str(), 0600), 0);  // must not block
    CHECK(compile().source == Source::compiler);
    fs::rename(entry, folder.path() / "kept");
    fs::create_symlink(folder.path() / "kept", entry);
    CHECK(compile().source == Source::compiler);
    fs::remove(entry);
    fs::create_directory(entry);
    CHECK(compile());
    CHECK(compile());
}

TEST(unusable_folder_means_no_caching) {
    Folder folder;
    write(folder.path() / "file", "");
    for (const std::string& path : {(folder.path() / "file" / "sub").string(), std::string("/proc/nowhere/cache"),
                                    std::string("/sys/mtlpy"), std::string(5000, 'x')}) {
        Configuration made = configuration(folder);
        made.cacheFolder = path;
        CHECK(Client(made).library(library("a")).source == Source::compiler);
        Client client(made);
        CHECK(client.library(library("a")).source == Source::compiler);
        CHECK(client.library(library("a")).source == Source::memory);
        CHECK_EQUAL(client.cacheFacts().entries, 0u);
        client.clearCache();
    }
}

TEST(read_only_folder_is_read) {
    if (geteuid() == 0) return;  // root may write anywhere
    Folder folder;
    CHECK(Client(configuration(folder)).library(library("a")));
    fs::permissions(folder.cache(), fs::perms::owner_read | fs::perms::owner_exec);
    CHECK(Client(configuration(folder)).library(library("a")).source == Source::disk);
    CHECK(Client(configuration(folder)).library(library("b")).source == Source::compiler);
    fs::permissions(folder.cache(), fs::perms::owner_all);
}

TEST(oldest_entries_go_when_there_are_too_many) {
    Folder folder;
    Configuration made = configuration(folder);
    made.cacheLimit = 100'000;
    const auto code = [](int i) { return std::string(10'000, static_cast<char>('a' + i)); };
    for (int i = 0; i < 9; ++i) {
        CHECK(Client(made).pipeline(pipeline(code(i))));
        for (const auto& entry : folder.entries()) {  // as if a minute had passed
            fs::last_write_time(entry, fs::last_write_time(entry) - std::chrono::minutes(1));
        }
    }
    CHECK_EQUAL(folder.entries().size(), 9u);
    CHECK(Client(made).pipeline(pipeline(code(9))));
    CHECK(Client(made).pipeline(pipeline(code(10))));
    CHECK(Client(made).cacheFacts().bytes <= made.cacheLimit);
    CHECK(Client(made).pipeline(pipeline(code(10))).source == Source::disk);
    CHECK(Client(made).pipeline(pipeline(code(8))).source == Source::disk);
    CHECK(Client(made).pipeline(pipeline(code(0))).source == Source::compiler);
}

TEST(memory_is_bounded_too) {
    Folder folder;
    Configuration made = configuration(folder);
    made.cacheFolder = "";
    made.memoryLimit = 50'000;
    Client client(made);
    const auto code = [](int i) { return std::string(10'000, static_cast<char>('a' + i)); };
    for (int i = 0; i < 10; ++i) CHECK(client.pipeline(pipeline(code(i))).source == Source::compiler);
    CHECK(client.pipeline(pipeline(code(9))).source == Source::memory);
    CHECK(client.pipeline(pipeline(code(0))).source == Source::compiler);
}

TEST(completions_are_never_kept) {
    Folder folder;
    Client client(configuration(folder));
    protocol::CompletionRequest request;
    request.source = "f";
    request.column = 7;
    for (int i = 0; i < 2; ++i) {
        const auto answer = client.completion(request);
        CHECK(answer && answer.reply->items.at(0).text == "f7");
        CHECK(answer.source == Source::compiler);
    }
    CHECK(client.cacheFacts().entries == 0);
}

TEST(many_processes_share_a_folder) {
    if (threadSanitizer) return;
    Folder folder;
    std::vector<pid_t> children;
    for (int p = 0; p < 6; ++p) {
        children.push_back(fork());
        if (children.back() != 0) continue;
        alarm(100);
        Configuration made = configuration(folder);
        made.cacheLimit = 60'000;  // so that entries are removed while others read them
        int wrong = 0;
        for (int i = 0; i < 60; ++i) {
            Client client(made);
            const std::string code(3000, static_cast<char>('a' + (i * 7 + p) % 26));
            const auto answer = client.pipeline(pipeline(code));
            if (!answer || text(answer.reply->object) != code) ++wrong;
        }
        _exit(wrong);
    }
    for (const pid_t child : children) {
        int status = 0;
        waitpid(child, &status, 0);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    CHECK(folder.requests() < 6 * 60);
    for (const auto& entry : folder.entries()) CHECK(entry.string().find(".writing.") == std::string::npos);
}

int main(int count, char** arguments) {
    alarm(200);
    return check::main(count, arguments);
}
