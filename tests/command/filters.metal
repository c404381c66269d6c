#include <metal_stdlib>
using namespace metal;

#ifndef GAIN
#define GAIN 1
#endif

constant bool is_gray [[function_constant(0)]];
constant bool grayed = is_function_constant_defined(is_gray) && is_gray;

/// Inverts the colours, or leaves only the brightness.
kernel void invert(texture2d<float, access::read> source, texture2d<float, access::write> result,
                   uint2 p [[thread_position_in_grid]])
{
    float4 colour = source.read(p);
    float3 shown = grayed ? float3(colour.r) : 1 - colour.rgb;
    result.write(float4(GAIN * shown, colour.a), p);
}

kernel void saxpy(device const float* x, device float* y, constant float& a, uint i [[thread_position_in_grid]])
{
    y[i] = a * x[i] + y[i];
}

struct Wave
{
    float2 direction;
    float length;
};

kernel void waves(device float4* picture, constant Wave& wave, uint2 p [[thread_position_in_grid]],
                  uint2 size [[threads_per_grid]])
{
    float t = dot(float2(p), wave.direction) / wave.length;
    picture[p.y * size.x + p.x] = float4(fract(t), float2(p) / float2(size), 1);
}

kernel void both(device const int* x, device int* sums, device float* halves, uint i [[thread_position_in_grid]])
{
    sums[i] = x[i] + x[0];
    halves[i] = 0.5f * x[i];
}

kernel void enlarge(texture2d<float> source, sampler smooth, constant float& reach,
                    texture2d<float, access::write> result, uint2 p [[thread_position_in_grid]])
{
    float2 size = float2(result.get_width(), result.get_height());
    result.write(source.sample(smooth, reach * (float2(p) + 0.5) / size), p);
}

kernel void brightness(device const float4* source, device float* result, uint i [[thread_position_in_grid]])
{
    result[i] = source[i].r + source[i].g + source[i].b;
}
