// SPDX-License-Identifier: MIT
//
// Whole render passes, with functions compiled by the C compiler: what is drawn, in which order, on how many threads,
// and how it ends when a function goes wrong.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

#include "../../render/draw.hpp"
#include "../../render/edges.hpp"
#include "../fixture.hpp"

using namespace fixture;
using namespace metal_executor::render;

namespace {

constexpr std::uint32_t rgba32Float = 125, depth32Float = 252;

/// A pass with one colour target of floats, and what is drawn in it.
struct Scene {
    std::uint32_t width, height, samples;
    std::vector<float> colors;
    RenderPass pass;
    std::vector<float> positions, values;
    std::vector<std::unique_ptr<std::array<void*, 2>>> arguments;
    std::shared_ptr<RenderPipeline> pipeline = std::make_shared<RenderPipeline>();

    Scene(std::uint32_t w, std::uint32_t h, std::uint32_t sampleCount = 1)
        : width(w), height(h), samples(sampleCount), colors(std::size_t{4} * w * h * sampleCount, -1.0f) {
        PassTargets& targets = pass.targets;
        targets.width = w;
        targets.height = h;
        targets.sampleCount = samples;
        ColorTarget& color = targets.colors[0];
        color.image = {rgba32Float,
                       reinterpret_cast<std::uint8_t*>(colors.data()),
                       w * 16u,
                       std::uint64_t{w} * h * 16 * samples,
                       std::uint64_t{w} * h * 16,
                       w,
                       h};
        color.load = LoadAction::clear;
        color.stores = true;
        std::fill(color.clear, color.clear + 4, 0.0);

        StageFunction& vertex = pipeline->vertex;
        vertex.kernel = kernel("vertices");
        vertex.inputs = {value(StageKind::vertexId, 0, 1), value(StageKind::instanceId, 1, 1)};
        vertex.outputs = {value(StageKind::position, 0, 4), value(StageKind::varying, 4, 9)};
        vertex.inputColumns = 2;
        vertex.outputColumns = 13;
        StageFunction& fragment = pipeline->fragment;
        fragment.kernel = kernel("fragments");
        fragment.inputs = {varying(0, 4, 4)};
        fragment.outputs = {value(StageKind::color, 0, 4)};
        fragment.inputColumns = fragment.outputColumns = 4;
    }

    static StageColumnValue value(StageKind kind, std::uint32_t column, std::uint32_t count) {
        StageColumnValue made;
        made.kind = kind;
        made.column = column;
        made.columnCount = count;
        return made;
    }
    static StageColumnValue varying(std::uint32_t column, std::uint32_t count, std::uint32_t source,
                                    Interpolation interpolation = Interpolation::centerPerspective) {
        StageColumnValue made = value(StageKind::varying, column, count);
        made.source = source;
        made.interpolation = interpolation;
        return made;
    }

    void add(float x, float y, float z, float w, std::array<float, 8> data) {
        for (float number : {x, y, z, w}) positions.push_back(number);
        values.insert(values.end(), data.begin(), data.end());
    }
    /// A corner where the window has (x, y), in pixels.
    void addAt(double x, double y, float z, std::array<float, 8> data) {
        add(static_cast<float>(2 * x / width - 1), static_cast<float>(1 - 2 * y / height), z, 1, data);
    }

    /// Of all vertices so far; they must not be added to after it.
    Draw& draw(PrimitiveKind kind = PrimitiveKind::triangle) {
        Draw made;
        made.pipeline = pipeline;
        arguments.push_back(
            std::make_unique<std::array<void*, 2>>(std::array<void*, 2>{positions.data(), values.data()}));
        made.vertexArguments = arguments.back()->data();
        made.primitive = kind;
        made.range.count = static_cast<std::uint32_t>(positions.size() / 4);
        pass.items.emplace_back(std::move(made));
        return std::get<Draw>(pass.items.back());
    }
    /// Adds what fragments write to what is there.
    static void accumulate(Draw& draw) {
        Blending& blending = draw.colors.colors[0];
        blending.isEnabled = true;
        blending.colorDestination = blending.alphaDestination = 1;
    }

    Fault run() {
        auto stream = std::make_shared<Stream>();
        auto buffer = commandBuffer(stream);
        buffer->append(Render{std::shared_ptr<const RenderPass>(std::shared_ptr<void>(), &pass)});
        buffer->commit();
        buffer->wait(Waiting::idle);
        return buffer->fault();
    }
    const float* at(std::uint32_t x, std::uint32_t y, std::uint32_t sample = 0) const {
        return colors.data() + ((std::size_t{sample} * height + y) * width + x) * 4;
    }
};

std::array<float, 8> same(float number) {
    return {number, number, number, number, number, number, number, number};
}

bool isInside(const std::int32_t (&x)[3], const std::int32_t (&y)[3], std::int64_t px, std::int64_t py) {
    const bool isTurned = doubleArea(x, y) < 0;
    for (int i = 0; i < 3; ++i) {
        const int a = isTurned ? (i + 1) % 3 : i, b = isTurned ? i : (i + 1) % 3;
        const std::int64_t dx = x[b] - x[a], dy = y[b] - y[a];
        const std::int64_t cross = dx * (py - y[a]) - dy * (px - x[a]);
        if (cross < 0 || (cross == 0 && !(dy < 0 || (dy == 0 && dx > 0)))) return false;
    }
    return true;
}

}  // namespace

TEST(a_triangle_covers_what_is_inside_of_it) {
    Scene scene(64, 64);
    scene.addAt(3.25, 2.5, 0, same(0.25f));
    scene.addAt(60.5, 20.75, 0, same(0.25f));
    scene.addAt(10, 61.125, 0, same(0.25f));
    scene.draw();
    CHECK_EQUAL(scene.run().message, std::string());
    const std::int32_t x[3] = {832, 15488, 2560}, y[3] = {640, 5312, 15648};
    int wrong = 0;
    for (std::uint32_t py = 0; py < 64; ++py) {
        for (std::uint32_t px = 0; px < 64; ++px) {
            const float expected = isInside(x, y, px * 256 + 128, py * 256 + 128) ? 0.25f : 0.0f;
            for (int i = 0; i < 4; ++i) wrong += scene.at(px, py)[i] != expected;
        }
    }
    CHECK_EQUAL(wrong, 0);
}

TEST(a_single_sample_may_lie_anywhere_in_its_pixel) {
    // The last pixels of the first tile are covered where their samples are, not in their middles.
    Scene scene(128, 64);
    const float place[2] = {0.9375f, 0.9375f};
    scene.pass.samplePositions = place;
    scene.addAt(63.75, 2.75, 0, same(0.25f));
    scene.addAt(120, 2.75, 0, same(0.25f));
    scene.addAt(63.75, 61, 0, same(0.25f));
    scene.draw();
    CHECK_EQUAL(scene.run().message, std::string());
    const std::int32_t x[3] = {16320, 30720, 16320}, y[3] = {704, 704, 15616};
    int wrong = 0;
    for (std::uint32_t py = 0; py < 64; ++py) {
        for (std::uint32_t px = 0; px < 128; ++px)
            wrong += scene.at(px, py)[0] != (isInside(x, y, px * 256 + 240, py * 256 + 240) ? 0.25f : 0.0f);
    }
    CHECK_EQUAL(wrong, 0);
}

TEST(many_triangles_are_each_drawn_once_over_all_tiles) {
    constexpr std::uint32_t side = 256;
    Scene scene(side, side);
    std::mt19937 random(7);
    std::vector<std::array<std::int32_t, 6>> corners;
    for (int i = 0; i < 3000; ++i) {
        std::array<std::int32_t, 6> triangle;
        const bool isLarge = i % 50 == 0;
        const auto cx = static_cast<std::int32_t>(random() % side), cy = static_cast<std::int32_t>(random() % side);
        for (int k = 0; k < 6; ++k) {
            const std::int32_t spread = isLarge ? 512 : 24;
            triangle[k] = ((k % 2 ? cy : cx) + static_cast<std::int32_t>(random() % spread) - spread / 2) * 256 +
                          static_cast<std::int32_t>(random() % 256);
        }
        corners.push_back(triangle);
        for (int k = 0; k < 3; ++k) scene.addAt(triangle[2 * k] / 256.0, triangle[2 * k + 1] / 256.0, 0.5f, same(1));
    }
    Scene::accumulate(scene.draw());
    CHECK_EQUAL(scene.run().message, std::string());
    std::vector<float> expected(side * side);
    for (const auto& t : corners) {
        const std::int32_t x[3] = {t[0], t[2], t[4]}, y[3] = {t[1], t[3], t[5]};
        if (doubleArea(x, y) == 0) continue;
        const auto [x0, x1] = std::minmax({t[0], t[2], t[4]});
        const auto [y0, y1] = std::minmax({t[1], t[3], t[5]});
        for (int py = std::max(0, y0 >> 8); py < std::min<int>(side, (y1 >> 8) + 1); ++py) {
            for (int px = std::max(0, x0 >> 8); px < std::min<int>(side, (x1 >> 8) + 1); ++px) {
                if (isInside(x, y, px * 256 + 128, py * 256 + 128)) expected[py * side + px] += 1;
            }
        }
    }
    int wrong = 0;
    for (std::uint32_t i = 0; i < side * side; ++i) wrong += scene.at(i % side, i / side)[0] != expected[i];
    CHECK_EQUAL(wrong, 0);
}

TEST(later_triangles_and_draws_come_on_top) {
    constexpr std::uint32_t side = 200;
    Scene scene(side, side);
    for (int i = 0; i < 500; ++i) {
        scene.addAt(-10, -10, 0, same(static_cast<float>(i)));
        scene.addAt(500, -10, 0, same(static_cast<float>(i)));
        scene.addAt(-10, 500, 0, same(static_cast<float>(i)));
    }
    scene.draw().range.count = 300;
    scene.pass.items.emplace_back(DrawBarrier{});
    Draw& second = scene.draw();
    second.range.start = 300;
    second.range.count = 1200;
    CHECK_EQUAL(scene.run().message, std::string());
    int wrong = 0;
    for (std::uint32_t i = 0; i < side * side; ++i) wrong += scene.at(i % side, i / side)[3] != 499;
    CHECK_EQUAL(wrong, 0);
}

TEST(strips_of_indices_begin_anew_at_the_restart_index) {
    // Every strip is a row of squares; some rows have one vertex too few to be seen.
    Scene scene(128, 128);
    std::vector<std::uint16_t> indices;
    constexpr int columns = 60, rows = 40;
    for (int row = 0; row < rows; ++row) {
        const int length = row % 7 == 3 ? 2 : 2 * (columns + 1);
        for (int i = 0; i < length; ++i) {
            indices.push_back(static_cast<std::uint16_t>(scene.positions.size() / 4));
            scene.addAt(2.0 * (i / 2), 3.0 * row + (i % 2 ? 2 : 0), 0, same(static_cast<float>(row + 1)));
        }
        indices.push_back(0xffff);
        if (row % 5 == 0) indices.push_back(0xffff);
    }
    Draw& draw = scene.draw(PrimitiveKind::triangleStrip);
    draw.indices = reinterpret_cast<const std::uint8_t*>(indices.data());
    draw.indexBytes = indices.size() * 2;
    draw.range.count = static_cast<std::uint32_t>(indices.size());
    draw.raster.cull = Cull::back;  // all turn the same way
    draw.raster.frontWinding = Winding::counterClockwise;
    CHECK_EQUAL(scene.run().message, std::string());
    int wrong = 0;
    for (std::uint32_t y = 0; y < 128; ++y) {
        for (std::uint32_t x = 0; x < 128; ++x) {
            const std::uint32_t row = y / 3;
            const bool isSeen = x < 2 * columns && y % 3 < 2 && row < rows && row % 7 != 3;
            wrong += scene.at(x, y)[0] != (isSeen ? static_cast<float>(row + 1) : 0.0f);
        }
    }
    CHECK_EQUAL(wrong, 0);
}

TEST(what_crosses_the_eye_is_cut_and_interpolated_with_perspective) {
    // A floor that goes from behind the eye to far away: at each pixel the plane's place is known.
    Scene scene(100, 100);
    const float far = 1000, behind = -50;
    const auto corner = [&](float x, float depth) {
        // The eye is at height 1 and looks along z; clip = (x, -1, z', depth).
        scene.add(x, -1, depth * 0.5f, depth, {x, depth, 0, 1, 0, 0, 0, 0});
    };
    corner(-2000, behind);
    corner(2000, behind);
    corner(0, far);
    Draw& draw = scene.draw();
    draw.raster.depthClip = DepthClip::clamp;
    CHECK_EQUAL(scene.run().message, std::string());
    int covered = 0;
    double worst = 0;
    for (std::uint32_t y = 0; y < 100; ++y) {
        for (std::uint32_t x = 0; x < 100; ++x) {
            const double u = 2 * (x + 0.5) / 100 - 1, v = 1 - 2 * (y + 0.5) / 100;
            if (v > -0.1) continue;  // nearer to the horizon, roundings of corners count for more
            const double depth = -1 / v, place = u * depth;
            const double width = 2000 * (far - depth) / (far - behind);
            if (std::abs(place) > width - 1) continue;
            ++covered;
            const float* color = scene.at(x, y);
            worst = std::max(
                {worst, std::abs(color[0] - place) / (1 + std::abs(place)), std::abs(color[1] - depth) / depth});
        }
    }
    CHECK(covered > 3000);
    CHECK(worst < 2e-3);
}

TEST(a_position_is_that_of_the_pixels_middle_whatever_the_samples) {
    Scene scene(32, 32, 4);
    scene.pipeline->fragment.inputs = {Scene::value(StageKind::position, 0, 4)};
    scene.addAt(0, 0, 0, same(1));
    scene.addAt(128, 0, 1, same(1));
    scene.addAt(0, 128, 0, same(1));
    scene.draw();
    CHECK_EQUAL(scene.run().message, std::string());
    double worst = 0;
    for (std::uint32_t i = 0; i < 32 * 32 * 4; ++i) {
        const std::uint32_t x = i % 32, y = i / 32 % 32;
        const double expected[4] = {x + 0.5, y + 0.5, (x + 0.5) / 128, 1};
        const float* color = scene.at(x, y, i / 1024);
        for (int k = 0; k < 4; ++k) worst = std::max(worst, std::abs(color[k] - expected[k]));
    }
    CHECK(worst < 1e-6);
}

TEST(flat_values_are_those_of_the_first_vertex_even_when_clipped) {
    Scene scene(64, 64);
    scene.pipeline->fragment.inputs = {Scene::varying(0, 4, 4, Interpolation::flat)};
    scene.add(-1, -1, -0.5f, 1, same(3));
    scene.add(3, -1, 0.5f, 1, same(4));
    scene.add(-1, 3, 0.5f, 1, same(5));
    scene.draw();
    CHECK_EQUAL(scene.run().message, std::string());
    int covered = 0, wrong = 0;
    for (std::uint32_t i = 0; i < 64 * 64; ++i) {
        const float color = scene.at(i % 64, i / 64)[0];
        covered += color != 0;
        wrong += color != 0 && color != 3;
    }
    CHECK_EQUAL(wrong, 0);
    CHECK(covered > 1000);
    CHECK(covered < 4000);  // what is nearer than the near plane is gone
}

TEST(instances_repeat_the_vertices) {
    Scene scene(64, 64);
    scene.pipeline->fragment.inputs = {Scene::varying(0, 1, 12, Interpolation::flat)};
    scene.addAt(0, 0, 0, same(1));
    scene.addAt(200, 0, 0, same(1));
    scene.addAt(0, 200, 0, same(1));
    Draw& draw = scene.draw();
    draw.range.instanceCount = 1000;
    draw.range.baseInstance = 5;
    Scene::accumulate(draw);
    CHECK_EQUAL(scene.run().message, std::string());
    CHECK_EQUAL(scene.at(13, 40)[0], 1000 * 5 + 999 * 500.0f);
}

TEST(what_touches_more_tiles_than_memory_is_for_is_drawn_in_rounds) {
    if (threadSanitizer) return;  // a minute of it; other tests have passes of several rounds
    for (const bool isSum : {true, false}) {
        Scene scene(200, 200, 2);
        scene.pass.mostTouches = 1;
        DepthTarget& depth = scene.pass.targets.depth;  // without memory of its own
        depth.image = {depth32Float, nullptr, 0, 0, 0, 200, 200};
        depth.load = LoadAction::clear;
        scene.pipeline->fragment.inputs = {Scene::varying(0, 1, 12, Interpolation::flat)};
        scene.addAt(0, 0, 0.5f, same(1));
        scene.addAt(600, 0, 0.5f, same(1));
        scene.addAt(0, 600, 0.5f, same(1));
        Draw& draw = scene.draw();
        draw.range.instanceCount = 1000;
        draw.depthStencil.depthCompare = isSum ? 3 : 1;  // less or equal; less: only the first is seen
        draw.depthStencil.writesDepth = true;
        Scene::accumulate(draw);
        draw.range.baseInstance = 7;
        CHECK_EQUAL(scene.run().message, std::string());
        for (std::uint32_t i = 0; i < 200; ++i)
            CHECK_EQUAL(scene.at(i, 150, i % 2)[0], isSum ? 1000 * 7 + 999 * 500.0f : 7.0f);
    }
}

TEST(draws_may_be_made_while_the_pass_runs) {
    Scene scene(32, 32);
    scene.addAt(0, 0, 0, same(1));
    scene.addAt(100, 0, 0, same(1));
    scene.addAt(0, 100, 0, same(1));
    Draw draw = scene.draw();
    Scene::accumulate(draw);
    scene.pass.items.clear();
    int left = 3;
    scene.pass.items.emplace_back(GenerateDraws{[&](Draw& made) {
        made = draw;
        return left-- > 0;
    }});
    CHECK_EQUAL(scene.run().message, std::string());
    CHECK_EQUAL(scene.at(9, 9)[0], 3.0f);

    scene.pass.items.clear();
    scene.pass.items.emplace_back(GenerateDraws{[](Draw&) -> bool { throw std::runtime_error("no more paint"); }});
    CHECK(scene.run().message.ends_with("no more paint"));
}

TEST(draws_behind_a_barrier_are_made_when_those_before_it_have_run) {
    for (const bool makesAny : {true, false}) {
        Scene scene(32, 32);
        scene.addAt(0, 0, 0, same(1));
        scene.addAt(100, 0, 0, same(1));
        scene.addAt(0, 100, 0, same(1));
        std::uint64_t visible = 0, seen = 0;
        Draw& first = scene.draw();
        Scene::accumulate(first);
        const Draw second = first;
        first.depthStencil.visibility = Visibility::counting;
        first.depthStencil.visible = &visible;
        scene.pass.items.emplace_back(DrawBarrier{});
        bool isLeft = makesAny;
        scene.pass.items.emplace_back(GenerateDraws{[&](Draw& made) {
            seen = visible;
            made = second;
            return std::exchange(isLeft, false);
        }});
        CHECK_EQUAL(scene.run().message, std::string());
        CHECK_EQUAL(seen, std::uint64_t{32 * 32});
        CHECK_EQUAL(scene.at(9, 9)[0], makesAny ? 2.0f : 1.0f);
    }
}

TEST(indirect_draws_read_their_range_when_they_run) {
    Scene scene(32, 32);
    for (int i = 0; i < 6; ++i) scene.addAt(i % 3 == 1 ? 100 : 0, i % 3 == 2 ? 100 : 0, 0, same(i < 3 ? 1 : 2));
    const std::uint32_t range[4] = {3, 2, 3, 0};
    Draw& draw = scene.draw();
    draw.indirect = range;
    Scene::accumulate(draw);
    CHECK_EQUAL(scene.run().message, std::string());
    CHECK_EQUAL(scene.at(9, 9)[0], 4.0f);
}

TEST(memoryless_depths_outlive_a_barrier) {
    Scene scene(96, 96, 4);
    DepthTarget& depth = scene.pass.targets.depth;
    depth.image = {depth32Float, nullptr, 0, 0, 0, 96, 96};
    depth.load = LoadAction::clear;
    depth.clear = 1;
    for (float z : {0.25f, 0.5f}) {
        scene.addAt(0, 0, z, same(z));
        scene.addAt(300, 0, z, same(z));
        scene.addAt(0, 300, z, same(z));
    }
    for (std::uint32_t start : {0u, 3u}) {
        Draw& draw = scene.draw();
        draw.range.start = start;
        draw.range.count = 3;
        draw.depthStencil.depthCompare = 1;  // less
        draw.depthStencil.writesDepth = true;
        scene.pass.items.emplace_back(DrawBarrier{});
    }
    CHECK_EQUAL(scene.run().message, std::string());
    for (std::uint32_t s = 0; s < 4; ++s) CHECK_EQUAL(scene.at(50, 50, s)[0], 0.25f);
}

TEST(a_pass_without_draws_clears) {
    Scene scene(70, 30);
    scene.pass.targets.colors[0].clear[1] = 0.5;
    CHECK_EQUAL(scene.run().message, std::string());
    CHECK_EQUAL(scene.at(69, 29)[1], 0.5f);
    CHECK_EQUAL(scene.at(0, 0)[0], 0.0f);
}

TEST(a_fault_in_a_function_ends_the_command_buffer) {
    for (const bool isVertex : {true, false}) {
        Scene scene(256, 256);
        scene.addAt(0, 0, 0, same(1));
        scene.addAt(600, 0, 0, same(1));
        scene.addAt(0, 600, 0, same(1));
        Draw& draw = scene.draw();
        draw.range.instanceCount = 3000;
        void* nowhere = reinterpret_cast<void*>(std::uintptr_t{0x1000});
        std::uint64_t culprit = 0;
        void* arguments[2] = {&nowhere, &culprit};
        (isVertex ? scene.pipeline->vertex : scene.pipeline->fragment).kernel = kernel("wild_store");
        (isVertex ? draw.vertexArguments : draw.fragmentArguments) = arguments;
        const Fault fault = scene.run();
        CHECK(fault.kind == FaultKind::invalidAddress);
        CHECK_EQUAL(fault.kernel, std::string("wild_store"));
        CHECK_EQUAL(fault.address, std::uintptr_t{0x1000});
        // The device goes on.
        Scene next(32, 32);
        next.addAt(0, 0, 0, same(1));
        next.addAt(100, 0, 0, same(1));
        next.addAt(0, 100, 0, same(1));
        next.draw();
        CHECK_EQUAL(next.run().message, std::string());
        CHECK_EQUAL(next.at(9, 9)[0], 1.0f);
    }
}

TEST(an_endless_function_can_be_stopped) {
    if (threadSanitizer) return;  // it holds signals back until a thread calls it, which a function never does
    for (const bool isVertex : {true, false}) {
        Scene scene(256, 256);
        scene.addAt(0, 0, 0, same(1));
        scene.addAt(600, 0, 0, same(1));
        scene.addAt(0, 600, 0, same(1));
        Draw& draw = scene.draw();
        std::atomic<std::uint32_t> starts = 0;
        void* arguments[1] = {&starts};
        (isVertex ? scene.pipeline->vertex : scene.pipeline->fragment).kernel = kernel("forever");
        (isVertex ? draw.vertexArguments : draw.fragmentArguments) = arguments;
        auto stream = std::make_shared<Stream>();
        auto buffer = commandBuffer(stream);
        buffer->append(Render{std::shared_ptr<const RenderPass>(std::shared_ptr<void>(), &scene.pass)});
        buffer->commit();
        while (starts.load() == 0) {
        }
        CHECK(buffer->stop(60s));
        CHECK(buffer->fault().kind == FaultKind::stopped);
    }
}

int main(int count, char** arguments) {
    return check::main(count, arguments);
}
