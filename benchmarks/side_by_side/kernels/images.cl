// SPDX-License-Identifier: MIT
kernel void mandelbrot(global uint* out, uint limit)
{
    const uint2 gid = (uint2)(get_global_id(0), get_global_id(1));
    const uint2 size = (uint2)(get_global_size(0), get_global_size(1));
    const float2 c = convert_float2(gid) / convert_float2(size) * (float2)(3, 2) - (float2)(2, 1);
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

kernel void blur5_buffer(global const float* source, global float* out, constant float* weights)
{
    const int2 gid = (int2)(get_global_id(0), get_global_id(1));
    const int2 size = (int2)(get_global_size(0), get_global_size(1));
    float sum = 0;
    for (int dy = -2; dy <= 2; dy++) {
        const int y = clamp(gid.y + dy, 0, size.y - 1);
        for (int dx = -2; dx <= 2; dx++) {
            const int x = clamp(gid.x + dx, 0, size.x - 1);
            sum += weights[(dy + 2) * 5 + dx + 2] * source[y * size.x + x];
        }
    }
    out[gid.y * size.x + gid.x] = sum;
}

constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t bilinear = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;

kernel void blur5_texture(read_only image2d_t source, write_only image2d_t out, constant float* weights)
{
    const int2 gid = (int2)(get_global_id(0), get_global_id(1));
    float sum = 0;
    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++)
            sum += weights[(dy + 2) * 5 + dx + 2] * read_imagef(source, nearest, gid + (int2)(dx, dy)).x;
    write_imagef(out, gid, (float4)(sum));
}

kernel void resize(read_only image2d_t source, write_only image2d_t out)
{
    const int2 gid = (int2)(get_global_id(0), get_global_id(1));
    const float2 size = (float2)(get_image_width(out), get_image_height(out));
    write_imagef(out, gid, read_imagef(source, bilinear, (convert_float2(gid) + 0.5f) / size));
}

kernel void gaussian_pass(global const float* source, global float* out, constant float* weights, int radius, int2 step)
{
    const int2 gid = (int2)(get_global_id(0), get_global_id(1));
    const int2 size = (int2)(get_global_size(0), get_global_size(1));
    float sum = 0;
    for (int k = -radius; k <= radius; k++) {
        const int2 at = clamp(gid + k * step, (int2)(0), size - 1);
        sum += weights[k + radius] * source[at.y * size.x + at.x];
    }
    out[gid.y * size.x + gid.x] = sum;
}

kernel void reaction_diffusion(global const float2* from, global float2* to)
{
    const uint2 gid = (uint2)(get_global_id(0), get_global_id(1));
    const uint2 size = (uint2)(get_global_size(0), get_global_size(1));
    const uint left = gid.x == 0 ? size.x - 1 : gid.x - 1, right = gid.x + 1 == size.x ? 0 : gid.x + 1;
    const uint up = (gid.y == 0 ? size.y - 1 : gid.y - 1) * size.x, row = gid.y * size.x;
    const uint down = (gid.y + 1 == size.y ? 0 : gid.y + 1) * size.x;
    const float2 here = from[row + gid.x];
    const float2 sides = from[row + left] + from[row + right] + from[up + gid.x] + from[down + gid.x];
    const float2 corners = from[up + left] + from[up + right] + from[down + left] + from[down + right];
    const float2 spread = 0.2f * sides + 0.05f * corners - here;
    const float reaction = here.x * here.y * here.y;
    const float2 change = (float2)(1.0f, 0.5f) * spread
                        + (float2)(0.055f * (1.0f - here.x) - reaction, reaction - 0.117f * here.y);
    to[row + gid.x] = here + change;
}

static int mosaic(global const uchar* raw, int2 at, int2 size)
{
    at = select(at, -at, at < 0);
    at = select(at, 2 * size - 2 - at, at >= size);
    return raw[at.y * size.x + at.x];
}

static int green_at(global const uchar* raw, int2 p, int2 size)
{
    const int here = mosaic(raw, p, size);
    const int w = mosaic(raw, p + (int2)(-1, 0), size), e = mosaic(raw, p + (int2)(1, 0), size);
    const int n = mosaic(raw, p + (int2)(0, -1), size), s = mosaic(raw, p + (int2)(0, 1), size);
    if (((p.x ^ p.y) & 1) != 0) return here;
    const int across = 2 * here - mosaic(raw, p + (int2)(-2, 0), size) - mosaic(raw, p + (int2)(2, 0), size);
    const int down = 2 * here - mosaic(raw, p + (int2)(0, -2), size) - mosaic(raw, p + (int2)(0, 2), size);
    const int change_across = (int)abs(w - e) + (int)abs(across), change_down = (int)abs(n - s) + (int)abs(down);
    const int g_across = 2 * (w + e) + across, g_down = 2 * (n + s) + down;
    const int g = change_across < change_down   ? 2 * g_across
                  : change_down < change_across ? 2 * g_down
                                                : g_across + g_down;
    return clamp((g + 4) >> 3, 0, 255);
}

kernel void demosaic_green(global const uchar* raw, global uchar* green)
{
    const int2 gid = (int2)(get_global_id(0), get_global_id(1));
    const int2 size = (int2)(get_global_size(0), get_global_size(1));
    green[gid.y * size.x + gid.x] = (uchar)green_at(raw, gid, size);
}

static int difference(global const uchar* raw, global const uchar* green, int at)
{
    return (int)raw[at] - (int)green[at];
}

kernel void demosaic_colours(global const uchar* raw, global const uchar* green, global uchar* bgr)
{
    const int2 p = (int2)(get_global_id(0), get_global_id(1));
    const int2 size = (int2)(get_global_size(0), get_global_size(1));
    const int2 lo = max(p - 1, 0), hi = min(p + 1, size - 1);
    const int l = p.x == 0 ? hi.x : lo.x, r = p.x == size.x - 1 ? lo.x : hi.x;
    const int u = p.y == 0 ? hi.y : lo.y, d = p.y == size.y - 1 ? lo.y : hi.y;
    const int here = p.y * size.x, above = u * size.x, below = d * size.x;
    const int g = green[here + p.x];
    const int across = (difference(raw, green, here + l) + difference(raw, green, here + r)) / 2;
    const int down = (difference(raw, green, above + p.x) + difference(raw, green, below + p.x)) / 2;
    const int corners = (difference(raw, green, above + l) + difference(raw, green, above + r)
                         + difference(raw, green, below + l) + difference(raw, green, below + r)) / 4;
    const int own = raw[here + p.x];
    const bool odd_x = (p.x & 1) != 0, odd_y = (p.y & 1) != 0;
    const int red = odd_y ? (odd_x ? g + corners : g + down) : (odd_x ? g + across : own);
    const int blue = odd_y ? (odd_x ? own : g + across) : (odd_x ? g + down : g + corners);
    const int at = 3 * (here + p.x);
    bgr[at] = (uchar)clamp(blue, 0, 255);
    bgr[at + 1] = (uchar)g;
    bgr[at + 2] = (uchar)clamp(red, 0, 255);
}
