#version 450
layout(local_size_x = 16) in;
layout(std430, binding = 0) writeonly buffer Out { float field[]; };
uint hash(uvec2 p) {
    p = p * 1664525u + 1013904223u;
    p.x += p.y * 1664525u;
    p.y += p.x * 1664525u;
    p ^= p >> 16u;
    p.x += p.y * 1664525u;
    return p.x ^ (p.x >> 15u);
}
float lattice(ivec2 p) { return float(hash(uvec2(p)) & 0xffffu) / 65535.0; }
float noise(vec2 p) {
    ivec2 cell = ivec2(floor(p));
    vec2 f = fract(p);
    f = f * f * (3.0 - 2.0 * f);
    return mix(mix(lattice(cell), lattice(cell + ivec2(1, 0)), f.x),
               mix(lattice(cell + ivec2(0, 1)), lattice(cell + ivec2(1, 1)), f.x), f.y);
}
float fbm(vec2 p, int octaves) {
    float sum = 0.0, weight = 0.5;
    const mat2 turn = mat2(0.8, 0.6, -0.6, 0.8);
    for (int i = 0; i < octaves; ++i) {
        sum += weight * noise(p);
        p = turn * p * 2.0;
        weight *= 0.5;
    }
    return sum;
}
void main() {
    uvec2 at = gl_GlobalInvocationID.xy;
    vec2 p = (vec2(at) - 16.0) / 5.0;
    field[at.y * (gl_NumWorkGroups.x * gl_WorkGroupSize.x) + at.x] = fbm(p, 4);
}
