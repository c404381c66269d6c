#include <metal_stdlib>
using namespace metal;

struct View {
    device float* data; uint stride, rows;
    device float& operator()(uint r, uint c) const { return data[r * stride + c]; }
    device float* row(uint r) const { return data + r * stride; }
    device float* begin() const { return data; }
    device float* end() const { return data + stride * rows; }
};

struct Span { constant float* first; uint n; constant float* begin() const { return first; } constant float* end() const { return first + n; } };

template <typename F> inline void for_each_tile(uint2 extent, uint tile, F f) {
    for (uint y = 0; y < extent.y; y += tile) for (uint x = 0; x < extent.x; x += tile) f(x, y, min(tile, extent.x - x));
}
template <uint N, uint M> inline float total(threadgroup const float (&tile)[N][M]) {
    float s = 0;
    for (uint i = 0; i < N; ++i) for (uint j = 0; j < M; ++j) s += tile[i][j];
    return s;
}
inline float row_sum(threadgroup float (*tile)[9], uint r) { float s = 0; for (int i = 0; i < 8; ++i) s += tile[r][i]; return s; }
inline void swap_values(thread float& a, thread float& b) { float t = a; a = b; b = t; }
template <typename T> inline void swap_any(threadgroup T& a, threadgroup T& b) { T t = a; a = b; b = t; }
template <typename Pointer> inline float first_of(Pointer p) { return p[0]; }
constant float weights[2][4] = { { 1, 2, 3, 4 }, { .1, .2, .3, .4 } };
constant char* constant names[] = { "alpha", "beta" };

kernel void pointers(device float* data [[buffer(0)]], device float* device* table [[buffer(1)]], constant uint2& extent [[buffer(2)]],
                     device void* raw [[buffer(3)]], constant void* blob [[buffer(4)]], uint t [[thread_index_in_threadgroup]], uint g [[threadgroup_position_in_grid]])
{
    threadgroup float tile[8][9];
    threadgroup float4 wide[4];
    threadgroup float* flat = &tile[0][0];
    if (t < 72) flat[t] = 0;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (t < 64) tile[t / 8][t % 8] = data[t];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    View view = { data, extent.x, extent.y };
    float s = 0;
    auto add = [&](float x) { s += x; };
    auto scaled = [view, &add](uint r, float k) { for (uint c = 0; c < view.stride; ++c) add(view(r, c) * k); return k; };
    scaled(0, 2);
    for_each_tile(extent, 3, [&](uint x, uint y, uint n) { add(float(x * 100 + y * 10 + n)); });
    for (constant float& w : weights[1]) s += w;
    for (float w : Span{ weights[0], 4 }) s += w;
    for (device float& v : view) s += v;
    float a = total(tile), b = row_sum(tile, t % 8);
    swap_values(a, b);
    threadgroup_barrier(mem_flags::mem_none);
    if (t == 0) { swap_any(tile[0][0], tile[1][1]); wide[0] = float4(1); ((threadgroup float*)wide)[1] = 7; }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    const device uchar* bytes = static_cast<const device uchar*>(raw);
    device uint4* quads = (device uint4*)((device char*)raw + 16);
    constant float4& head = *(constant float4*)blob;
    const constant float* picked = g & 1 ? weights[1] : weights[0];
    s += first_of(flat) + first_of(data) + first_of(picked) + first_of(&a) + bytes[1] + head.y + names[1][2] + wide[0].y;
    ptrdiff_t apart = &tile[2][1] - flat;
    if (t == 0) { quads->x = uint(apart); (*(quads + 0)).y = 9; device float* p = table[1]; *p++ = s; p[0] = a; p[1] = b; *view.row(1) += 0; }
}
