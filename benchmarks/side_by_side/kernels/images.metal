// SPDX-License-Identifier: MIT
#include <metal_stdlib>
using namespace metal;

kernel void mandelbrot(device uint* out, constant uint& limit, uint2 gid [[thread_position_in_grid]],
                       uint2 size [[threads_per_grid]])
{
    const float2 c = float2(gid) / float2(size) * float2(3, 2) - float2(2, 1);
    float a = 0, b = 0;
    uint n = 0;
    while (n < limit && a * a + b * b < 4) {
        const float t = a * a - b * b + c.x;
        b = 2 * a * b + c.y;
        a = t;
        n++;
    }
    out[gid.y * size.x + gid.x] = n;
}

kernel void blur5_buffer(device const float* source, device float* out, constant float* weights,
                         uint2 gid [[thread_position_in_grid]], uint2 size [[threads_per_grid]])
{
    float sum = 0;
    for (int dy = -2; dy <= 2; dy++) {
        const int y = clamp(int(gid.y) + dy, 0, int(size.y) - 1);
        for (int dx = -2; dx <= 2; dx++) {
            const int x = clamp(int(gid.x) + dx, 0, int(size.x) - 1);
            sum += weights[(dy + 2) * 5 + dx + 2] * source[y * int(size.x) + x];
        }
    }
    out[gid.y * size.x + gid.x] = sum;
}

kernel void blur5_texture(texture2d<float, access::read> source, texture2d<float, access::write> out,
                          constant float* weights, uint2 gid [[thread_position_in_grid]])
{
    const int2 last = int2(source.get_width(), source.get_height()) - 1;
    float sum = 0;
    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++)
            sum += weights[(dy + 2) * 5 + dx + 2] * source.read(uint2(clamp(int2(gid) + int2(dx, dy), 0, last))).x;
    out.write(float4(sum), gid);
}

kernel void resize(texture2d<float> source, texture2d<float, access::write> out, uint2 gid [[thread_position_in_grid]])
{
    constexpr sampler bilinear(filter::linear, address::clamp_to_edge);
    const float2 size = float2(out.get_width(), out.get_height());
    out.write(source.sample(bilinear, (float2(gid) + 0.5f) / size), gid);
}

// One pass of a separable Gaussian along a row or a column, edges repeated.
kernel void gaussian_pass(device const float* source, device float* out, constant float* weights, constant int& radius,
                          constant int2& step, uint2 gid [[thread_position_in_grid]], uint2 size [[threads_per_grid]])
{
    float sum = 0;
    for (int k = -radius; k <= radius; k++) {
        const int2 at = clamp(int2(gid) + k * step, 0, int2(size) - 1);
        sum += weights[k + radius] * source[at.y * int(size.x) + at.x];
    }
    out[gid.y * size.x + gid.x] = sum;
}

// A step of the Gray-Scott model on a torus; (u, v) in each element.
kernel void reaction_diffusion(device const float2* from, device float2* to, uint2 gid [[thread_position_in_grid]],
                               uint2 size [[threads_per_grid]])
{
    const uint left = gid.x == 0 ? size.x - 1 : gid.x - 1, right = gid.x + 1 == size.x ? 0 : gid.x + 1;
    const uint up = (gid.y == 0 ? size.y - 1 : gid.y - 1) * size.x, row = gid.y * size.x;
    const uint down = (gid.y + 1 == size.y ? 0 : gid.y + 1) * size.x;
    const float2 here = from[row + gid.x];
    const float2 sides = from[row + left] + from[row + right] + from[up + gid.x] + from[down + gid.x];
    const float2 corners = from[up + left] + from[up + right] + from[down + left] + from[down + right];
    const float2 spread = 0.2f * sides + 0.05f * corners - here;
    const float reaction = here.x * here.y * here.y;
    const float2 change = float2(1.0f, 0.5f) * spread
                        + float2(0.055f * (1.0f - here.x) - reaction, reaction - 0.117f * here.y);
    to[row + gid.x] = here + change;
}

// Edge-aware demosaicing of an RGGB mosaic: green along the direction in which the picture changes less, then red and
// blue by their difference from green (Hamilton and Adams, US patent 5,629,734, expired).
static int mosaic(device const uchar* raw, int2 at, int2 size)
{
    // Mirrors by whole pixels, so that a position keeps its colour.
    at = select(at, -at, at < 0);
    at = select(at, 2 * size - 2 - at, at >= size);
    return raw[at.y * size.x + at.x];
}

static int green_at(device const uchar* raw, int2 p, int2 size)
{
    const int here = mosaic(raw, p, size);
    const int w = mosaic(raw, p + int2(-1, 0), size), e = mosaic(raw, p + int2(1, 0), size);
    const int n = mosaic(raw, p + int2(0, -1), size), s = mosaic(raw, p + int2(0, 1), size);
    if (((p.x ^ p.y) & 1) != 0) return here;
    const int across = 2 * here - mosaic(raw, p + int2(-2, 0), size) - mosaic(raw, p + int2(2, 0), size);
    const int down = 2 * here - mosaic(raw, p + int2(0, -2), size) - mosaic(raw, p + int2(0, 2), size);
    const int change_across = abs(w - e) + abs(across), change_down = abs(n - s) + abs(down);
    const int g_across = 2 * (w + e) + across, g_down = 2 * (n + s) + down;
    const int g = change_across < change_down   ? 2 * g_across
                  : change_down < change_across ? 2 * g_down
                                                : g_across + g_down;
    return clamp((g + 4) >> 3, 0, 255);
}

kernel void demosaic_green(device const uchar* raw, device uchar* green, uint2 gid [[thread_position_in_grid]],
                           uint2 grid [[threads_per_grid]])
{
    green[gid.y * grid.x + gid.x] = uchar(green_at(raw, int2(gid), int2(grid)));
}

kernel void demosaic_colours(device const uchar* raw, device const uchar* green, device uchar* bgr,
                             uint2 gid [[thread_position_in_grid]], uint2 grid [[threads_per_grid]])
{
    const int2 p = int2(gid), size = int2(grid);
    const int2 lo = max(p - 1, 0) , hi = min(p + 1, size - 1);
    const int l = p.x == 0 ? hi.x : lo.x, r = p.x == size.x - 1 ? lo.x : hi.x;
    const int u = p.y == 0 ? hi.y : lo.y, d = p.y == size.y - 1 ? lo.y : hi.y;
    const int here = p.y * size.x, above = u * size.x, below = d * size.x;
    const int g = green[here + p.x];
    auto difference = [&](int at) { return int(raw[at]) - int(green[at]); };
    const int across = (difference(here + l) + difference(here + r)) / 2;
    const int down = (difference(above + p.x) + difference(below + p.x)) / 2;
    const int corners = (difference(above + l) + difference(above + r) + difference(below + l) + difference(below + r)) / 4;
    const int own = raw[here + p.x];
    const bool odd_x = (p.x & 1) != 0, odd_y = (p.y & 1) != 0;
    const int red = odd_y ? (odd_x ? g + corners : g + down) : (odd_x ? g + across : own);
    const int blue = odd_y ? (odd_x ? own : g + across) : (odd_x ? g + down : g + corners);
    const int at = 3 * (here + p.x);
    bgr[at] = uchar(clamp(blue, 0, 255));
    bgr[at + 1] = uchar(g);
    bgr[at + 2] = uchar(clamp(red, 0, 255));
}
