// SPDX-License-Identifier: MIT
//
// Where in a tile the quads of a batch are, in runs that hold no quad twice: within one order does not matter.

#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "targets.hpp"
#include "vectorised.hpp"

namespace metal_executor::render {

class TilePlaces {
public:
    /// For a tile of so many quads to a row.
    void setTile(unsigned quadsPerRow, unsigned quadRows);

    struct Run {
        std::uint32_t first, count;  // quads of the batch
        bool isContiguous;           // they follow one another in the tile as well
    };

    /// Cuts the batch into runs; `place(q)` is then the tile's element where quad q begins.
    void locate(const QuadBatch& batch);

    std::uint32_t place(std::uint32_t quad) const { return place_[quad]; }
    const std::uint32_t* places() const { return place_; }
    const std::vector<Run>& runs() const { return runs_; }

private:
    alignas(64) std::uint32_t place_[maxBatchQuads] = {};
    std::vector<Run> runs_;
    std::vector<std::uint32_t> seen_;  // of each quad of the tile: the last run that held it
    std::uint32_t run_ = 0;
    unsigned quadsPerRow_ = 0;
};

/// The elements of some quads, side by side: column[place] ... of each. What is contiguous is not copied.
METAL_INLINED const Word* gather(const Word* column, const std::uint32_t* places, const TilePlaces::Run& run,
                                 Word* scratch) {
    if (run.isContiguous) return column + places[run.first];
    for (std::uint32_t quad = 0; quad < run.count; ++quad)
        std::memcpy(scratch + 4 * quad, column + places[run.first + quad], 16);
    return scratch;
}

/// Writes `values` where `masks` has ones.
METAL_INLINED void scatter(const Word* values, const Word* masks, const std::uint32_t* places,
                           const TilePlaces::Run& run, Word* column) {
    if (run.isContiguous) {
        Word* to = column + places[run.first];
#pragma GCC ivdep
        for (std::uint32_t index = 0; index < 4 * run.count; ++index)
            to[index] = (values[index] & masks[index]) | (to[index] & ~masks[index]);
        return;
    }
    for (std::uint32_t quad = 0; quad < run.count; ++quad) {
        auto* to = reinterpret_cast<QuadWords*>(column + places[run.first + quad]);
        const QuadWords value = *reinterpret_cast<const QuadWords*>(values + 4 * quad);
        const QuadWords mask = *reinterpret_cast<const QuadWords*>(masks + 4 * quad);
        *to = (value & mask) | (*to & ~mask);
    }
}

}  // namespace metal_executor::render
