#include <metal_stdlib>
using namespace metal;

// Filters as compute kernels, with the bounds checked by hand.

kernel void sobel(texture2d<half, access::read>  inTexture  [[ texture(0) ]],
                  texture2d<half, access::write> outTexture [[ texture(1) ]],
                  uint2                          gid        [[ thread_position_in_grid ]])
{
    if ((gid.x >= outTexture.get_width()) || (gid.y >= outTexture.get_height())) { return; }

    constexpr int kernel_size = 3;
    const half gx[kernel_size][kernel_size] = { {-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1} };
    const half gy[kernel_size * kernel_size] = { -1, -2, -1, 0, 0, 0, 1, 2, 1 };
    constexpr int radius = kernel_size / 2;
    half h = 0, v = 0;
    for (int j = 0; j <= kernel_size - 1; j++) {
        for (int i = 0; i <= kernel_size - 1; i++) {
            uint2 textureIndex(clamp(int(gid.x) + (i - radius), 0, int(inTexture.get_width()) - 1),
                               clamp(int(gid.y) + (j - radius), 0, int(inTexture.get_height()) - 1));
            half grey = dot(inTexture.read(textureIndex).rgb, half3(0.299, 0.587, 0.114));
            h += gx[j][i] * grey;
            v += gy[j * kernel_size + i] * grey;
        }
    }
    outTexture.write(half4(half3(sqrt(h * h + v * v)), 1), gid);
}

constant uint2 tile = { 16, 16 };

kernel void box(texture2d<float, access::sample> in [[texture(0)]], texture2d<float, access::write> out [[texture(1)]],
                constant int& radius [[buffer(0)]], ushort2 id [[thread_position_in_grid]])
{
    constexpr sampler texels(coord::pixel, address::mirrored_repeat, filter::nearest);
    float4 sum{0.0f};
    auto n = 0;
    for (auto y = -radius; y <= radius; ++y)
        for (auto x = -radius; x <= radius; ++x, ++n)
            sum += in.sample(texels, float2(id) + 0.5 + float2(x, y));
    if (any(id >= ushort2(out.get_width(), out.get_height()))) return;
    out.write(sum / n, id);
}

kernel void histogram(texture2d<float, access::read> image [[texture(0)]], device atomic_uint *bins [[buffer(0)]],
                      uint2 gid [[thread_position_in_grid]], uint lid [[thread_index_in_threadgroup]],
                      ushort2 size [[threads_per_threadgroup]])
{
    threadgroup atomic_uint local[256];
    for (uint i = lid; i < 256; i += size.x * size.y) atomic_store_explicit(&local[i], 0, memory_order_relaxed);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (gid.x < image.get_width() && gid.y < image.get_height()) {
        uint bin = uint(saturate(image.read(gid).x) * 255.0f + 0.5f);
        atomic_fetch_add_explicit(local + bin, 1u, memory_order_relaxed);
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint i = lid; i < 256; i += size.x * size.y)
        atomic_fetch_add_explicit(&bins[i], atomic_load_explicit(&local[i], memory_order_relaxed), memory_order_relaxed);
}

kernel void yuvToRgb(texture2d<float, access::read> y [[ texture(0) ]], texture2d<float, access::read> cbcr [[ texture(1) ]],
                     texture2d<float, access::write> rgb [[ texture(2) ]], uint2 grid [[ thread_position_in_grid ]])
{
    const float4x4 ycbcrToRGBTransform = float4x4(
        float4(+1.0000f, +1.0000f, +1.0000f, +0.0000f),
        float4(+0.0000f, -0.3441f, +1.7720f, +0.0000f),
        float4(+1.4020f, -0.7141f, +0.0000f, +0.0000f),
        float4(-0.7010f, +0.5291f, -0.8860f, +1.0000f)
    );
    float4 ycbcr = float4(y.read(grid).r, cbcr.read(grid / 2).rg, 1.0);
    rgb.write(ycbcrToRGBTransform * ycbcr, grid);
}

// The median of nine by exchanges.
#define s2(a, b)                temp = a; a = min(a, b); b = max(temp, b);
#define mn3(a, b, c)            s2(a, b); s2(a, c);
#define mx3(a, b, c)            s2(b, c); s2(a, c);
#define mnmx3(a, b, c)          mx3(a, b, c); s2(a, b);
#define mnmx4(a, b, c, d)       s2(a, b); s2(c, d); s2(a, c); s2(b, d);
#define mnmx5(a, b, c, d, e)    s2(a, b); s2(c, d); mn3(a, c, e); mx3(b, d, e);
#define mnmx6(a, b, c, d, e, f) s2(a, d); s2(b, e); s2(c, f); mn3(a, b, c); mx3(d, e, f);

kernel void median(texture2d<float, access::read> in [[texture(0)]], texture2d<float, access::write> out [[texture(1)]],
                   uint2 p [[thread_position_in_grid]])
{
    float4 v[6], temp;
    v[0] = in.read(p + uint2(-1, -1)); v[1] = in.read(p + uint2(0, -1)); v[2] = in.read(p + uint2(1, -1));
    v[3] = in.read(p + uint2(-1, 0));  v[4] = in.read(p);                v[5] = in.read(p + uint2(1, 0));
    mnmx6(v[0], v[1], v[2], v[3], v[4], v[5]);
    v[5] = in.read(p + uint2(-1, 1));
    mnmx5(v[1], v[2], v[3], v[4], v[5]);
    v[5] = in.read(p + uint2(0, 1));
    mnmx4(v[2], v[3], v[4], v[5]);
    v[5] = in.read(p + uint2(1, 1));
    mnmx3(v[3], v[4], v[5]);
    out.write(v[4], p);
}
#undef s2
