#version 450
layout(local_size_x = 8) in;
struct Light { vec3 direction; float power; };
layout(std140, binding = 0) uniform Scene {
    float ramp[5];          // 16 bytes each
    mat3 turn;              // columns of 16 bytes
    mat2 small;
    layout(row_major) mat3x4 rows;
    Light lights[2];
    ivec2 shift;
    bool isOn;
} scene;
layout(std430, binding = 1) writeonly buffer Out { vec4 values[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    vec3 v = scene.turn * vec3(float(i), 1.0, 2.0);
    vec2 s = scene.small * vec2(1.0, float(i));
    vec4 r = scene.rows * vec3(1.0, float(i), -1.0);
    vec4 sum = vec4(v, scene.ramp[i % 5u]) + vec4(s, vec2(scene.shift)) + r;
    for (int l = 0; l < 2; ++l) sum.xyz += scene.lights[l].direction * scene.lights[l].power;
    values[i] = scene.isOn ? sum : -sum;
}
