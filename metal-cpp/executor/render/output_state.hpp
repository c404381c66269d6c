// SPDX-License-Identifier: MIT
//
// What a draw's pipeline and encoder say about tests and blending. Numbers are those of Metal's enumerations.

#pragma once

#include <cstdint>

namespace metal_executor::render {

struct StencilFace {
    std::uint8_t compare = 7;       // MTL::CompareFunction: always
    std::uint8_t stencilFails = 0;  // MTL::StencilOperation: keep
    std::uint8_t depthFails = 0;
    std::uint8_t passes = 0;
    std::uint8_t readMask = 0xff;
    std::uint8_t writeMask = 0xff;
    std::uint8_t reference = 0;
};

/// How visible samples are noted.
enum class Visibility : std::uint8_t { disabled = 0, boolean = 1, counting = 2 };  // MTL::VisibilityResultMode

struct DepthStencilState {
    std::uint8_t depthCompare = 7;  // MTL::CompareFunction: always
    bool writesDepth = false;
    StencilFace front, back;
    Visibility visibility = Visibility::disabled;
    // Where in the pass' visibility buffer: a multiple of 8 bytes. Samples of all draws that name it are added up by
    // all threads, so what is there must be 0 before the pass runs.
    std::uint64_t* visible = nullptr;
};

struct Blending {
    bool isEnabled = false;
    std::uint8_t colorSource = 1;       // MTL::BlendFactor: one
    std::uint8_t colorDestination = 0;  // zero
    std::uint8_t colorOperation = 0;    // MTL::BlendOperation: add
    std::uint8_t alphaSource = 1;
    std::uint8_t alphaDestination = 0;
    std::uint8_t alphaOperation = 0;
    std::uint8_t writeMask = 0xf;  // MTL::ColorWriteMask: red 8, green 4, blue 2, alpha 1
};

struct ColorState {
    Blending colors[8];
    float constant[4] = {0, 0, 0, 0};  // setBlendColor
    bool alphaToOne = false;
};

}  // namespace metal_executor::render
