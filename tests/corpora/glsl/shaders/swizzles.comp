#version 450
layout(local_size_x = 16) in;
layout(std430, binding = 0) readonly buffer In { vec4 a[]; };
layout(std430, binding = 1) writeonly buffer Out { vec4 b[64]; ivec4 c[64]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    vec4 v = a[i], w = v.wzyx;
    w.xz = v.yy;
    w.yw *= vec2(2.0, -1.0);
    v.rgb = v.bgr + w.www;
    v[i & 3u] += 10.0;
    vec3 p = vec3(v.xy, w.z);
    p.zx = p.xz;
    bvec4 less = lessThan(v, w), equal = equal(ivec4(v), ivec4(a[i]));
    vec4 chosen = mix(v, w, less);
    b[i] = chosen + vec4(p, p.yy.x);
    ivec4 flags = ivec4(less) + 2 * ivec4(equal) + 4 * ivec4(not(less));
    flags.w += any(less) ? 100 : 0;
    flags.z += all(greaterThanEqual(v, vec4(-1000.0))) ? 1000 : 0;
    flags.xy = -flags.yx;
    c[i] = flags;
}
