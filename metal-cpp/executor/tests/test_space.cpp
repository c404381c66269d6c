// SPDX-License-Identifier: MIT

#include "../space.hpp"

#include <random>
#include <vector>

#include "check.hpp"

using namespace metal_executor;

namespace {

std::shared_ptr<Space> space(std::uint64_t bytes) {
    return std::make_shared<Space>(Memory::allocate(bytes));
}

}  // namespace

TEST(ranges_are_apart_and_given_back) {
    auto whole = space(1024);
    auto first = whole->take(256, 256), second = whole->take(512, 256);
    REQUIRE(first && second);
    CHECK(first->offset + 256 <= second->offset || second->offset + 512 <= first->offset);
    CHECK_EQUAL(whole->used(), 768u);
    CHECK(!whole->take(512, 256));
    second.reset();
    CHECK_EQUAL(whole->used(), 256u);
    CHECK(whole->take(768, 256));
}

TEST(neighbours_become_one_piece_again) {
    auto whole = space(1024);
    std::vector<std::shared_ptr<Range>> quarters;
    for (int i = 0; i < 4; ++i) quarters.push_back(whole->take(256, 256));
    quarters[0].reset();
    quarters[2].reset();
    CHECK_EQUAL(whole->largestFree(1), 256u);
    quarters[1].reset();
    CHECK_EQUAL(whole->largestFree(1), 768u);
    quarters[3].reset();
    CHECK_EQUAL(whole->largestFree(1), 1024u);
}

TEST(the_smallest_piece_that_fits_is_taken) {
    auto whole = space(4096);
    auto a = whole->take(1024, 1), b = whole->take(256, 1), c = whole->take(512, 1), d = whole->take(256, 1);
    const std::uint64_t place = c->offset;
    a.reset();
    c.reset();
    auto again = whole->take(512, 1);
    CHECK_EQUAL(again->offset, place);
}

TEST(alignment_is_kept_and_what_it_skips_is_free) {
    auto whole = space(4096);
    auto odd = whole->take(100, 1);
    auto aligned = whole->take(256, 1024);
    CHECK_EQUAL(aligned->offset % 1024, 0u);
    auto between = whole->take(900, 1);
    REQUIRE(between);
    CHECK(between->offset < aligned->offset);
    CHECK_EQUAL(whole->largestFree(2048), 2048u);
}

TEST(giving_back_twice_is_once) {
    auto whole = space(512);
    auto first = whole->take(256, 1);
    first->giveBack();
    CHECK(first->isGivenBack());
    auto second = whole->take(512, 1);
    REQUIRE(second);
    CHECK_EQUAL(first->address(), second->address());
    first->giveBack();
    first.reset();
    CHECK_EQUAL(whole->used(), 512u);
}

TEST(placed_ranges_lie_on_top_of_each_other) {
    auto whole = space(1024);
    auto first = whole->place(0, 512), second = whole->place(256, 512), third = whole->place(256, 512);
    REQUIRE(first && second && third);
    CHECK_EQUAL(whole->used(), 768u);
    CHECK_EQUAL(whole->largestFree(1), 256u);
    second.reset();
    CHECK_EQUAL(whole->used(), 768u);
    first.reset();
    CHECK_EQUAL(whole->used(), 512u);
    CHECK(!whole->place(768, 512));
    CHECK(!whole->place(2048, 1));
    CHECK(!whole->place(UINT64_MAX, 2));
}

TEST(a_range_keeps_the_block) {
    const std::uint64_t before = allocatedBytes();
    auto range = space(4096)->take(16, 1);
    static_cast<char*>(range->address())[15] = 1;
    CHECK(allocatedBytes() > before);
    range.reset();
    CHECK_EQUAL(allocatedBytes(), before);
}

TEST(many_takings_and_givings_leave_nothing_behind) {
    auto whole = space(1 << 16);
    std::mt19937 random(1);
    std::vector<std::shared_ptr<Range>> held;
    for (int step = 0; step < 20000; ++step) {
        if (!held.empty() && random() % 2 == 0) {
            std::swap(held[random() % held.size()], held.back());
            held.pop_back();
            continue;
        }
        auto range = whole->take(random() % 2000 + 1, std::uint64_t{1} << random() % 9);
        if (range == nullptr) continue;
        for (const auto& other : held)
            CHECK(range->offset + range->size <= other->offset || other->offset + other->size <= range->offset);
        held.push_back(std::move(range));
        std::uint64_t sum = 0;
        for (const auto& one : held) sum += one->size;
        CHECK_EQUAL(whole->used(), sum);
    }
    held.clear();
    CHECK_EQUAL(whole->used(), 0u);
    CHECK_EQUAL(whole->largestFree(1), std::uint64_t{1 << 16});
}

int main(int count, char** arguments) {
    return check::main(count, arguments);
}
