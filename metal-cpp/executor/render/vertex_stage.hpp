// SPDX-License-Identifier: MIT
//
// Runs the vertex function over the vertices of a chunk: fills its input columns, and leaves its outputs in the chunk.

#pragma once

#include <cstdint>
#include <vector>

#include "assembly.hpp"
#include "chunk.hpp"

namespace metal_executor {
struct ThreadState;
}

namespace metal_executor::render {

/// Of one thread; its memory is used again.
class VertexStage {
public:
    /// False when the function was left early or should not begin; see callKernel().
    [[nodiscard]] bool run(ThreadState& state, Chunk& chunk, const Assembly& assembly, metal_log* log);

private:
    void fillInput(const StageColumnValue& value, const PlannedDraw& plan, const Assembly& assembly);
    void fetch(const VertexFetch& from, const PlannedDraw& plan, const Assembly& assembly);

    std::vector<std::uint32_t> values_, unread_;
    std::vector<void*> inputs_, outputs_;
    std::vector<std::uint64_t> elements_;
};

}  // namespace metal_executor::render
