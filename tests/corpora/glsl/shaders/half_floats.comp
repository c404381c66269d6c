#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 32) in;
layout(std430, binding = 0) readonly buffer In { f16vec4 a[]; };
layout(std430, binding = 1) writeonly buffer Out { f16vec4 b[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    f16vec4 v = a[i];
    f16vec4 limit = f16vec4(float16_t(1.5));
    b[i] = mix(v * float16_t(2.0) + limit, -v, lessThan(v, limit)) + f16vec4(vec4(0.25));
}
