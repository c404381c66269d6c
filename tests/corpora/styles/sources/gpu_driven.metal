#include <metal_stdlib>
using namespace metal;

// Rendering driven by the GPU: culling writes indirect draws.

struct DrawArguments { uint vertexCount, instanceCount, vertexStart, baseInstance; };
struct IndexedArguments { uint32_t indexCount, instanceCount, indexStart; int32_t baseVertex; uint32_t baseInstance; };
struct Bounds { packed_float3 center; float radius; };
struct Frustum { float4 planes[6]; };

static bool visible(constant Frustum& f, device const Bounds& b) {
    for (float4 plane : f.planes) if (dot(plane, float4(b.center, 1)) < -b.radius) return false;
    return true;
}

kernel void cull(device const Bounds* bounds [[buffer(0)]], constant Frustum& frustum [[buffer(1)]], device IndexedArguments* draws [[buffer(2)]],
                 device atomic_uint* drawCount [[buffer(3)]], device uint* remap [[buffer(4)]], constant uint& count [[buffer(5)]],
                 depth2d<float, access::sample> pyramid [[texture(0)]], uint id [[thread_position_in_grid]]) {
    if (id >= count || !visible(frustum, bounds[id])) return;
    constexpr sampler s(filter::nearest, mip_filter::nearest, address::clamp_to_edge);
    float level_of = clamp(log2(bounds[id].radius * 8), 0.0f, float(pyramid.get_num_mip_levels() - 1));
    float far = pyramid.sample(s, saturate(bounds[id].center.xy * 0.5f + 0.5f), level(level_of));
    if (bounds[id].center.z - bounds[id].radius > far) return;
    uint slot = atomic_fetch_add_explicit(drawCount, 1u, memory_order_relaxed);
    draws[slot] = IndexedArguments{ 36, 1, 0, 0, id };
    remap[slot] = id;
}

kernel void pyramid(depth2d<float, access::read> above [[texture(0)]], texture2d<float, access::write> below [[texture(1)]], uint2 p [[thread_position_in_grid]]) {
    uint2 last = uint2(above.get_width(), above.get_height()) - 1, q = p * 2;
    float d = max(max(above.read(min(q, last)), above.read(min(q + uint2(1, 0), last))), max(above.read(min(q + uint2(0, 1), last)), above.read(min(q + 1, last))));
    below.write(float4(d), p);
}
