#include <metal_stdlib>
using namespace metal;

enum class MaterialKind : ushort { Diffuse, Metal, Glass };

struct Material {
    array<texture2d<half>, 2> maps [[id(0)]];
    sampler                   filter [[id(2)]];
    device float4*            table [[id(3)]];
    float3                    tint [[id(4)]];
    MaterialKind              kind [[id(5)]];
};

struct Scene {
    device Material* materials;
    constant float4* lights;
    device atomic_uint* counter;
    uint materialCount;
    uint lightCount;
};

using shade_t = float3(float3, float3, uint);

[[visible]] float3 lambert(float3 normal, float3 light, uint) { return max(dot(normal, light), 0.0f); }
[[visible]] float3 toon(float3 normal, float3 light, uint levels) { return floor(max(dot(normal, light), 0.0f) * levels) / levels; }

kernel void shade(constant Scene& scene [[buffer(0)]], device float4* out [[buffer(1)]],
                  visible_function_table<shade_t> shaders [[buffer(2)]], uint id [[thread_position_in_grid]]) {
    const device Material& m = scene.materials[id % scene.materialCount];
    float2 uv = float2(id & 7, id >> 3) / 8;
    half4 c = m.maps[0].sample(m.filter, uv, level(0)) + m.maps[1].sample(m.filter, uv, bias(0));
    float3 n = normalize(float3(uv, 1)), sum = 0;
    for (uint i = 0; i < scene.lightCount; ++i) sum += shaders[uint(m.kind) & 1](n, scene.lights[i].xyz, 4u);
    switch (m.kind) {
        case MaterialKind::Metal: sum *= m.tint; [[fallthrough]];
        case MaterialKind::Glass: sum += m.table[id & 3].rgb; break;
        default: break;
    }
    atomic_fetch_add_explicit(scene.counter, 1, memory_order_relaxed);
    out[id] = float4(float3(c.rgb) * sum, 1);
}
