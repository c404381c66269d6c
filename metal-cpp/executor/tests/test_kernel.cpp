// SPDX-License-Identifier: MIT

#include "../kernel.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "fixture.hpp"

using namespace fixture;

static std::vector<std::uint8_t> bytesOf(const std::string& name) {
    std::ifstream file(kernelPath(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

static std::string refusal(std::span<const std::uint8_t> bytes) {
    std::string whyNot;
    CHECK(!Kernel::load(bytes, "k", &whyNot));
    return whyNot;
}

TEST(kernel_loads_from_bytes_and_knows_its_code) {
    std::string whyNot;
    auto loaded = Kernel::load(bytesOf("empty"), "empty", &whyNot);
    REQUIRE(loaded);
    CHECK_EQUAL(loaded->name(), std::string("empty"));
    CHECK_EQUAL(loaded->info().lane_width, 16u);
    CHECK(loaded->contains(reinterpret_cast<std::uintptr_t>(loaded->function())));
    CHECK(!loaded->contains(reinterpret_cast<std::uintptr_t>(&bytesOf)));
    CHECK(!loaded->contains(0));
}

TEST(kernels_loaded_at_the_same_time_are_different_ones) {
    const int before = open("/dev/null", O_RDONLY | O_CLOEXEC);
    std::vector<std::shared_ptr<const Kernel>> loaded;
    for (int i = 0; i < 100; ++i) {
        std::string whyNot;
        loaded.push_back(Kernel::load(bytesOf(i % 2 ? "empty" : "add_one"), "k", &whyNot));
        REQUIRE(loaded.back());
        CHECK_EQUAL(loaded.back()->info().static_threadgroup_memory, i % 2 ? 0u : 256u);
        for (int j = 0; j < i; ++j) CHECK(loaded[j]->function() != loaded.back()->function());
    }
    const int after = open("/dev/null", O_RDONLY | O_CLOEXEC);
    CHECK_EQUAL(after, before + 1);  // no descriptor is kept
    close(before);
    close(after);
}

TEST(what_is_no_kernel_is_refused) {
    CHECK(refusal({}).starts_with("kernel k: cannot load its code: "));
    const std::vector<std::uint8_t> rubbish(5000, 0x5a);
    CHECK(refusal(rubbish).starts_with("kernel k: cannot load its code: "));
    CHECK_EQUAL(refusal(bytesOf("no_symbol")), std::string("kernel k: its code lacks the symbol metal_kernel_info"));
    CHECK_EQUAL(refusal(bytesOf("other_version")),
                "kernel k: its code has interface version 77, expected " + std::to_string(metal_kernel_abi_version));
}

TEST(variant_follows_the_threadgroup_shape) {
    const auto is = [](LaneVariant got, std::uint32_t mapping, std::uint32_t width) {
        CHECK(got == (LaneVariant{mapping, width}));
    };
    is(variantFor(false, 32, 8, 1, 32), metal_lanes_in_row, 0);
    is(variantFor(false, 3, 1, 1, 3), metal_lanes_in_row, 0);
    is(variantFor(false, 16, 16, 1, 16), metal_lanes_in_row, 16);
    is(variantFor(false, 8, 8, 1, 8), metal_lanes_in_row, 8);
    is(variantFor(false, 4, 4, 4, 4), metal_lanes_linear, 0);
    is(variantFor(true, 64, 2, 1, 64), metal_lanes_in_row, 32);
    is(variantFor(true, 40, 1, 1, 40), metal_lanes_in_row, 32);
    is(variantFor(true, 16, 16, 1, 16), metal_lanes_linear, 32);
    is(variantFor(true, 64, 2, 1, 8), metal_lanes_linear, 32);
    is(variantFor(true, 64, 1, 1, 8), metal_lanes_in_row, 32);
}

int main(int count, char** arguments) {
    return check::main(count, arguments);
}
