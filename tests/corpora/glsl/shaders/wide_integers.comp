#version 450
#extension GL_ARB_gpu_shader_int64 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 32) in;
layout(std430, binding = 0) readonly buffer In { int64_t a[64]; i16vec2 h[64]; u8vec4 c[64]; };
layout(std430, binding = 1) writeonly buffer Out { uint64_t wide[64]; i16vec2 narrow[64]; u8vec4 bytes[64]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    int64_t x = a[i];
    wide[i] = uint64_t(x * x) ^ uint64_t(x >> 7) + uint64_t(x / 1000L);
    narrow[i] = h[i] * int16_t(3) - i16vec2(h[i].yx >> int16_t(2));
    u8vec4 v = c[i];
    bytes[i] = v + v.wzyx * uint8_t(5);
}
