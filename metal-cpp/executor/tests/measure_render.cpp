// SPDX-License-Identifier: MIT
//
// Not a test: prints what render passes cost with functions that do next to nothing. Arguments: how often, which one.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <vector>

#include "../clock.hpp"
#include "../render/draw.hpp"
#include "fixture.hpp"

using namespace fixture;
using namespace metal_executor::render;

namespace {

constexpr std::uint32_t bgra8Unorm = 80, depth32Float = 252;
constexpr std::uint32_t width = 1920, height = 1080;

StageColumnValue value(StageKind kind, std::uint32_t column, std::uint32_t count, std::uint32_t source = 0) {
    StageColumnValue made;
    made.kind = kind;
    made.column = column;
    made.columnCount = count;
    made.source = source;
    return made;
}

struct Picture {
    std::vector<std::uint8_t> colors = std::vector<std::uint8_t>(std::size_t{4} * width * height);
    std::vector<float> depths = std::vector<float>(std::size_t{1} * width * height);
    std::vector<float> positions, values;
    std::vector<std::uint32_t> indices;
    void* arguments[2];
    std::shared_ptr<RenderPipeline> pipeline = std::make_shared<RenderPipeline>();
    std::shared_ptr<RenderPass> pass = std::make_shared<RenderPass>();

    explicit Picture(bool hasDepth) {
        PassTargets& targets = pass->targets;
        targets.width = width;
        targets.height = height;
        ColorTarget& color = targets.colors[0];
        color.image = {bgra8Unorm, colors.data(), width * 4, width * height * 4, 0, width, height};
        color.load = LoadAction::clear;
        color.stores = true;
        if (hasDepth) {
            targets.depth.image = {depth32Float, reinterpret_cast<std::uint8_t*>(depths.data()), width * 4, 0, 0, width,
                                   height};
            targets.depth.load = LoadAction::clear;
        }
        pipeline->vertex.kernel = kernel("vertices");
        pipeline->vertex.inputs = {value(StageKind::vertexId, 0, 1), value(StageKind::instanceId, 1, 1)};
        pipeline->vertex.outputs = {value(StageKind::position, 0, 4), value(StageKind::varying, 4, 9)};
        pipeline->vertex.inputColumns = 2;
        pipeline->vertex.outputColumns = 13;
        pipeline->fragment.kernel = kernel("fragments");
        pipeline->fragment.inputs = {value(StageKind::varying, 0, 4, 4)};
        pipeline->fragment.outputs = {value(StageKind::color, 0, 4)};
        pipeline->fragment.inputColumns = pipeline->fragment.outputColumns = 4;
    }

    void corner(float x, float y, float z, float shade) {
        for (float number : {x, y, z, 1.0f}) positions.push_back(number);
        for (int i = 0; i < 8; ++i) values.push_back(shade);
    }

    void draw() {
        Draw draw;
        draw.pipeline = pipeline;
        arguments[0] = positions.data();
        arguments[1] = values.data();
        draw.vertexArguments = arguments;
        draw.range.count = static_cast<std::uint32_t>(indices.empty() ? positions.size() / 4 : indices.size());
        if (!indices.empty()) {
            draw.indices = reinterpret_cast<const std::uint8_t*>(indices.data());
            draw.indexBytes = 4 * indices.size();
            draw.indexSize = 4;
        }
        if (pass->targets.depth.image) {
            draw.depthStencil.depthCompare = 1;
            draw.depthStencil.writesDepth = true;
        }
        pass->items.emplace_back(draw);
    }

    void measure(const char* what, int times) {
        auto stream = std::make_shared<Stream>();
        std::int64_t least = INT64_MAX, leastBusy = INT64_MAX;
        for (int i = 0; i < times; ++i) {
            auto buffer = commandBuffer(stream);
            buffer->append(Render{pass});
            const std::int64_t start = nanoseconds(), busy = processNanoseconds();
            buffer->commit();
            buffer->wait(Waiting::idle);
            least = std::min(least, nanoseconds() - start);
            leastBusy = std::min(leastBusy, processNanoseconds() - busy);
            if (buffer->fault()) std::printf("%s\n", buffer->fault().message.c_str());
        }
        std::printf("%-40s %8.2f ms, of processors %8.2f ms\n", what, static_cast<double>(least) / 1e6,
                    static_cast<double>(leastBusy) / 1e6);
    }

    static std::int64_t processNanoseconds() {
        timespec now;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
        return now.tv_sec * 1'000'000'000 + now.tv_nsec;
    }
};

}  // namespace

int main(int count, char** arguments) {
    const int times = count > 1 ? std::atoi(arguments[1]) : 5;
    const auto isWanted = [&](int scene) { return count < 3 || std::atoi(arguments[2]) == scene; };
    if (isWanted(0)) {
        Picture picture(false);
        picture.corner(-1, 1, 0, 0.5f);
        picture.corner(3, 1, 0, 0.5f);
        picture.corner(-1, -3, 0, 0.25f);
        picture.draw();
        picture.measure("one triangle over 1920 x 1080", times);
    }
    if (isWanted(1)) {
        Picture picture(true);
        constexpr std::uint32_t columns = 289, rows = 173;  // 99,994 triangles
        for (std::uint32_t y = 0; y <= rows; ++y) {
            for (std::uint32_t x = 0; x <= columns; ++x) {
                const float u = static_cast<float>(x) / columns, v = static_cast<float>(y) / rows;
                picture.corner(2 * u - 1, 2 * v - 1, u * v, u);
            }
        }
        for (std::uint32_t y = 0; y < rows; ++y) {
            for (std::uint32_t x = 0; x < columns; ++x) {
                const std::uint32_t a = y * (columns + 1) + x, b = a + 1, c = a + columns + 1, d = c + 1;
                for (std::uint32_t index : {a, b, c, b, d, c}) picture.indices.push_back(index);
            }
        }
        picture.draw();
        picture.measure("a net of 99,994 triangles over it", times);
    }
    std::mt19937 random(1);
    const auto number = [&] { return static_cast<float>(random() >> 8) * 0x1p-24f; };
    for (const float size : {0.01f, 0.1f}) {
        if (!isWanted(size < 0.05f ? 2 : 3)) continue;
        Picture picture(true);
        const int triangles = size < 0.05f ? 100'000 : 10'000;
        for (int i = 0; i < triangles; ++i) {
            const float x = number() * 2 - 1, y = number() * 2 - 1, z = number();
            for (int k = 0; k < 3; ++k) picture.corner(x + size * number(), y + size * number(), z, number());
        }
        picture.draw();
        picture.measure(
            size < 0.05f ? "100,000 triangles of about 10 pixels" : "10,000 triangles of about 1,000 pixels", times);
    }
}
