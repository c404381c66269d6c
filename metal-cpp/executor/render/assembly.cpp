// SPDX-License-Identifier: MIT

#include "assembly.hpp"

#include <algorithm>
#include <bit>

namespace metal_executor::render {
namespace {

// Vertices of primitive `i` of a strip of triangles: every second one turns the other way round, but begins with the
// same vertex, whose flat values count.
void orderOfStrip(std::uint32_t (&vertex)[3], std::uint32_t a, std::uint32_t b, std::uint32_t c, bool isOdd) {
    vertex[0] = a;
    vertex[1] = isOdd ? c : b;
    vertex[2] = isOdd ? b : c;
}

}  // namespace

void Assembly::assemble(const PlannedDraw& plan, const ChunkRange& range) {
    vertexIds.clear();
    instanceIds.clear();
    primitives.clear();
    for (std::uint32_t i = 0; i < range.instances; ++i) assembleInstance(plan, range, range.instance + i);
}

void Assembly::assembleInstance(const PlannedDraw& plan, const ChunkRange& range, std::uint32_t instance) {
    if (plan.draw->indices) {
        addIndexed(plan, range, instance);
    } else {
        addInOrder(plan, range, instance);
    }
}

void Assembly::addInOrder(const PlannedDraw& plan, const ChunkRange& range, std::uint32_t instance) {
    const unsigned size = plan.verticesPerPrimitive();
    const bool isStrip = plan.isStrip();
    const std::uint32_t vertices =
        isStrip ? std::min(range.count + size - 1, plan.range.count - range.first) : range.count;
    const auto base = static_cast<std::uint32_t>(vertexIds.size());
    for (std::uint32_t i = 0; i < vertices; ++i) vertexIds.push_back(plan.range.start + range.first + i);
    instanceIds.resize(vertexIds.size(), instance);
    const std::uint32_t step = isStrip ? 1 : size;
    for (std::uint32_t i = 0, id = range.firstPrimitive; i + size <= vertices; i += step, ++id) {
        AssembledPrimitive primitive{{base + i, base + i, base + i}, id};
        if (size == 2) primitive.vertex[1] = base + i + 1;
        if (size == 3)
            orderOfStrip(primitive.vertex, base + i, base + i + 1, base + i + 2, isStrip && (range.first + i) % 2 == 1);
        primitives.push_back(primitive);
    }
}

std::uint32_t Assembly::vertexOf(const PlannedDraw& plan, std::uint32_t index, std::uint32_t instance) {
    const std::uint32_t mask = static_cast<std::uint32_t>(slots_.size()) - 1;
    for (std::uint32_t at = (index * 0x9e3779b1u) >> 8 & mask;; at = (at + 1) & mask) {
        Slot& slot = slots_[at];
        if (slot.generation == generation_ && slot.index == index) return slot.vertex;
        if (slot.generation == generation_) continue;
        slot = {generation_, index, static_cast<std::uint32_t>(vertexIds.size())};
        vertexIds.push_back(index + static_cast<std::uint32_t>(plan.range.baseVertex));
        instanceIds.push_back(instance);
        return slot.vertex;
    }
}

void Assembly::addIndexed(const PlannedDraw& plan, const ChunkRange& range, std::uint32_t instance) {
    const Draw& draw = *plan.draw;
    const unsigned size = plan.verticesPerPrimitive();
    const std::uint32_t end = std::min(range.count + (plan.isStrip() ? size - 1 : 0), plan.range.count - range.first);
    const std::size_t wanted = std::bit_ceil(std::size_t{end} * 2 + 16);
    if (slots_.size() < wanted) slots_.assign(wanted, {});
    if (++generation_ == 0) {
        std::fill(slots_.begin(), slots_.end(), Slot{});
        generation_ = 1;
    }
    const std::uint64_t at = std::uint64_t{plan.range.start} + range.first;
    std::uint32_t id = range.firstPrimitive;
    if (!plan.isStrip()) {
        for (std::uint32_t i = 0; i + size <= end; i += size, ++id) {
            AssembledPrimitive primitive{{}, id};
            for (unsigned corner = 0; corner < 3; ++corner)
                primitive.vertex[corner] =
                    corner < size ? vertexOf(plan, indexAt(draw, at + i + corner), instance) : primitive.vertex[0];
            primitives.push_back(primitive);
        }
        return;
    }
    const std::uint32_t restart = restartIndex(draw);
    std::uint32_t stripStart = range.stripStart, recent[3] = {}, have = 0;
    for (std::uint32_t i = 0; i < end; ++i) {
        const std::uint32_t index = indexAt(draw, at + i);
        if (index == restart) {
            stripStart = range.first + i + 1;
            have = 0;
            continue;
        }
        recent[0] = recent[1];
        recent[1] = recent[2];
        recent[2] = vertexOf(plan, index, instance);
        if (++have < size) continue;
        AssembledPrimitive primitive{{recent[1], recent[2], recent[1]}, id++};
        const std::uint32_t first = range.first + i - (size - 1);
        if (size == 3) orderOfStrip(primitive.vertex, recent[0], recent[1], recent[2], (first - stripStart) % 2 == 1);
        primitives.push_back(primitive);
    }
}

}  // namespace metal_executor::render
