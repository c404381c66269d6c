#include <metal_stdlib>
using namespace metal;

struct Particle {
    float3 position;
    float3 velocity;
    float  life = 1.0f;
    uint   seed = 0;
};

struct Emitter { float3 origin; float spread; float3 gravity; float dt; uint capacity; };

class Random {
public:
    Random(uint seed) : state(seed * 747796405u + 2891336453u) {}
    uint next() { state = state * 747796405u + 2891336453u; uint w = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u; return (w >> 22u) ^ w; }
    float uniform() { return (next() >> 8) * 0x1p-24f; }
    float3 sphere() {
        float z = uniform() * 2 - 1, a = uniform() * 2 * M_PI_F, c;
        float s = sincos(a, c), r = sqrt(max(0.0f, 1 - z * z));
        return {r * c, r * s, z};
    }
private:
    uint state;
};

kernel void emit(device Particle* particles [[buffer(0)]], constant Emitter& emitter [[buffer(1)]], device atomic_uint& alive [[buffer(2)]],
                 uint id [[thread_position_in_grid]]) {
    Random random(id + 1);
    uint slot = atomic_fetch_add_explicit(&alive, 1, memory_order_relaxed);
    if (slot >= emitter.capacity) { atomic_fetch_sub_explicit(&alive, 1, memory_order_relaxed); return; }
    Particle p = { .position = emitter.origin, .velocity = random.sphere() * emitter.spread };
    p.seed = id;
    particles[slot] = p;
}

kernel void integrate(device Particle* particles [[buffer(0)]], constant Emitter& emitter [[buffer(1)]], const device float4* attractors [[buffer(2)]],
                      constant uint& count [[buffer(3)]], uint id [[thread_position_in_grid]]) {
    device Particle& p = particles[id];
    float3 force = emitter.gravity;
    for (uint i = 0; i < count; ++i) {
        float3 d = attractors[i].xyz - p.position;
        force += attractors[i].w * d * powr(dot(d, d) + 1e-2f, -1.5f);
    }
    p.velocity = p.velocity * exp(-0.1f * emitter.dt) + force * emitter.dt;
    p.position += p.velocity * emitter.dt;
    if (p.position.y < 0) { p.position.y = -p.position.y; p.velocity.y *= -0.5f; p.velocity.xz *= 0.9f; }
    p.life -= emitter.dt;
}

struct PointOut { float4 position [[position]]; float size [[point_size]]; half4 color; uint id [[flat]]; };

vertex PointOut particleVertex(const device Particle* particles [[buffer(0)]], constant float4x4& mvp [[buffer(1)]], uint vid [[vertex_id]]) {
    auto p = particles[vid];
    PointOut o;
    o.position = mvp * float4(p.position, 1);
    o.size = clamp(10.0f / o.position.w, 1.0f, 16.0f);
    o.color = half4(mix(half3(1, 0.2, 0), half3(1, 1, 0.8), half(saturate(p.life))), half(p.life));
    o.id = p.seed;
    return o;
}
fragment half4 particleFragment(PointOut in [[stage_in]], float2 at [[point_coord]]) {
    half r = half(length(at * 2 - 1));
    if (r > 1.0h) { discard_fragment(); }
    return in.color * (1 - r * r);
}
