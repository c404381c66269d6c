// SPDX-License-Identifier: MIT
//
// The output side of a render pass: what a pass renders to, and one tile of it while it is rendered. A tile's colours,
// depths and stencils are kept as columns of plain numbers (float, or 32-bit integers for integer formats) in the order
// of quads: pixel i (i mod 2, i / 2) of quad q is element 4 q + i. Formats matter only where texels are loaded and
// stored, and where blending reads what an earlier fragment has left: results are those of a target that holds its
// format's texels after every fragment.

#pragma once

#include <cstdint>
#include <memory>

#include "../kernel_abi.h"
#include "output_state.hpp"

namespace metal_executor::render {

inline constexpr unsigned maxColors = 8;
inline constexpr unsigned maxSamples = 8;
inline constexpr unsigned maxTileSize = 64;  // pixels along a side
inline constexpr unsigned maxBatchQuads = 256;
inline constexpr unsigned maxBatch = 4 * maxBatchQuads;  // invocations

/// x and y of each sample in its pixel, from 0 to 1 with y downwards: Metal's default positions for 1, 2, 4 or 8.
const float* samplePositions(unsigned sampleCount);

// ---- What a pass renders to ----

/// One level of a texture from its first image on that is rendered to. `data` null: no memory (memoryless); then it is
/// neither loaded nor stored, but is there while the tile is rendered.
struct TargetImage {
    std::uint32_t format = 0;  // MTL::PixelFormat; 0: no attachment. The texture's own, not that which kernels see.
    std::uint8_t* data = nullptr;
    std::uint64_t bytesPerRow = 0;
    std::uint64_t bytesPerLayer = 0;   // to the next slice, face or depth plane
    std::uint64_t bytesPerSample = 0;  // to the next sample's image
    std::uint32_t width = 0, height = 0;

    explicit operator bool() const { return format != 0; }
};

/// `slice` counts faces of cubes, `depthPlane` those of 3D textures.
TargetImage targetImage(const metal_texture& texture, std::uint32_t format, unsigned level, unsigned slice,
                        unsigned depthPlane);

enum class LoadAction : std::uint8_t { dontCare = 0, load = 1, clear = 2 };  // MTL::LoadAction

struct Target {
    TargetImage image;
    TargetImage resolve;  // format 0: none. One sample, the image's format.
    LoadAction load = LoadAction::dontCare;
    bool stores = false;    // the samples
    bool resolves = false;  // to `resolve`: as the store actions multisampleResolve and storeAndMultisampleResolve
};

struct ColorTarget : Target {
    double clear[4] = {0, 0, 0, 1};  // red, green, blue, alpha: linear; of integer formats the integers
};

enum class ResolveFilter : std::uint8_t { sample0 = 0, least = 1, greatest = 2 };  // MTL::MultisampleDepthResolveFilter

struct DepthTarget : Target {
    double clear = 1;
    ResolveFilter filter = ResolveFilter::sample0;
};

struct StencilTarget : Target {
    std::uint32_t clear = 0;
    /// Takes the stencil of the sample whose depth `depth.filter` chose, as
    /// MTL::MultisampleStencilResolveFilterDepthResolvedSample; else sample 0.
    bool followsDepth = false;
};

struct PassTargets {
    ColorTarget colors[maxColors];
    DepthTarget depth;
    StencilTarget stencil;                // where a texture holds both, its image is the depth's
    std::uint32_t width = 0, height = 0;  // of the area that all attachments share
    std::uint32_t layers = 1;             // render target array length; 1 when it is not layered
    std::uint32_t sampleCount = 1;

    /// Pixels along a side of this pass' tiles: a power of two, so that a tile's columns stay in a processor's cache.
    std::uint32_t tileSize() const;
};

// ---- Quads on their way through a tile ----

/// Quads of one draw in one tile, in the order of their primitives. A quad may be there several times, of several
/// primitives: then earlier ones are tested and written before later ones. (Where the fragment function reads colours
/// each quad may be there once only, since it must see what the one before has written.)
struct alignas(64) QuadBatch {
    std::uint32_t count = 0;                           // quads; 4 invocations each
    std::uint16_t x[maxBatchQuads], y[maxBatchQuads];  // of the first pixel, from the tile's corner: even numbers
    std::uint8_t isBack[maxBatchQuads];                // 1: of a back facing triangle, 0: anything else
    // Bit s: the invocation covers sample s. Quads at the edges of the target may hold pixels outside of it: these
    // must not be covered.
    alignas(64) std::uint32_t coverage[maxBatch];
    // Of each sample, in the depth range of the viewport, bias applied. Read only for depth tests and writes.
    alignas(64) float depth[maxSamples][maxBatch];
};

/// The columns of [[color(n)]] outputs: float, or integers where the format is one of integers. Null: the function has
/// no such component; 0, of alpha 1, is written where the write mask allows. All null: no such output, nothing is
/// written.
struct ColorOutput {
    const void* components[4] = {};  // index(0)
    const float* second[4] = {};     // index(1)
};

/// One tile of one layer of a pass, on one thread. It can be used for one tile after the other; its memory is kept.
/// A tile that is begun while another has not ended abandons that.
///
///   begin; for each batch: [alpha to coverage,] test, write (in either order with the function's run); end
///
/// Each tile of each layer is begun and ended once, drawn to or not. An attachment that no batch touches costs nothing
/// when it is loaded and stored, and is filled when it is cleared.
class TileTargets {
public:
    TileTargets();
    ~TileTargets();
    TileTargets(const TileTargets&) = delete;
    TileTargets& operator=(const TileTargets&) = delete;

    /// The tile whose first pixel is (x, y), multiples of pass.tileSize(); it ends where the pass' area does. False
    /// when there is not enough memory. `pass` must live until end().
    [[nodiscard]] bool begin(const PassTargets& pass, std::uint32_t x, std::uint32_t y, std::uint32_t layer);

    /// Stencil and depth test: takes samples that fail out of batch.coverage, changes depths and stencils as the state
    /// says, and counts the samples that are left as visible. `depth`: [[depth]] of each invocation, for all its
    /// samples, instead of batch.depth; `stencil`: [[stencil]] instead of the references. Both may be null. Whether any
    /// sample is left.
    bool test(QuadBatch& batch, const DepthStencilState& state, const float* depth, const std::uint32_t* stencil);

    /// Blends, masks and writes the outputs of the covered samples. `outputs` has an element for each of maxColors.
    void write(const QuadBatch& batch, const ColorState& state, const ColorOutput* outputs);

    /// What colour attachment `index` holds of one sample, as the format has it: four columns of float or integers for
    /// [[color(n)]] inputs; null columns are left out.
    void read(const QuadBatch& batch, unsigned index, unsigned sample, void* const columns[4]);

    /// Stores and resolves, and adds up what was visible.
    void end();

private:
    struct Storage;
    std::unique_ptr<Storage> storage_;
};

/// Takes samples out of batch.coverage as the alpha of colour 0 says: to be called before TileTargets::test(), which
/// cannot come before the function then. `alpha` null: 1.
void alphaToCoverage(QuadBatch& batch, const float* alpha, unsigned sampleCount);

}  // namespace metal_executor::render
