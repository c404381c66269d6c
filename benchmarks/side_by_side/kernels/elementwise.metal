// SPDX-License-Identifier: MIT
#include <metal_stdlib>
using namespace metal;

kernel void copy(device const float* from, device float* to, uint i [[thread_position_in_grid]])
{
    to[i] = from[i];
}

kernel void saxpy(device const float* x, device float* y, constant float& a, uint i [[thread_position_in_grid]])
{
    y[i] = a * x[i] + y[i];
}

kernel void saxpy4(device const float4* x, device float4* y, constant float& a, uint i [[thread_position_in_grid]])
{
    y[i] = a * x[i] + y[i];
}
