// SPDX-License-Identifier: MIT

#include "../memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "../spare_memory.hpp"
#include "check.hpp"

using namespace metal_executor;

TEST(allocation_is_page_aligned_zeroed_and_counted) {
    const std::uint64_t before = allocatedBytes();
    for (const std::uint64_t bytes : {std::uint64_t{1}, std::uint64_t{4096}, std::uint64_t{5 << 20}}) {
        auto memory = Memory::allocate(bytes);
        REQUIRE(memory);
        CHECK_EQUAL(reinterpret_cast<std::uintptr_t>(memory->address()) % pageSize(), 0u);
        CHECK_EQUAL(memory->size(), bytes);
        CHECK(!memory->isWrapped());
        auto* data = static_cast<unsigned char*>(memory->address());
        CHECK_EQUAL(int(data[0] | data[bytes - 1]), 0);
        std::memset(data, 1, bytes);
        CHECK(allocatedBytes() >= before + bytes);
    }
    CHECK_EQUAL(allocatedBytes(), before);
}

#ifndef __SANITIZE_THREAD__  // which keeps those addresses for itself
static bool isReadable(std::uintptr_t address) {
    int ends[2];
    if (pipe(ends) != 0) return false;
    const bool isWritten = write(ends[1], reinterpret_cast<void*>(address), 1) == 1;
    close(ends[0]);
    close(ends[1]);
    return isWritten;
}

static bool isWritable(std::uintptr_t address) {
    int ends[2];
    if (pipe(ends) != 0) return false;
    const char byte = 0;
    const bool isRead = write(ends[1], &byte, 1) == 1 && read(ends[0], reinterpret_cast<void*>(address), 1) == 1;
    close(ends[0]);
    close(ends[1]);
    return isRead;
}

TEST(behind_an_allocation_there_are_zeros_that_cannot_be_written) {
    for (const std::uint64_t bytes : {std::uint64_t{1}, std::uint64_t{100'000}, std::uint64_t{5 << 20}}) {
        std::vector<std::shared_ptr<Memory>> all;
        for (int i = 0; i < 100; ++i) all.push_back(Memory::allocate(bytes));
        for (const auto& memory : all) {
            REQUIRE(memory);
            const auto end = reinterpret_cast<std::uintptr_t>(memory->address()) + memory->allocatedSize();
            CHECK(isReadable(end - pageSize()));
            for (std::uintptr_t page = end; page < end + (64 << 10); page += pageSize()) {
                CHECK(isReadable(page) && !isWritable(page));
                CHECK_EQUAL(*reinterpret_cast<const std::uint64_t*>(page), std::uint64_t{0});
            }
        }
    }
}
#endif

TEST(as_many_allocations_as_the_system_has_areas_for_and_more) {
    std::vector<std::shared_ptr<Memory>> all;
    for (int i = 0; i < 70'000; ++i) {
        all.push_back(Memory::allocate(1));
        REQUIRE(all.back());
    }
}

TEST(large_allocations_are_made_for_huge_pages) {
    constexpr std::uint64_t hugePage = 2 << 20;
    auto large = Memory::allocate(5 * hugePage + 1), small = Memory::allocate(hugePage - pageSize());
    REQUIRE(large && small);
    const auto begin = reinterpret_cast<std::uintptr_t>(large->address());
    CHECK_EQUAL(begin % hugePage, 0u);
    std::ifstream maps("/proc/self/smaps");
    std::string line;
    bool isMeant = false, isFound = false;
    while (std::getline(maps, line)) {
        unsigned long long first = 0, end = 0;
        if (std::sscanf(line.c_str(), "%llx-%llx ", &first, &end) == 2) isMeant = first <= begin && begin < end;
        if (!isMeant || !line.starts_with("VmFlags:")) continue;
        isFound = true;
        if (std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled")) CHECK(line.find(" hg") != line.npos);
    }
    CHECK(isFound);
}

static std::shared_ptr<Memory> allocateToFill(std::uint64_t bytes) {
    const FillsMemory fills;
    return Memory::allocate(bytes);
}

TEST(freed_memory_is_used_again_where_its_contents_do_not_matter) {
    dropSpares();
    constexpr std::uint64_t bytes = 3 << 20;
    void* address = Memory::allocate(bytes)->address();
    auto other = allocateToFill(bytes - pageSize());
    auto again = allocateToFill(bytes);
    REQUIRE(other && again);
    CHECK(other->address() != address);  // of another size
    CHECK_EQUAL(again->address(), address);
    CHECK_EQUAL(takeSpare(bytes), nullptr);  // it is in use
}

TEST(what_whoever_fills_memory_does_not_reach_is_zeros) {
    dropSpares();
    const std::uint64_t whole = 3 << 20, bytes = whole - 100;
    std::memset(Memory::allocate(whole)->address(), 1, whole);
    const auto again = allocateToFill(bytes);
    REQUIRE(again);
    const auto* data = static_cast<const unsigned char*>(again->address());
    for (std::uint64_t i = bytes; i < whole; ++i) CHECK_EQUAL(int(data[i]), 0);
}

TEST(freed_memory_is_zeros_where_its_contents_matter) {
    constexpr std::uint64_t bytes = 3 << 20;
    for (int round = 0; round < 3; ++round) {
        auto memory = Memory::allocate(bytes);
        REQUIRE(memory);
        auto* data = static_cast<unsigned char*>(memory->address());
        for (std::uint64_t i = 0; i < bytes; i += 1024) CHECK_EQUAL(int(data[i]), 0);
        std::memset(data, 1, bytes);
    }
}

TEST(freed_memory_is_kept_up_to_a_limit_and_not_counted) {
    dropSpares();
    const std::uint64_t before = allocatedBytes(), each = mostSpareBytes() / 4;
    {
        std::vector<std::shared_ptr<Memory>> held;
        for (int i = 0; i < 6; ++i) held.push_back(Memory::allocate(each));
        held.push_back(Memory::allocate(mostSpareBytes() + pageSize()));  // more than is ever kept
        held.push_back(Memory::allocate(pageSize()));                     // less
        for (const auto& memory : held) REQUIRE(memory);
    }
    CHECK_EQUAL(allocatedBytes(), before);
    const std::uint64_t whole = (each + pageSize() - 1) / pageSize() * pageSize();
    std::uint64_t kept = 0;
    while (void* address = takeSpare(whole)) {
        CHECK(keepSpare(address, whole));
        CHECK_EQUAL(takeSpare(whole), address);
        munmap(address, whole);
        kept += whole;
    }
    CHECK(kept > 0);
    CHECK(kept <= mostSpareBytes());
    CHECK_EQUAL(takeSpare(mostSpareBytes() + pageSize()), nullptr);
    CHECK_EQUAL(takeSpare(pageSize()), nullptr);
    CHECK(!dropSpares());
}

TEST(too_large_an_allocation_is_refused_with_the_limit) {
    for (const std::uint64_t bytes : {maxAllocation() + 1, std::uint64_t{1} << 60, UINT64_MAX}) {
        std::string whyNot;
        CHECK(!Memory::allocate(bytes, &whyNot));
        CHECK_EQUAL(whyNot, "length is " + std::to_string(bytes) + " bytes, this device allows " +
                                std::to_string(maxAllocation()) + " more");
    }
}

TEST(allocation_of_nothing_is_refused) {
    std::string whyNot;
    CHECK(!Memory::allocate(0, &whyNot));
    CHECK_EQUAL(whyNot, std::string("length is 0 bytes, expected at least 1"));
}

TEST(limit_shrinks_by_what_is_allocated) {
    const std::uint64_t before = maxAllocation();
    auto memory = Memory::allocate(8 << 20);
    CHECK_EQUAL(maxAllocation(), before - (8 << 20));
}

TEST(wrapped_memory_is_handed_back_once_and_not_counted) {
    const std::uint64_t before = allocatedBytes();
    int value = 7, released = 0;
    {
        auto memory = Memory::wrap(&value, sizeof value, [&] { ++released; });
        auto second = memory;
        CHECK(memory->isWrapped());
        CHECK_EQUAL(memory->address(), static_cast<void*>(&value));
        CHECK_EQUAL(allocatedBytes(), before);
    }
    CHECK_EQUAL(released, 1);
}

int main(int count, char** arguments) {
    return check::main(count, arguments);
}
