// Shaders of a scene: terrain, water, ambient occlusion, lighting, particles.

#include <metal_stdlib>
#include <simd/simd.h>
using namespace metal;

// ---- terrain and water ----
struct Uniforms { float4x4 modelMatrix; float4x4 viewProjectionMatrix; float3x3 normalMatrix; float3 cameraPosition; float time; float2 heightScale; };
struct TerrainIn { float3 position [[attribute(0)]]; float2 uv [[attribute(1)]]; };
struct TerrainOut { float4 position [[position]]; float3 worldPosition; float3 normal; float2 uv; float fog; };
vertex TerrainOut terrain_vertex(TerrainIn in [[stage_in]], constant Uniforms& u [[buffer(1)]], texture2d<float> heightMap [[texture(0)]], uint vid [[vertex_id]]) {
    constexpr sampler s(filter::linear, mip_filter::linear, address::mirrored_repeat);
    TerrainOut out;
    const float2 texel = 1.0 / float2(heightMap.get_width(), heightMap.get_height());
    auto height = [&](float2 uv) { return heightMap.sample(s, uv, level(0)).r * u.heightScale.x; };
    float4 p = u.modelMatrix * float4(in.position + float3(0, height(in.uv), 0), 1);
    float hx = height(in.uv + float2(texel.x, 0)) - height(in.uv - float2(texel.x, 0)), hz = height(in.uv + float2(0, texel.y)) - height(in.uv - float2(0, texel.y));
    out.normal = normalize(u.normalMatrix * float3(-hx, 2 * u.heightScale.y, -hz));
    out.worldPosition = p.xyz / p.w; out.uv = in.uv; out.fog = saturate(exp(-distance(p.xyz, u.cameraPosition) * 0.01));
    out.position = u.viewProjectionMatrix * p;
    return out;
}
struct Wave { float2 direction; float steepness; float wavelength; };
constant Wave waves[] = { {{1, 0}, 0.25, 6}, {{0.6, 0.8}, 0.2, 3.1}, {{-0.3, 0.95}, 0.15, 1.8} };
static float3 gerstner(constant Wave& w, float3 p, float t, thread float3& tangent, thread float3& binormal) {
    float k = 2 * M_PI_F / w.wavelength, c = sqrt(9.8 / k); float2 d = normalize(w.direction);
    float f = k * (dot(d, p.xz) - c * t), a = w.steepness / k;
    tangent += float3(-d.x * d.x * (w.steepness * sin(f)), d.x * (w.steepness * cos(f)), -d.x * d.y * (w.steepness * sin(f)));
    binormal += float3(-d.x * d.y * (w.steepness * sin(f)), d.y * (w.steepness * cos(f)), -d.y * d.y * (w.steepness * sin(f)));
    return float3(d.x * (a * cos(f)), a * sin(f), d.y * (a * cos(f)));
}
struct WaterOut { float4 position [[position]]; float3 world; half3 normal [[user(n)]]; float4 clip; };
vertex WaterOut water_vertex(const device packed_float3* vertices [[buffer(0)]], constant Uniforms& u [[buffer(1)]], uint vid [[vertex_id]], ushort iid [[instance_id]]) {
    float3 grid = vertices[vid] + float3(iid % 4, 0, iid / 4) * 10, tangent = float3(1, 0, 0), binormal = float3(0, 0, 1), p = grid;
    for (uint i = 0; i < sizeof(waves) / sizeof(waves[0]); ++i) p += gerstner(waves[i], grid, u.time, tangent, binormal);
    WaterOut o{}; o.normal = half3(normalize(cross(binormal, tangent))); o.world = p; o.position = o.clip = u.viewProjectionMatrix * float4(p, 1); return o;
}
fragment half4 water_fragment(WaterOut in [[stage_in]], constant Uniforms& u [[buffer(0)]], texture2d<half> reflection [[texture(0)]], texture2d<half> refraction [[texture(1)]], depth2d<float> depth [[texture(2)]], sampler smp [[sampler(0)]]) {
    float2 ndc = in.clip.xy / in.clip.w * float2(0.5, -0.5) + 0.5; const float3 v = normalize(u.cameraPosition - in.world);
    float2 distortion = float2(in.normal.xz) * 0.02h; half fresnel = pow(1.0h - saturate(dot(half3(v), in.normal)), 5.0h);
    float d = depth.sample(smp, ndc) - in.position.z;
    half4 refl = reflection.sample(smp, float2(ndc.x, 1 - ndc.y) + distortion), refr = refraction.sample(smp, ndc + distortion);
    return half4(mix(refr, refl, fresnel).rgb + half(smoothstep(0.0f, 0.01f, d)) * 0.01h, 1.0h);
}
// ---- post-processing ----
struct QuadOut { float4 position [[position]]; float2 uv; };
fragment float ssao(QuadOut in [[stage_in]], depth2d<float> depthTexture [[texture(0)]], texture2d<float> normals [[texture(1)]], texture2d<float> noise [[texture(2)]], constant float3* samples [[buffer(0)]], constant float4x4& projection [[buffer(1)]], constant float4x4& inverseProjection [[buffer(2)]]) {
    constexpr sampler s(filter::nearest, address::clamp_to_edge), r(filter::nearest, address::repeat);
    auto viewPosition = [&](float2 uv) -> float3 { float4 p = inverseProjection * float4(uv * float2(2, -2) + float2(-1, 1), depthTexture.sample(s, uv), 1); return p.xyz / p.w; };
    float3 p = viewPosition(in.uv), n = normalize(normals.sample(s, in.uv).xyz), rv = noise.sample(r, in.uv * float2(depthTexture.get_width(), depthTexture.get_height()) / 4).xyz;
    float3 t = normalize(rv - n * dot(rv, n)); float3x3 tbn(t, cross(n, t), n); float occlusion = 0;
    for (int i = 0; i < 16; ++i) { float3 q = p + tbn * samples[i] * 0.5; float4 o = projection * float4(q, 1); float2 uv = o.xy / o.w * float2(0.5, -0.5) + 0.5; float z = viewPosition(uv).z; occlusion += (z >= q.z + 0.025 ? 1 : 0) * smoothstep(0, 1, 0.5 / abs(p.z - z)); }
    return 1 - occlusion / 16;
}
// ---- PBR with function constants ----
constant bool hasBaseColorMap [[function_constant(0)]];
constant int lightCount [[function_constant(1)]];
constant bool normalMapped [[function_constant(2)]];
constant bool shadowed [[function_constant(3)]];
constant bool hasNormalMap = is_function_constant_defined(normalMapped) && normalMapped;
constant bool hasShadow = is_function_constant_defined(shadowed) && shadowed;
constant bool hasAnyMap = hasBaseColorMap || hasNormalMap;
constant int lights_ = is_function_constant_defined(lightCount) ? lightCount : 1;
struct PbrIn { float4 position [[position]]; float3 world; float3 normal; float3 tangent [[function_constant(hasNormalMap)]]; float2 uv [[function_constant(hasAnyMap)]]; float4 shadow; bool front [[front_facing]]; };
struct Light { float3 position; float3 color; };
struct MaterialArgs { float4 baseColor; float roughness, metallic; };
static float D_GGX(float nh, float a) { float a2 = a * a, f = (nh * a2 - nh) * nh + 1; return a2 / (M_PI_F * f * f); }
static float V_Smith(float nv, float nl, float a) { float a2 = a * a; return 0.5 / (nl * sqrt(nv * nv * (1 - a2) + a2) + nv * sqrt(nl * nl * (1 - a2) + a2)); }
static float3 F_Schlick(float3 f0, float u) { return f0 + (1 - f0) * powr(1 - u, 5); }
static float pcf(depth2d<float, access::sample> map, float3 p) { constexpr sampler c(coord::normalized, filter::linear, address::clamp_to_border, border_color::opaque_white, compare_func::less_equal); float s = 0; for (int y = -1; y <= 1; ++y) for (int x = -1; x <= 1; ++x) s += map.sample_compare(c, p.xy, p.z - 0.001, int2(x, y)); return s / 9; }
struct GBuffer { half4 color [[color(0)]]; half4 normal [[color(1)]]; float depth [[color(2)]]; };
fragment GBuffer pbr(PbrIn in [[stage_in]], constant MaterialArgs& m [[buffer(0)]], constant Light* lights [[buffer(1)]], constant float3& eye [[buffer(2)]], texture2d<float> baseMap [[texture(0), function_constant(hasBaseColorMap)]], texture2d<float> normalMap [[texture(1), function_constant(hasNormalMap)]], depth2d<float> shadowMap [[texture(2), function_constant(hasShadow)]], texturecube<half> irradiance [[texture(3)]]) {
    constexpr sampler s(filter::linear, mip_filter::linear, max_anisotropy(8), address::repeat);
    float4 base = m.baseColor; if (hasBaseColorMap) base *= baseMap.sample(s, in.uv); if (base.a < 0.5) discard_fragment();
    float3 n = normalize(in.front ? in.normal : -in.normal); if (hasNormalMap) { float3 t = normalize(in.tangent - n * dot(n, in.tangent)); n = normalize(float3x3(t, cross(n, t), n) * (normalMap.sample(s, in.uv, bias(-0.5)).xyz * 2 - 1)); }
    float3 v = normalize(eye - in.world), f0 = mix(float3(0.04), base.rgb, m.metallic), c = 0; float nv = max(dot(n, v), 1e-4f), a = m.roughness * m.roughness;
    for (int i = 0; i < lights_; ++i) { float3 l = lights[i].position - in.world; float at = 1 / max(length_squared(l), 0.01f); l = normalize(l); float3 h = normalize(l + v); float nl = saturate(dot(n, l)); c += lights[i].color * at * nl * (D_GGX(saturate(dot(n, h)), a) * V_Smith(nv, nl, a) * F_Schlick(f0, saturate(dot(v, h))) + (1 - m.metallic) * base.rgb * M_1_PI_F); }
    if (hasShadow) c *= pcf(shadowMap, in.shadow.xyz / in.shadow.w);
    c += base.rgb * float3(irradiance.sample(s, n).rgb);
    return {half4(half3(c), 1), half4(half3(n) * 0.5h + 0.5h, 1), in.position.z};
}
// ---- particles ----
struct Particle { float4 positionAndLife; packed_half4 color; half size; uchar alive; };
struct ParticleOut { float4 position [[position]]; float size [[point_size]]; half4 color [[flat]]; };
vertex ParticleOut particle_vertex(uint vid [[vertex_id]], const device Particle* p [[buffer(0)]], constant float4x4& vp [[buffer(1)]]) { ParticleOut o; const device Particle& q = p[vid]; o.position = q.alive ? vp * float4(q.positionAndLife.xyz, 1) : float4(2, 2, 2, 1); o.size = q.size / o.position.w; o.color = half4(q.color); return o; }
// ---- deferred light with programmable blending, samples ----
struct Accum { half4 lighting [[color(3), raster_order_group(1)]]; };
fragment Accum deferred_light(float4 position [[position]], GBuffer g, constant Light& light [[buffer(0)]], constant float4x4& inv [[buffer(1)]], half4 before [[color(3), raster_order_group(1)]]) { float4 w = inv * float4(position.xy, g.depth, 1); float3 l = light.position - w.xyz / w.w; half d = saturate(dot(half3(normalize(l)), g.normal.xyz * 2 - 1)); return {before + half4(g.color.rgb * d * half3(light.color), 0)}; }
struct SampleIn { float4 position [[position]]; float2 uv [[sample_perspective]]; float3 color [[centroid_no_perspective]]; uint layer [[render_target_array_index]]; };
struct SampleOut { float4 c [[color(0)]]; uint mask [[sample_mask]]; float depth [[depth(greater)]]; };
fragment SampleOut per_sample(SampleIn in [[stage_in]], uint sid [[sample_id]], uint cover [[sample_mask]], texture2d_array<float> t [[texture(0)]], texture2d_ms<float> ms [[texture(1)]]) { constexpr sampler s(filter::linear); float4 c = t.sample(s, in.uv, in.layer, gradient2d(dfdx(in.uv), dfdy(in.uv))) + ms.read(uint2(in.position.xy), sid); return {c + float4(in.color, 0), cover & (1u << sid), in.position.z + 0.1f}; }
