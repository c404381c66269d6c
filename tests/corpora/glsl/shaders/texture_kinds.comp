#version 450
layout(local_size_x = 32) in;
layout(binding = 0) uniform sampler2DArray layers;
layout(binding = 1) uniform sampler3D volume;
layout(binding = 2) uniform samplerCube sky;
layout(binding = 3) uniform usampler2D labels;
layout(binding = 4) uniform sampler2DShadow depth;
layout(std430, binding = 5) writeonly buffer Out { vec4 result[32][4]; float lit[32]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    float t = (float(i) + 0.5) / 32.0;
    result[i][0] = textureLod(layers, vec3(t, 0.5, float(i % 3u)), 0.0);
    result[i][1] = textureLod(volume, vec3(t, 0.25, 0.75), 0.0);
    vec3 directions[6] = vec3[](vec3(1, 0, 0), vec3(-1, 0, 0), vec3(0, 1, 0), vec3(0, -1, 0), vec3(0, 0, 1), vec3(0, 0, -1));
    result[i][2] = textureLod(sky, directions[i % 6u], 0.0);
    result[i][3] = vec4(texelFetch(labels, ivec2(i % 4u, i / 8u), 0));
    lit[i] = textureLod(depth, vec3(0.5, 0.5, t), 0.0);
}
