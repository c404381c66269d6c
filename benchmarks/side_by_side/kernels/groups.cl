// SPDX-License-Identifier: MIT
kernel void tree_sum(global const float* x, global float* sums)
{
    const uint i = get_global_id(0), t = get_local_id(0);
    local float s[256];
    s[t] = x[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint n = 128; n > 0; n /= 2) {
        if (t < n) s[t] += s[t + n];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0) sums[get_group_id(0)] = s[0];
}

kernel void block_scan(global const int* x, global int* out)
{
    const uint i = get_global_id(0), t = get_local_id(0);
    local int s[2][256];
    s[0][t] = x[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    uint from = 0;
    for (uint n = 1; n < 256; n *= 2) {
        s[1 - from][t] = t >= n ? s[from][t] + s[from][t - n] : s[from][t];
        from = 1 - from;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[i] = s[from][t];
}

kernel void histogram(global const uchar* values, volatile global uint* bins)
{
    const uint t = get_local_id(0), g = get_group_id(0);
    volatile local uint mine[256];
    mine[t] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < 64; k++) atomic_inc(&mine[values[g * 16384 + k * 256 + t]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&bins[t], mine[t]);
}

kernel void bitonic_step(global uint* x, uint block, uint distance)
{
    const uint i = get_global_id(0);
    const uint low = (i / distance) * 2 * distance + i % distance, high = low + distance;
    const uint a = x[low], b = x[high];
    const bool up = (low & block) == 0;
    x[low] = up ? min(a, b) : max(a, b);
    x[high] = up ? max(a, b) : min(a, b);
}

kernel void softmax(global const float* x, global float* out, uint columns)
{
    const uint t = get_local_id(0), row = get_group_id(0);
    local float s[256];
    global const float* line = x + row * columns;
    float most = -INFINITY;
    for (uint k = t; k < columns; k += 256) most = max(most, line[k]);
    s[t] = most;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint n = 128; n > 0; n /= 2) {
        if (t < n) s[t] = max(s[t], s[t + n]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    most = s[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (uint k = t; k < columns; k += 256) sum += exp(line[k] - most);
    s[t] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint n = 128; n > 0; n /= 2) {
        if (t < n) s[t] += s[t + n];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    const float scale = 1.0f / s[0];
    for (uint k = t; k < columns; k += 256) out[row * columns + k] = exp(line[k] - most) * scale;
}

kernel void product_naive(global const float* a, global const float* b, global float* c, uint n)
{
    const uint x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (uint k = 0; k < n; k++) sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}

kernel void product_tiled(global const float* a, global const float* b, global float* c, uint n)
{
    const uint2 gid = (uint2)(get_global_id(0), get_global_id(1)), t = (uint2)(get_local_id(0), get_local_id(1));
    local float x[16][16], y[16][16];
    float sum = 0;
    for (uint tile = 0; tile < n; tile += 16) {
        x[t.y][t.x] = a[gid.y * n + tile + t.x];
        y[t.y][t.x] = b[(tile + t.y) * n + gid.x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < 16; k++) sum += x[t.y][k] * y[k][t.x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[gid.y * n + gid.x] = sum;
}

kernel void nbody(global const float4* bodies, global float4* pull, uint count)
{
    const uint i = get_global_id(0), t = get_local_id(0);
    local float4 tile[256];
    const float3 here = bodies[i].xyz;
    float3 sum = 0;
    for (uint first = 0; first < count; first += 256) {
        tile[t] = bodies[first + t];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < 256; k++) {
            const float3 d = tile[k].xyz - here;
            const float inverse = rsqrt(dot(d, d) + 1e-3f);
            sum += d * (tile[k].w * inverse * inverse * inverse);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    pull[i] = (float4)(sum, 0);
}
