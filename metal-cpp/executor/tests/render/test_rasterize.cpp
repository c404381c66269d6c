// SPDX-License-Identifier: MIT
//
// Which samples primitives cover, against the rules looked up for one sample after the other.

#include "../../render/rasterize.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>
#include <vector>

#include "../../render/targets.hpp"
#include "../check.hpp"

using namespace metal_executor::render;

namespace {

constexpr std::int32_t side = 64;

/// How often each sample was covered.
struct Counter final : QuadTaker {
    std::vector<int> counts = std::vector<int>(std::size_t{side} * side * 8);
    bool isTidy = true;

    void take(std::int32_t x, std::int32_t y, const std::uint32_t (&coverage)[4]) override {
        isTidy &= x % 2 == 0 && y % 2 == 0 && (coverage[0] | coverage[1] | coverage[2] | coverage[3]) != 0;
        for (int k = 0; k < 4; ++k) {
            for (int s = 0; s < 8; ++s) {
                if ((coverage[k] >> s & 1) == 0) continue;
                const std::int32_t px = x + k % 2, py = y + k / 2;
                if (px < 0 || py < 0 || px >= side || py >= side) {
                    isTidy = false;
                } else {
                    ++counts[(std::size_t{8} * py + s) * side + px];
                }
            }
        }
    }
    int& at(std::int32_t x, std::int32_t y, int sample = 0) { return counts[(std::size_t{8} * y + sample) * side + x]; }
};

constexpr PixelRect everything{0, 0, side, side};

Primitive triangle(const std::int32_t (&corners)[3][2]) {
    Primitive made{};
    made.shape = Shape::triangle;
    for (int i = 0; i < 3; ++i) {
        made.x[i] = corners[i][0];
        made.y[i] = corners[i][1];
    }
    if (doubleArea(made.x, made.y) < 0) {
        std::swap(made.x[1], made.x[2]);
        std::swap(made.y[1], made.y[2]);
    }
    return made;
}

/// A place is inside when it is on the right of all edges; one on an edge when that is a left or a top one.
bool isInside(const Primitive& t, std::int64_t x, std::int64_t y) {
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3;
        const std::int64_t dx = t.x[j] - t.x[i], dy = t.y[j] - t.y[i];
        const __int128 cross = static_cast<__int128>(dx) * (y - t.y[i]) - static_cast<__int128>(dy) * (x - t.x[i]);
        const bool isTopLeft = dy < 0 || (dy == 0 && dx > 0);
        if (cross < 0 || (cross == 0 && !isTopLeft)) return false;
    }
    return true;
}

SampleGrid gridOf(unsigned count) {
    return SampleGrid(samplePositions(count), count);
}

/// Mostly near the picture, sometimes far away; often on pixels' middles and borders.
std::int32_t coordinate(std::mt19937& random) {
    const std::int32_t far = random() % 8 == 0 ? 100 * side : side + 20;
    const auto whole = static_cast<std::int32_t>(random() % (2 * far)) - far / 2;
    switch (random() % 4) {
        case 0:
            return whole * subpixels;
        case 1:
            return whole * subpixels + subpixels / 2;
        case 2:
            return whole * subpixels + static_cast<std::int32_t>(random() % 16) * 16;
        default:
            return whole * subpixels + static_cast<std::int32_t>(random() % subpixels);
    }
}

bool isDiamond(double x, double y, int px, int py) {
    return std::abs(x - px - 0.5) + std::abs(y - py - 0.5) < 0.5;
}

}  // namespace

TEST(triangles_cover_the_samples_inside_of_them) {
    std::mt19937 random(1);
    for (int round = 0; round < 600; ++round) {
        std::int32_t corners[3][2];
        for (auto& corner : corners) {
            for (std::int32_t& value : corner) value = coordinate(random);
        }
        const Primitive t = triangle(corners);
        if (doubleArea(t.x, t.y) == 0) continue;
        const SampleGrid grid = gridOf(1u << round % 4);
        const PixelRect part{static_cast<std::int32_t>(random() % 9), static_cast<std::int32_t>(random() % 9),
                             side - static_cast<std::int32_t>(random() % 9),
                             side - static_cast<std::int32_t>(random() % 9)};
        Counter counter;
        rasterize(t, part, grid, counter);
        CHECK(counter.isTidy);
        int wrong = 0;
        for (std::int32_t y = 0; y < side; ++y) {
            for (std::int32_t x = 0; x < side; ++x) {
                const bool isWanted = x >= part.x0 && x < part.x1 && y >= part.y0 && y < part.y1;
                for (unsigned s = 0; s < grid.count; ++s) {
                    const bool expected = isWanted && isInside(t, x * subpixels + grid.x[s], y * subpixels + grid.y[s]);
                    wrong += counter.at(x, y, static_cast<int>(s)) != (expected ? 1 : 0);
                }
            }
        }
        CHECK_EQUAL(wrong, 0);
    }
}

TEST(triangles_around_a_corner_cover_each_sample_once) {
    std::mt19937 random(2);
    for (int round = 0; round < 200; ++round) {
        const SampleGrid grid = gridOf(1u << round % 4);
        const std::int32_t all = side * subpixels;
        const std::int32_t middle[2] = {static_cast<std::int32_t>(random() % all),
                                        static_cast<std::int32_t>(random() % all)};
        // Around the picture's border, so that the fan covers all of it.
        std::vector<std::pair<std::int32_t, std::int32_t>> ring;
        for (int k = 0; k < 4; ++k) {
            const std::int32_t from[4][2] = {{0, 0}, {all, 0}, {all, all}, {0, all}};
            ring.emplace_back(from[k][0], from[k][1]);
            const auto along = static_cast<std::int32_t>(random() % all);
            const int next = (k + 1) % 4;
            ring.emplace_back(from[k][0] + (from[next][0] - from[k][0]) / all * along,
                              from[k][1] + (from[next][1] - from[k][1]) / all * along);
        }
        Counter counter;
        for (std::size_t k = 0; k < ring.size(); ++k) {
            const auto& a = ring[k];
            const auto& b = ring[(k + 1) % ring.size()];
            const Primitive t = triangle({{middle[0], middle[1]}, {a.first, a.second}, {b.first, b.second}});
            if (doubleArea(t.x, t.y) != 0) rasterize(t, everything, grid, counter);
        }
        int wrong = 0;
        for (std::int32_t y = 0; y < side; ++y) {
            for (std::int32_t x = 0; x < side; ++x) {
                for (unsigned s = 0; s < grid.count; ++s) wrong += counter.at(x, y, static_cast<int>(s)) != 1;
            }
        }
        CHECK_EQUAL(wrong, 0);
    }
}

TEST(points_cover_the_samples_inside_of_their_squares) {
    std::mt19937 random(3);
    for (int round = 0; round < 400; ++round) {
        const SampleGrid grid = gridOf(1u << round % 4);
        Primitive point{};
        point.shape = Shape::point;
        point.x[0] = coordinate(random);
        point.y[0] = coordinate(random);
        point.x[1] = subpixels + static_cast<std::int32_t>(random() % (30 * subpixels));
        Counter counter;
        rasterize(point, everything, grid, counter);
        CHECK(counter.isTidy);
        int wrong = 0;
        const auto isBetween = [&](std::int32_t at, std::int32_t middle) {
            const std::int64_t distance = 2 * (std::int64_t{at} - middle);
            return distance >= -point.x[1] && distance < point.x[1];
        };
        for (std::int32_t y = 0; y < side; ++y) {
            for (std::int32_t x = 0; x < side; ++x) {
                for (unsigned s = 0; s < grid.count; ++s) {
                    const bool expected = isBetween(x * subpixels + grid.x[s], point.x[0]) &&
                                          isBetween(y * subpixels + grid.y[s], point.y[0]);
                    wrong += counter.at(x, y, static_cast<int>(s)) != (expected ? 1 : 0);
                }
            }
        }
        CHECK_EQUAL(wrong, 0);
    }
}

// The diamonds' rule with ends that lie on no border: walked along in small steps.
TEST(lines_cover_the_pixels_whose_diamonds_they_leave) {
    std::mt19937 random(4);
    for (int round = 0; round < 300; ++round) {
        Primitive line{};
        line.shape = Shape::line;
        for (int i = 0; i < 2; ++i) {
            line.x[i] = static_cast<std::int32_t>(random() % (30 * subpixels)) + 10 * subpixels;
            line.y[i] = static_cast<std::int32_t>(random() % (30 * subpixels)) + 10 * subpixels;
        }
        if (line.x[0] == line.x[1] && line.y[0] == line.y[1]) continue;
        Counter counter;
        rasterize(line, everything, SampleGrid(), counter);
        CHECK(counter.isTidy);
        // The move by which ends on borders are decided.
        const double move = 1e-6;
        const double x0 = double(line.x[0]) / subpixels - move, y0 = double(line.y[0]) / subpixels - move * move;
        const double x1 = double(line.x[1]) / subpixels - move, y1 = double(line.y[1]) / subpixels - move * move;
        std::map<std::pair<int, int>, bool> expected;
        constexpr int steps = 40000;
        for (int i = 0; i <= steps; ++i) {
            const double t = double(i) / steps, x = x0 + (x1 - x0) * t, y = y0 + (y1 - y0) * t;
            const int px = static_cast<int>(x), py = static_cast<int>(y);
            if (isDiamond(x, y, px, py)) expected[{px, py}] = true;
        }
        for (auto& [pixel, isCovered] : expected) isCovered = !isDiamond(x1, y1, pixel.first, pixel.second);
        int wrong = 0;
        for (std::int32_t y = 0; y < side; ++y) {
            for (std::int32_t x = 0; x < side; ++x) {
                const auto found = expected.find({x, y});
                const bool isCovered = found != expected.end() && found->second;
                if ((counter.at(x, y) != 0) == isCovered) continue;
                // A diamond that the line only grazes may be missed between two steps.
                const bool isGrazed = counter.at(x, y) != 0 && found == expected.end();
                wrong += isGrazed ? 0 : 1;
                if (isGrazed) {
                    const double dx = x1 - x0, dy = y1 - y0;
                    const double apart =
                        std::abs(dx * (y + 0.5 - y0) - dy * (x + 0.5 - x0)) / std::max(std::abs(dx), std::abs(dy));
                    wrong += apart < 0.499 ? 1 : 0;
                }
            }
        }
        CHECK_EQUAL(wrong, 0);
    }
}

TEST(lines_that_follow_one_another_cover_each_pixel_once) {
    std::mt19937 random(5);
    for (int round = 0; round < 200; ++round) {
        // Along one direction, so that only the joints could be covered twice.
        const std::int32_t dx = static_cast<std::int32_t>(random() % 9) * 64,
                           dy = static_cast<std::int32_t>(random() % 9) * 64;
        if (dx == 0 && dy == 0) continue;
        Counter parts, whole;
        const std::int32_t x0 = static_cast<std::int32_t>(random() % 512) + 512,
                           y0 = static_cast<std::int32_t>(random() % 512) + 512;
        Primitive line{};
        line.shape = Shape::line;
        for (int i = 0; i < 12; ++i) {
            line.x[0] = x0 + i * dx;
            line.y[0] = y0 + i * dy;
            line.x[1] = x0 + (i + 1) * dx;
            line.y[1] = y0 + (i + 1) * dy;
            rasterize(line, everything, SampleGrid(), parts);
        }
        line.x[0] = x0;
        line.y[0] = y0;
        rasterize(line, everything, SampleGrid(), whole);
        CHECK(parts.counts == whole.counts);
    }
}

TEST(with_several_samples_lines_are_rectangles_one_pixel_wide) {
    const SampleGrid grid = gridOf(4);
    Primitive line{};
    line.shape = Shape::line;
    line.x[0] = 10 * subpixels;
    line.x[1] = 20 * subpixels;
    line.y[0] = line.y[1] = 5 * subpixels + subpixels / 2;
    Counter counter;
    rasterize(line, everything, grid, counter);
    for (std::int32_t y = 0; y < side; ++y) {
        for (std::int32_t x = 0; x < side; ++x) {
            for (int s = 0; s < 4; ++s) CHECK_EQUAL(counter.at(x, y, s), y == 5 && x >= 10 && x < 20 ? 1 : 0);
        }
    }
}

int main(int count, char** arguments) {
    return check::main(count, arguments);
}
