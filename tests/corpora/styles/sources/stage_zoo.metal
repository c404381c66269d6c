#include <metal_stdlib>
using namespace metal;

// Every kind of input and output that vertex and fragment functions have.

constant bool has_normal_map [[function_constant(0)]];
constant int  light_count    [[function_constant(1)]];
constant bool is_lit = is_function_constant_defined(light_count) && light_count > 0;

struct ControlPoint { float3 position [[attribute(0)]]; float2 uv [[attribute(1)]]; };
struct PatchIn { patch_control_point<ControlPoint> points; float4 factors [[attribute(10)]]; };

struct Out {
    float4 position [[position, invariant]];
    float2 uv;
    float3 normal [[center_no_perspective]];
    float4 weights [[sample_perspective]];
    uint   id [[flat, user(id)]];
    half4  tangent [[function_constant(has_normal_map)]];
    float  clip [[clip_distance]] [2];
    uint   layer [[render_target_array_index]];
    uint   viewport [[viewport_array_index]];
};

[[patch(quad, 16)]]
vertex Out evaluate(PatchIn patch [[stage_in]], float2 at [[position_in_patch]], uint pid [[patch_id]], constant float4x4& mvp [[buffer(0)]]) {
    float4 bu, bv;
    float2 t = at, s = 1.0f - at;
    bu = float4(s.x * s.x * s.x, 3 * t.x * s.x * s.x, 3 * t.x * t.x * s.x, t.x * t.x * t.x);
    bv = { s.y * s.y * s.y, 3 * t.y * s.y * s.y, 3 * t.y * t.y * s.y, t.y * t.y * t.y };
    float3 p = 0;
    float2 uv = 0;
    for (uint i = 0; i < patch.points.size(); ++i) {
        p += patch.points[i].position * bu[i % 4] * bv[i / 4];
        uv += patch.points[i].uv * bu[i % 4] * bv[i / 4];
    }
    Out o;
    o.position = mvp * float4(p, 1);
    o.uv = uv; o.normal = float3(0, 0, 1); o.weights = patch.factors; o.id = pid;
    if (has_normal_map) o.tangent = half4(1, 0, 0, 1);
    o.clip[0] = p.x; o.clip[1] = p.y; o.layer = pid & 1; o.viewport = 0;
    return o;
}

[[vertex]] Out instanced(const device packed_float3* positions [[buffer(0)]], constant float4x4* transforms [[buffer(1)]],
                         ushort vid [[vertex_id]], ushort iid [[instance_id]], ushort base [[base_instance]],
                         ushort amp [[amplification_id]], ushort amps [[amplification_count]]) {
    Out o{};
    o.position = transforms[iid] * float4(positions[vid], 1);
    o.layer = amp; o.viewport = amps; o.id = base;
    return o;
}

struct Targets {
    half4  albedo [[color(0)]];
    float4 normal [[color(1), raster_order_group(0)]];
    uint   id     [[color(2)]];
    float  depth  [[depth(less)]];
    uint   mask   [[sample_mask]];
    uint   stencil [[stencil]];
};

[[early_fragment_tests]]
fragment half4 early(Out in [[stage_in]], constant float4* lights [[buffer(0)]]) {
    half3 c = 0;
    if (is_lit) for (int i = 0; i < light_count; ++i) c += half3(lights[i].rgb);
    return half4(c, 1);
}

fragment Targets gbuffer(Out in [[stage_in]], bool front [[front_facing]], uint sample [[sample_id]], uint mask [[sample_mask]],
                         float3 bary [[barycentric_coord]], uint prim [[primitive_id]], half4 before [[color(0)]],
                         texture2d<half> normals [[texture(0), function_constant(has_normal_map)]]) {
    constexpr sampler s(filter::linear, mip_filter::linear, max_anisotropy(4), lod_clamp(0.0f, 8.0f));
    Targets t;
    float3 n = in.normal;
    if (has_normal_map) n += float3(normals.sample(s, in.uv).xyz) * float3(in.tangent.xyz);
    t.albedo = mix(before, half4(half3(bary), 1), 0.5h);
    t.normal = float4(n * (front ? 1 : -1), fwidth(in.uv.x));
    t.id = prim * 16 + sample + in.id;
    t.depth = in.position.z - 0.001f;
    t.mask = mask & 0xf;
    t.stencil = 3;
    return t;
}

struct Dual { half4 source [[color(0), index(0)]]; half4 factor [[color(0), index(1)]]; };
fragment Dual dual(float4 at [[position]]) { return { half4(half2(at.xy), 0, 1), half4(0.5h) }; }

fragment void depthOnly(float4 at [[position]], texture2d<float> alpha [[texture(0)]]) {
    constexpr sampler s;
    if (alpha.sample(s, at.xy).a < 0.5) discard_fragment();
}

struct DepthOut { float depth [[depth(any)]]; };
fragment DepthOut impostor(float4 at [[position]], float2 p [[point_coord]]) { return { at.z + dfdx(p.x) + dfdy(p.y) }; }

