#include <metal_stdlib>
using namespace metal;

// Order-independent transparency: fragments write a list per pixel in order.

struct Link { uint next; float depth; packed_half4 colour; };
struct Head { atomic_uint first; };

struct VOut { float4 at [[position]]; half4 colour; };
fragment void insert(VOut in [[stage_in]], device Head* heads [[buffer(0)]], device Link* links [[buffer(1)]],
                     device atomic_uint& used [[buffer(2)]], constant uint& width [[buffer(3)]],
                     texture2d<half, access::read_write> accumulation [[texture(0), raster_order_group(0)]]) {
    uint slot = atomic_fetch_add_explicit(&used, 1, memory_order_relaxed);
    uint2 p = uint2(in.at.xy);
    uint previous = atomic_exchange_explicit(&heads[p.y * width + p.x].first, slot, memory_order_relaxed);
    links[slot] = Link{previous, in.at.z, packed_half4(in.colour)};
    half4 old = accumulation.read(p);
    accumulation.write(old + in.colour * (1 - old.a), p);
}

kernel void resolve(device const Head* heads [[buffer(0)]], device const Link* links [[buffer(1)]], texture2d<half, access::write> out [[texture(0)]],
                    constant uint& width [[buffer(3)]], uint2 p [[thread_position_in_grid]]) {
    Link sorted[8];
    int n = 0;
    for (uint i = atomic_load_explicit(&heads[p.y * width + p.x].first, memory_order_relaxed); i != ~0u && n < 8; i = links[i].next) {
        Link link = links[i];
        int j = n++;
        for (; j > 0 && sorted[j - 1].depth < link.depth; --j) sorted[j] = sorted[j - 1];
        sorted[j] = link;
    }
    half4 c = 0;
    for (int i = 0; i < n; ++i) { half4 s = sorted[i].colour; c = mix(c, half4(s.rgb, 1), s.a); }
    out.write(c, p);
}
