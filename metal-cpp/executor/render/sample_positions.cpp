// SPDX-License-Identifier: MIT

#include "targets.hpp"

namespace metal_executor::render {

const float* samplePositions(unsigned sampleCount) {
    static constexpr float one[] = {0.5f, 0.5f};
    static constexpr float two[] = {0.75f, 0.75f, 0.25f, 0.25f};
    static constexpr float four[] = {0.375f, 0.125f, 0.875f, 0.375f, 0.125f, 0.625f, 0.625f, 0.875f};
    static constexpr float eight[] = {0.5625f, 0.3125f, 0.4375f, 0.6875f, 0.8125f, 0.5625f, 0.3125f, 0.1875f,
                                      0.1875f, 0.8125f, 0.0625f, 0.4375f, 0.6875f, 0.9375f, 0.9375f, 0.0625f};
    switch (sampleCount) {
        case 2:
            return two;
        case 4:
            return four;
        case 8:
            return eight;
        default:
            return one;
    }
}

}  // namespace metal_executor::render
