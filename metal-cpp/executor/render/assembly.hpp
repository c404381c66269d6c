// SPDX-License-Identifier: MIT
//
// From a draw's vertices or indices to primitives: which vertices must be run, and which of them make a primitive.

#pragma once

#include <cstdint>
#include <vector>

#include "chunk.hpp"

namespace metal_executor::render {

/// The index at a position of an indexed draw; 0 outside of the buffer.
inline std::uint32_t indexAt(const Draw& draw, std::uint64_t position) {
    const std::uint64_t size = draw.indexSize;
    if (position >= draw.indexBytes / size) return 0;
    if (size == 2) {
        std::uint16_t index;
        __builtin_memcpy(&index, draw.indices + position * 2, 2);
        return index;
    }
    std::uint32_t index;
    __builtin_memcpy(&index, draw.indices + position * 4, 4);
    return index;
}

/// The index that ends a strip and begins the next.
inline std::uint32_t restartIndex(const Draw& draw) {
    return draw.indexSize == 2 ? UINT16_MAX : UINT32_MAX;
}

struct AssembledPrimitive {
    std::uint32_t vertex[3];
    std::uint32_t id;
};

/// Vertices of a chunk, each once, and its primitives as numbers of these. Used again and again by one thread.
class Assembly {
public:
    void assemble(const PlannedDraw& plan, const ChunkRange& range);

    std::vector<std::uint32_t> vertexIds;    // [[vertex_id]]
    std::vector<std::uint32_t> instanceIds;  // from 0 on
    std::vector<AssembledPrimitive> primitives;

private:
    void assembleInstance(const PlannedDraw& plan, const ChunkRange& range, std::uint32_t instance);
    void addInOrder(const PlannedDraw& plan, const ChunkRange& range, std::uint32_t instance);
    std::uint32_t vertexOf(const PlannedDraw& plan, std::uint32_t position, std::uint32_t instance);
    void addIndexed(const PlannedDraw& plan, const ChunkRange& range, std::uint32_t instance);

    // Where an index has its vertex: open addressing, emptied by counting `generation_` on.
    struct Slot {
        std::uint32_t generation = 0, index = 0, vertex = 0;
    };
    std::vector<Slot> slots_;
    std::uint32_t generation_ = 0;
};

}  // namespace metal_executor::render
