#include <metal_stdlib>
using namespace metal;

// Vectors and matrices in every combination that shaders use.

struct Camera { float4x4 view; float3x3 basis; float2x3 narrow; half4x4 small; };

float2x2 operator%(float2x2 a, float s) { return float2x2(fmod(a[0], s), fmod(a[1], s)); }
float4 qmul(float4 a, float4 b) { return float4(a.w * b.xyz + b.w * a.xyz + cross(a.xyz, b.xyz), a.w * b.w - dot(a.xyz, b.xyz)); }
float3 rotate(float3 v, float4 q) { return v + 2 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
float4x4 look_at(float3 eye, float3 at, float3 up) {
    float3 z = normalize(eye - at), x = normalize(cross(up, z)), y = cross(z, x);
    return float4x4(float4(x.x, y.x, z.x, 0), float4(x.y, y.y, z.y, 0), float4(x.z, y.z, z.z, 0), float4(-dot(x, eye), -dot(y, eye), -dot(z, eye), 1));
}
float4x4 perspective(float fovy, float aspect, float near, float far) {
    float ys = 1 / tan(fovy * 0.5), xs = ys / aspect, zs = far / (near - far);
    return float4x4({xs, 0, 0, 0}, {0, ys, 0, 0}, {0, 0, zs, -1}, {0, 0, near * zs, 0});
}

kernel void vectors(constant Camera& c [[buffer(0)]], device float4* out [[buffer(1)]], device packed_float3* packed [[buffer(2)]],
                    uint2 gid [[thread_position_in_grid]], uint2 size [[threads_per_grid]])
{
    float2 uv = (float2(gid) + 0.5) / float2(size), p = uv * 2 - 1;
    float4 v = 0, w = { 1, 2, 3, 4 }, a{0.5f}, b = float4(p, uv);
    v.xy = p; v.zw = w.xy * uv; v.x += 1; v.yz *= 2; v.wzyx = v.xyzw; v[2]++; --v.w; v.xz -= v.zx;
    w.rgb = w.bgr; w.a = dot(w, w); w /= 2; w = -w; w *= v;
    int4 i = int4(w), j = i << 1, k = (i ^ j) & ~i | 3;
    k %= 7; k >>= int4(1); k += j.x; uint3 u = uint3(k.xyz) + gid.xyx; u = ~u >> 3u;
    bool4 less = v < w, eq = v == w, both = less && !eq;
    if (any(less) || all(both.xy) && !any(isnan(v))) v = select(v, w, both);
    v = mix(v, w, saturate(uv.x)); v = clamp(v, -10.0f, 10); v = max(v, 0.1); v = min(v, w.wwww + 20); v = step(0.5, v) + smoothstep(0.0, 1.0, v) + fract(v) + sign(v);
    float3 n = normalize(float3(p, 1)), r = reflect(n, float3(0, 0, 1)), t = refract(n, r, 0.9f), f = faceforward(n, r, t);
    float3x3 m = c.basis * float3x3(n, r, f); m[1] = cross(m[0], m[2]); m[2][0] = 5; m.columns[1].y *= 2;
    float4x4 big = c.view * look_at(n, r, float3(0, 1, 0)) * perspective(1.0, 1.5, 0.1, 100), tr = transpose(big);
    float d = determinant(m) + determinant(big) + length(m * n) + distance(n * m, r) + length_squared(n);
    float2 nar = n * c.narrow; float3 wide = c.narrow * nar; half4 hv = c.small * half4(v); half hs = dot(hv, half4(0.5h)) + half(d);
    float2x2 q = float2x2(1, 2, 3, 4) * 2.0f; q = q % 3.0f; q += float2x2(1); q = q - float2x2(float2(1), float2(0)); p = q * p; d += q[0][1];
    float4x4 id(1.0), diag = float4x4(1) * 3; id[3].xyz = wide; float3x3 upper(id[0].xyz, id[1].xyz, id[2].xyz);
    packed[gid.y * size.x + gid.x] = float3(big[0][0], tr[1].y, upper[0].x); packed[gid.x].x += 1; packed[0].yz = p;
    float3 pk = packed[gid.x] * 2.0f + float3(packed[1]); packed[1] = pk.zyx;
    short3 sh = short3(pk); uchar4 uc = uchar4(saturate(v) * 255 + 0.5f); char2 ch = char2(uc.xy - uc.zw);
    float4 qr = qmul(normalize(b), a); float3 ro = rotate(n, qr), lo = fast::normalize(ro) + precise::sqrt(abs(ro)) + exp2(log2(abs(ro) + 1)) + pow(abs(n), 2.2) + rsqrt(abs(r) + 1);
    long2 li = long2(gid) * 3; li += 1;
    float only = float4(lo, hs).xxyy.z + float(sh.x + ch.y) + float(li.y) + diag[2][2] + float2(3, 4).yx.x + (gid.x > 2 ? v.xy : w.zw).y;
    out[gid.y * size.x + gid.x] = float4(only, d, float(u.x & 7), float(k.w));
}
