// SPDX-License-Identifier: MIT
//
// Just enough of a test framework: TEST(name) { CHECK(condition); }. Each program runs its tests in order, or those
// whose names are given as arguments; it returns how many failed.

#pragma once

#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace check {

struct Test {
    const char* name;
    void (*run)();
};

inline std::vector<Test>& tests() {
    static std::vector<Test> all;
    return all;
}

inline int& failures() {
    static int count = 0;
    return count;
}

struct Register {
    Register(const char* name, void (*run)()) { tests().push_back({name, run}); }
};

inline void failed(const char* file, int line, const std::string& what) {
    std::cerr << file << ":" << line << ": " << what << std::endl;
    ++failures();
}

template <class A, class B>
void equal(const A& got, const B& expected, const char* text, const char* file, int line) {
    if (got == expected) return;
    std::ostringstream message;
    message << text << ": got " << got << ", expected " << expected;
    failed(file, line, message.str());
}

inline int main(int count, char** arguments) {
    int failedTests = 0;
    for (const Test& test : tests()) {
        bool isWanted = count < 2;
        for (int i = 1; i < count; ++i) isWanted |= std::strcmp(arguments[i], test.name) == 0;
        if (!isWanted) continue;
        const int before = failures();
        try {
            test.run();
        } catch (const std::exception& error) {
            failed(test.name, 0, error.what());
        }
        const bool isGood = failures() == before;
        std::cerr << (isGood ? "ok    " : "FAILED ") << test.name << std::endl;
        failedTests += isGood ? 0 : 1;
    }
    return failedTests;
}

}  // namespace check

#define TEST(name)                                                    \
    static void test_##name();                                        \
    static const check::Register register_##name(#name, test_##name); \
    static void test_##name()

#define CHECK(condition)                                                              \
    do {                                                                              \
        if (!(condition)) check::failed(__FILE__, __LINE__, "not true: " #condition); \
    } while (false)

#define CHECK_EQUAL(got, expected) check::equal(got, expected, #got, __FILE__, __LINE__)

#define REQUIRE(condition)                                              \
    do {                                                                \
        if (!(condition)) {                                             \
            check::failed(__FILE__, __LINE__, "not true: " #condition); \
            return;                                                     \
        }                                                               \
    } while (false)
