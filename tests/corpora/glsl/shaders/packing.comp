#version 450
layout(local_size_x = 32) in;
layout(std430, binding = 0) readonly buffer In { vec4 f[64]; uvec4 u[64]; };
layout(std430, binding = 1) writeonly buffer Out { uint bits[64][16]; float real[64][16]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    vec4 v = f[i];
    uvec4 n = u[i];
    int x = int(n.x), y = int(n.y);
    bits[i][0] = packUnorm4x8(v);
    bits[i][1] = packSnorm4x8(v);
    bits[i][2] = packUnorm2x16(v.xy);
    bits[i][3] = packSnorm2x16(v.zw);
    bits[i][4] = packHalf2x16(v.xy * 100.0);
    bits[i][5] = bitfieldExtract(n.x, 5, 11);
    bits[i][6] = uint(bitfieldExtract(x, 9, 7));
    bits[i][7] = bitfieldInsert(n.x, n.y, 3, 14);
    bits[i][8] = bitfieldReverse(n.z);
    bits[i][9] = uint(bitCount(n.w));
    bits[i][10] = uint(findLSB(n.x << (i % 32u)));
    bits[i][11] = uint(findMSB(n.y >> (i % 32u))) ^ (uint(findMSB(x >> 3)) << 8);
    uint carry, borrow, high, low;
    int signedHigh, signedLow;
    bits[i][12] = uaddCarry(n.x, n.y, carry) ^ carry;
    bits[i][13] = usubBorrow(n.x, n.y, borrow) + borrow;
    umulExtended(n.x, n.y, high, low);
    imulExtended(x, y, signedHigh, signedLow);
    bits[i][14] = high ^ low ^ uint(signedHigh);
    bits[i][15] = floatBitsToUint(v.x) ^ uint(floatBitsToInt(v.y));
    vec4 u8 = unpackUnorm4x8(n.x), s8 = unpackSnorm4x8(n.y);
    vec2 u16 = unpackUnorm2x16(n.z), s16 = unpackSnorm2x16(n.w), h = unpackHalf2x16(n.x & 0x7bff7bffu);
    real[i] = float[16](u8.x, u8.y, u8.z, u8.w, s8.x, s8.y, s8.z, s8.w, u16.x, u16.y, s16.x, s16.y, h.x, h.y,
                        uintBitsToFloat(n.x & 0x3fffffffu | 0x3f800000u), ldexp(v.z, int(i % 20u) - 10));
}
