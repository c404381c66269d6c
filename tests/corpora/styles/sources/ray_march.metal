#include <metal_stdlib>
using namespace metal;

#define MAX_STEPS 80
#define EPS 1e-3
#define PI 3.14159265359
#define mod(x, y) ((x) - (y) * floor((x) / (y)))
#define iResolution (u.resolution)
#define iTime (u.time)

struct Frame { float2 resolution; float time; int frame; float4 mouse; };

float2x2 rot(float a) { float s = sin(a), c = cos(a); return float2x2(c, -s, s, c); }

float hash(float2 p) {
    float3 p3 = fract(float3(p.xyx) * .1031);
    p3 += dot(p3, p3.yzx + 33.33);
    return fract((p3.x + p3.y) * p3.z);
}

float noise(thread const float2& x) {
    float2 i = floor(x), f = fract(x);
    f = f * f * (3. - 2. * f);
    return mix(mix(hash(i), hash(i + float2(1, 0)), f.x), mix(hash(i + float2(0, 1)), hash(i + 1.), f.x), f.y);
}

float fbm(float2 p) {
    float a = .5, r = 0.;
    for (int i = 0; i < 5; i++, a *= .5) { r += a * noise(p); p = rot(.6) * p * 2.02 + float2(1.7, 9.2); }
    return r;
}

float sdBox(float3 p, float3 b) { float3 q = abs(p) - b; return length(max(q, 0.0)) + min(max(q.x, max(q.y, q.z)), 0.0); }
float sdTorus(float3 p, float2 t) { return length(float2(length(p.xz) - t.x, p.y)) - t.y; }
float smin(float a, float b, float k) { float h = max(k - abs(a - b), 0.) / k; return min(a, b) - h * h * k * .25; }
float2 opU(float2 a, float2 b) { return (a.x < b.x) ? a : b; }

float2 map(float3 p, constant Frame& u) {
    p.xz *= rot(iTime * .3);
    float2 r = float2(p.y + 1., 0.);
    float3 q = p; q.xy *= rot(q.z * .2);
    r = opU(r, float2(smin(sdBox(q, float3(.5, .5, .5)) - .05, sdTorus(p.xzy, float2(.9, .2)), .3), 1.));
    q = mod(p + 2., 4.) - 2.;
    return opU(r, float2(length(q - float3(1.5, -.8, 0)) - .2, 2.));
}

float3 normal(float3 p, constant Frame& u) {
    float2 e = float2(1., -1.) * .5773 * EPS;
    return normalize(e.xyy * map(p + e.xyy, u).x + e.yyx * map(p + e.yyx, u).x + e.yxy * map(p + e.yxy, u).x +
                     e.xxx * map(p + e.xxx, u).x);
}

float shadow(float3 ro, float3 rd, constant Frame& u, float k = 8.) {
    float res = 1., t = .02;
    for (int i = 0; i < 16 && t < 5.; i++) { float h = map(ro + rd * t, u).x; res = min(res, k * h / t); t += clamp(h, .02, .25); }
    return saturate(res);
}

constexpr constant float3 palette[] = { float3(.6, .55, .5), float3(.9, .3, .2), { .2, .4, .9 } };

kernel void march(texture2d<float, access::write> out [[texture(0)]], constant Frame& u [[buffer(0)]],
                  uint2 gid [[thread_position_in_grid]]) {
    float2 fragCoord = float2(gid.x, iResolution.y - float(gid.y)) + .5;
    float2 uv = (2. * fragCoord - iResolution.xy) / iResolution.y;
    float3 ro = float3(0, .6, -3.5), ww = normalize(-ro), uu = normalize(cross(float3(0, 1, 0), ww)), vv = cross(ww, uu);
    float3 rd = normalize(float3x3(uu, vv, ww) * float3(uv, 1.6));
    float t = 0., m = -1.;
    for (int i = 0; i < MAX_STEPS; ++i) {
        float2 d = map(ro + rd * t, u);
        if (d.x < EPS * t) { m = d.y; break; }
        if ((t += d.x) > 20.) break;
    }
    float3 col = mix(float3(.4, .6, .9), float3(1), fbm(rd.xz * 4. / max(rd.y, .05)) * step(0., rd.y));
    if (m > -.5) {
        float3 p = ro + rd * t, n = normal(p, u), l = normalize(float3(.6, .8, -.4));
        float3 base = palette[int(m)];
        if (m < .5) base *= .7 + .3 * fmod(abs(floor(p.x) + floor(p.z)), 2.);
        float dif = max(dot(n, l), 0.) * shadow(p + n * .01, l, u), fre = pow(1. + dot(rd, n), 5.);
        base = base * (dif * float3(1.3, 1.2, 1.) + .2 + .1 * n.y) + fre * .2;
        col = mix(base, col, 1. - exp(-.002 * t * t * t));
    }
    col = pow(col / (1. + col), .4545);
    col.rgb *= .5 + .5 * pow(16. * uv.x * .1 * (1. - uv.x * .1) + 1., .1);
    out.write(float4(select(col, float3(1, 0, 1), isnan(col)), 1.), gid);
}

fragment float4 mainImage(float4 fragCoord [[position]], constant Frame &u [[buffer(0)]]) {
    float2 uv = fragCoord.xy / iResolution.xy;
    float3 col = 0.5 + 0.5 * cos(iTime + uv.xyx + float3(0, 2, 4));
    float2 z = 0, c = (uv - .5) * 3.;
    int i;
    for (i = 0; i < 64; i++) { z = float2(z.x * z.x - z.y * z.y, 2. * z.x * z.y) + c; if (dot(z, z) > 4.) break; }
    col *= float(i) / 64.;
    return float4(col, 1);
}
