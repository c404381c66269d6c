// SPDX-License-Identifier: MIT

#include "tile_places.hpp"

#include <algorithm>

namespace metal_executor::render {
namespace {

METAL_VECTORISED
bool findPlaces(const QuadBatch& batch, std::uint32_t quadsPerRow, std::uint32_t* places) {
    // A quad's pixels are 4 elements, a row of quads 4 * quadsPerRow.
    for (std::uint32_t quad = 0; quad < batch.count; ++quad)
        places[quad] = 2u * batch.x[quad] + 2u * batch.y[quad] * quadsPerRow;
    std::uint32_t gaps = 0;
    for (std::uint32_t quad = 0; quad < batch.count; ++quad) gaps |= places[quad] - (places[0] + 4 * quad);
    return gaps == 0;
}

}  // namespace

void TilePlaces::setTile(unsigned quadsPerRow, unsigned quadRows) {
    quadsPerRow_ = quadsPerRow;
    const std::size_t quads = std::size_t{quadsPerRow} * quadRows;
    if (seen_.size() < quads) seen_.resize(quads);
}

void TilePlaces::locate(const QuadBatch& batch) {
    runs_.clear();
    if (batch.count == 0) return;
    if (findPlaces(batch, quadsPerRow_, place_)) {
        runs_.push_back({0, batch.count, true});
        return;
    }
    if (run_ > UINT32_MAX - maxBatchQuads) {
        std::ranges::fill(seen_, 0);
        run_ = 0;
    }
    ++run_;
    std::uint32_t first = 0;
    for (std::uint32_t quad = 0; quad < batch.count; ++quad) {
        std::uint32_t& last = seen_[place_[quad] / 4];
        if (last == run_) {
            runs_.push_back({first, quad - first, false});
            first = quad;
            ++run_;
        }
        last = run_;
    }
    runs_.push_back({first, batch.count - first, false});
}

}  // namespace metal_executor::render
