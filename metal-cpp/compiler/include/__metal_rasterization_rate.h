// SPDX-License-Identifier: MIT
//
// Rasterization rate maps: from the screen to the smaller image that is finer in some parts than in others, and back.
// How a map lies in memory is the host's affair as much as this header's: metal-cpp/objects/rasterization_rate.cpp
// writes it.

#pragma once
#pragma clang system_header

#include <metal_types>
#include <metal_common>
#include <metal_integer>

// A place is where the host says it is, whatever the math mode.
#pragma float_control(precise, on, push)

namespace metal {

/// The number of layers, then for each its columns and its rows: how many stretches, where their edges are, and the
/// length of one on the screen.
struct rasterization_rate_map_data;

/// Stretches of one length on the screen, each with one rate. The edges are in physical pixels, one more than stretches.
struct __rate_axis {
    constant uint* __words;
    constant uint* __facts;

    uint __count() const { return __facts[0]; }
    float __edge(uint i) const { return as_type<float>(__words[__facts[1] + i]); }
    float __length() const { return as_type<float>(__facts[2]); }

    float __to_physical(float place) const {
        const float at = clamp(place / __length(), 0.0f, float(__count()));
        const uint i = min(uint(at), __count() - 1);
        return __edge(i) + (__edge(i + 1) - __edge(i)) * (at - float(i));
    }

    float __to_screen(float place) const {
        uint first = 0;
        for (uint end = __count(); end - first > 1;) {
            const uint middle = (first + end) / 2;
            if (__edge(middle) <= place) first = middle;
            else end = middle;
        }
        const float part = saturate((place - __edge(first)) / (__edge(first + 1) - __edge(first)));
        return (float(first) + part) * __length();
    }
};

/// A place outside of the screen or of the image counts as the nearest one inside, a layer that is not there as the
/// last.
struct rasterization_rate_map_decoder {
    explicit rasterization_rate_map_decoder(constant rasterization_rate_map_data& data)
        : __words((constant uint*)&data) {}

    float2 map_screen_to_physical_coordinates(float2 screen_coordinates, uint layer_index = 0) const {
        return {__axis(layer_index, 0).__to_physical(screen_coordinates.x),
                __axis(layer_index, 1).__to_physical(screen_coordinates.y)};
    }
    uint2 map_screen_to_physical_coordinates(uint2 screen_coordinates, uint layer_index = 0) const {
        return uint2(map_screen_to_physical_coordinates(float2(screen_coordinates), layer_index));
    }
    float2 map_physical_to_screen_coordinates(float2 physical_coordinates, uint layer_index = 0) const {
        return {__axis(layer_index, 0).__to_screen(physical_coordinates.x),
                __axis(layer_index, 1).__to_screen(physical_coordinates.y)};
    }
    uint2 map_physical_to_screen_coordinates(uint2 physical_coordinates, uint layer_index = 0) const {
        return uint2(map_physical_to_screen_coordinates(float2(physical_coordinates), layer_index));
    }

private:
    __rate_axis __axis(uint layer, uint axis) const {
        return {__words, __words + 1 + min(layer, __words[0] - 1) * 6 + axis * 3};
    }

    constant uint* __words;
};

}  // namespace metal

#pragma float_control(pop)
