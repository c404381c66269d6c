#include <metal_stdlib>
using namespace metal;

struct Record { ulong a; ulong3 b; };
static uint f7(int a1, int a2, uint a3) {
    switch (int(a3) & 7) {
    case 0: {
        for (uint i4 = 0u; i4 < 1u; i4 += 1u) {
            uint v5 = uint(reverse_bits(a3)) + 127u;
        }
        for (uint i6 = 0u; i6 < 2u; i6 += 3u) {
            a2 += (a1 + a2) & (a1 * a1);
        }
    }
    case 1: {
    }
    case 2: case 3: {
        a1 = 0 + 0;
        break;
    }
    case 4: {
        a1 += 1;
        break;
    }
    case 5: {
        break;
    }
    }
    if (a2 < (-a2)) {
    }
    return a3 % ((a3 & 127u) | 1u);
}
kernel void judged(
        device ulong* result [[buffer(0)]],
        device const int* in8 [[buffer(1)]],
        constant uint& n9 [[buffer(2)]],
        constant int& n10 [[buffer(3)]],
        device Record* out11 [[buffer(4)]],
        uint position [[thread_position_in_grid]],
        uint size [[threads_per_grid]],
        uint local [[thread_position_in_threadgroup]],
        uint extent [[threads_per_threadgroup]],
        uint group [[threadgroup_position_in_grid]],
        uint lane [[thread_index_in_threadgroup]])
{
    threadgroup int t12[1];
    threadgroup ulong3 t13[1];
    uint id = position;
    uint index = lane;
    uint count = extent;
    uint trace = 0u;
    t12[index] = n10;
    t13[index] = ulong3(int3(int(index), int(index), int(index)));
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (((0ul + ulong(trace)) & (0ul & 0ul)) < 5ul) {
        for (int i14 = 6 + 1; i14 > 1; i14 -= 1) {
            ulong3 v15 = ulong2(1ul, ulong(extent)).yxx;
            out11[id] = Record{v15.x ^ v15.y, v15};
            if (bool(size)) {
                v15 &= (v15 + v15) + v15;
                for (uint i16 = 0u; i16 < 4u; i16 += 2u) {
                    if (i14 >= (255 << (int(id) & 31))) {
                        threadgroup const ulong3* q17 = group >= uint(n10) ? t13 : t13;
                    }
                    bool v18 = (0ul - v15.y) >= (v15.z >> (v15.z & 63ul));
                    trace = (trace * 31u) + uint(v18);
                    break;
                }
                break;
            }
            v15.xz ^= ulong2(ulong2(v15.z, v15.y));
        }
        if (((n10 == n10) != (n10 > n10)) && (!(lane < position))) {
            if ((!((n10 / ((n10 & 127) | 1)) > n10))) {
                out11[id] = Record{ulong(position) ^ ulong(index), t13[0u % count]};
            }
        }
    }
    trace = 0u;
    trace = 0u;
}
