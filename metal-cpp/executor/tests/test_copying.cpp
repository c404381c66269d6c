// SPDX-License-Identifier: MIT

#include "../copying.hpp"

#include <cstring>
#include <thread>
#include <vector>

#include "../memory.hpp"
#include "../pool.hpp"
#include "fixture.hpp"

using namespace fixture;

using Bytes = std::vector<std::uint8_t>;

static Bytes numbers(std::size_t count) {
    Bytes bytes(count);
    std::uint32_t state = 1;
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>((state = state * 1664525 + 1013904223) >> 24);
    return bytes;
}

TEST(every_byte_is_copied_once_and_none_beside_it) {
    const Bytes from = numbers((9 << 20) + 77);
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{100}, std::size_t{(2 << 20) - 1}, std::size_t{2 << 20},
                                    std::size_t{(8 << 20) + 5}}) {
        for (const std::size_t offset : {0, 1, 63}) {
            Bytes to(bytes + 128, 0xee);
            copyMemory(Pool::of(0), to.data() + offset, from.data() + 3, bytes);
            CHECK(std::memcmp(to.data() + offset, from.data() + 3, bytes) == 0);
            for (std::size_t i = 0; i < offset; ++i) CHECK_EQUAL(int(to[i]), 0xee);
            for (std::size_t i = offset + bytes; i < to.size(); ++i) CHECK_EQUAL(int(to[i]), 0xee);
        }
    }
}

TEST(ranges_that_overlap_move_as_a_whole) {
    const Bytes before = numbers(12 << 20);
    for (const std::size_t distance : {std::size_t{1}, std::size_t{3 << 20}}) {
        Bytes forth = before, back = before;
        const std::size_t bytes = before.size() - distance;
        copyMemory(Pool::of(0), forth.data() + distance, forth.data(), bytes);
        CHECK(std::memcmp(forth.data() + distance, before.data(), bytes) == 0);
        copyMemory(Pool::of(0), back.data(), back.data() + distance, bytes);
        CHECK(std::memcmp(back.data(), before.data() + distance, bytes) == 0);
    }
}

TEST(memory_is_filled_to_its_ends) {
    Bytes to((5 << 20) + 9, 1);
    fillMemory(Pool::of(0), to.data() + 3, 7, to.size() - 8);
    for (std::size_t i = 0; i < to.size(); ++i) {
        if (to[i] == (i < 3 || i >= to.size() - 5 ? 1 : 7)) continue;
        CHECK_EQUAL(i, to.size());
        break;
    }
}

TEST(rows_and_images_go_where_they_belong) {
    const std::size_t width = 3000, height = 700, depth = 3;
    const Bytes from = numbers((width + 5) * (height + 2) * depth);
    Bytes to((width + 1) * (height + 3) * depth, 0xee);
    CopyImage copy;
    copy.to = to.data();
    copy.from = from.data();
    copy.rowBytes = width;
    copy.rows = height;
    copy.images = depth;
    copy.toBytesPerRow = width + 1;
    copy.toBytesPerImage = (width + 1) * (height + 3);
    copy.fromBytesPerRow = width + 5;
    copy.fromBytesPerImage = (width + 5) * (height + 2);
    copyImage(Pool::of(0), copy);
    std::size_t wrong = 0;
    for (std::size_t z = 0; z < depth; ++z) {
        for (std::size_t y = 0; y < height + 3; ++y) {
            const std::uint8_t* row = to.data() + z * copy.toBytesPerImage + y * copy.toBytesPerRow;
            const std::uint8_t* source = from.data() + z * copy.fromBytesPerImage + y * copy.fromBytesPerRow;
            for (std::size_t x = 0; x < width + 1; ++x) wrong += row[x] != (x < width && y < height ? source[x] : 0xee);
        }
    }
    CHECK_EQUAL(wrong, 0u);
}

TEST(tight_images_are_one_range) {
    const Bytes from = numbers(2048 * 1024 * 3);
    Bytes to(from.size());
    CopyImage copy;
    copy.to = to.data();
    copy.from = from.data();
    copy.rowBytes = copy.toBytesPerRow = copy.fromBytesPerRow = 2048;
    copy.rows = 1024;
    copy.images = 3;
    copy.toBytesPerImage = copy.fromBytesPerImage = 2048 * 1024;
    copyImage(Pool::of(0), copy);
    CHECK(to == from);
}

TEST(another_thread_copies_its_part) {
    setThreadCount(2);
    auto memory = Memory::allocate(256 << 20);
    REQUIRE(memory);
    const Bytes from(64 << 20, 5);
    const std::uint64_t before = wakeUps();
    // The pool's threads sleep, having had no work for long; who copies wakes them.
    for (int i = 0; i < 100 && wakeUps() == before; ++i) {
        std::this_thread::sleep_for(1ms);
        copyMemory(Pool::of(0), memory->address(), from.data(), from.size());
    }
    CHECK(wakeUps() > before);
}

TEST(command_buffers_copy_and_fill_much) {
    auto stream = std::make_shared<Stream>();
    const Bytes from = numbers(6 << 20);
    Bytes to(from.size()), filled(from.size());
    auto buffer = commandBuffer(stream);
    buffer->append(Copy{to.data(), from.data(), from.size()});
    buffer->append(Fill{filled.data(), filled.size(), 3});
    buffer->commit();
    CHECK(buffer->wait(Waiting::idle));
    CHECK(to == from);
    CHECK(filled == Bytes(from.size(), 3));
}

int main(int count, char** arguments) {
    return check::main(count, arguments);
}
