#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : enable
#extension GL_EXT_shader_16bit_storage : enable
#extension GL_EXT_shader_8bit_storage : enable
#extension GL_ARB_gpu_shader_int64 : enable
layout(local_size_x=32) in; layout(binding=0) buffer B { uint64_t x[]; }; layout(binding=1) buffer H { f16vec4 h[]; }; layout(binding=2) buffer S { int16_t s[]; }; layout(binding=3) buffer C { u8vec4 c[]; }; layout(binding=4) buffer I { int64_t y[]; };
void main(){ uint i = gl_GlobalInvocationID.x; uint64_t v = x[i] * 0x123456789ABCDEFul + (x[i] >> 7) ; v ^= v << 3; x[i] = v; y[i] = int64_t(v) / 3l - abs(y[i]) + sign(y[i]) + min(y[i], 5l); h[i] = sqrt(abs(h[i])) * float16_t(2.0) + f16vec4(1,2,3,4); h[i].x = dot(h[i], h[i]); s[i] = s[i] * int16_t(3) + int16_t(i) - (s[i] >> int16_t(2)); c[i] = c[i].wzyx + u8vec4(1) ; vec2 p = unpackHalf2x16(packHalf2x16(vec2(h[i].xy))); uint lo = unpackUint2x32(v).x; x[i] += packUint2x32(uvec2(lo, 3u)); h[i].y = float16_t(p.x) + unpackFloat2x16(packFloat2x16(f16vec2(p))).y; }
