// SPDX-License-Identifier: MIT
//
// A kernel's code for the formats of textures and the states of samplers that dispatches have bound. The kernel's
// general code serves until there is such code, which gives the same results, later.

#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "../compiler/protocol.hpp"
#include "../executor/kernel.hpp"

namespace metal_objects {

struct BoundResources {
    std::vector<protocol::BoundTexture> textures;  // in the order of their slots, as the samplers
    std::vector<protocol::BoundSampler> samplers;

    bool empty() const { return textures.empty() && samplers.empty(); }
    void clear() {
        textures.clear();
        samplers.clear();
    }
    bool operator==(const BoundResources&) const = default;
};

/// When code is made for what is bound.
enum class BoundPolicy : std::uint8_t {
    background,  ///< once the general code has run for so long that it pays, without keeping anybody waiting
    never,
    now,  ///< the first dispatch waits for it
};

/// $MTLPY_BOUND_CODE: `never` or `now`, else in the background.
BoundPolicy boundPolicy();

/// What a pipeline has of such code. Safe to use from any number of threads at once.
class BoundVariants {
public:
    using KernelPointer = std::shared_ptr<const metal_executor::Kernel>;

    enum class Next : std::uint8_t {
        nothing,  ///< `kernel` is to be used, or there is none for now
        look,     ///< seen for the first time: see whether the code lies somewhere already
        compile,  ///< worth making
    };
    struct Found {
        KernelPointer kernel;
        Next next = Next::nothing;
    };

    /// `general`: the code without what is bound; `threads`: how many the dispatch runs.
    Found find(const KernelPointer& general, const BoundResources& bound, double threads);

    /// Null: there will be none.
    void set(const KernelPointer& general, const BoundResources& bound, KernelPointer kernel);

private:
    struct Entry {
        KernelPointer general;
        BoundResources bound;
        KernelPointer kernel;
        double nanoseconds = 0;  // that the general code took, about
        bool isSettled = false;
    };

    Entry* entry(const KernelPointer& general, const BoundResources& bound);

    std::mutex mutex_;
    std::vector<Entry> entries_;
};

}  // namespace metal_objects
