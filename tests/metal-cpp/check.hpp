// SPDX-License-Identifier: MIT
//
// What the tests here share: CHECK counts failures, main() runs the tests of its file.

#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include <Metal/Metal.hpp>
#include <MetalPortable/MetalPortable.hpp>

inline int failures = 0;

inline void check(bool isRight, const char* text, const char* file, int line) {
    if (isRight) return;
    ++failures;
    std::fprintf(stderr, "%s:%d: failed: %s\n", file, line, text);
}

#define CHECK(condition) check(bool(condition), #condition, __FILE__, __LINE__)

/// Whether `text` holds `part`; prints it when it does not.
inline bool contains(const NS::String* text, std::string_view part) {
    const std::string_view whole = text != nullptr ? text->utf8String() : "(null)";
    if (whole.find(part) != whole.npos) return true;
    std::fprintf(stderr, "not in it: \"%.*s\"\n", static_cast<int>(whole.size()), whole.data());
    return false;
}

/// Runs a test with a pool of its own.
inline void run(const char* name, void (*test)()) {
    const int before = failures;
    auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
    test();
    pool.reset();
    std::printf("%s %s\n", failures == before ? "ok  " : "FAIL", name);
}

#define RUN(test) run(#test, test)

inline NS::String* text(const char* utf8) {
    return NS::String::string(utf8, NS::UTF8StringEncoding);
}
