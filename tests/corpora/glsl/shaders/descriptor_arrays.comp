#version 450
layout(local_size_x = 16) in;
layout(std430, set = 0, binding = 0) readonly buffer Part { float a[]; } parts[3];
layout(set = 0, binding = 4) uniform sampler2D pictures[2];
layout(std430, set = 0, binding = 8) writeonly buffer Out { vec4 result[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    float sum = 0.0;
    for (int p = 0; p < 3; ++p) sum += parts[p].a[i] * float(p + 1);
    vec4 texel = vec4(0.0);
    for (int p = 0; p < 2; ++p) texel += texelFetch(pictures[p], ivec2(i % 4u, i / 4u), 0) * float(p * 2 + 1);
    result[i] = texel + sum;
}
