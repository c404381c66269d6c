// SPDX-License-Identifier: MIT
kernel void copy(global const float* from, global float* to)
{
    const uint i = get_global_id(0);
    to[i] = from[i];
}

kernel void saxpy(global const float* x, global float* y, float a)
{
    const uint i = get_global_id(0);
    y[i] = a * x[i] + y[i];
}

kernel void saxpy4(global const float4* x, global float4* y, float a)
{
    const uint i = get_global_id(0);
    y[i] = a * x[i] + y[i];
}
