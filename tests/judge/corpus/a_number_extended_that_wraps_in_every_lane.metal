#include <metal_stdlib>
using namespace metal;

kernel void judged(
        device ulong* result [[buffer(0)]],
        device const uint* in1 [[buffer(1)]],
        device bool* out2 [[buffer(2)]],
        device bool* out3 [[buffer(3)]],
        uint position [[thread_position_in_grid]],
        uint size [[threads_per_grid]],
        uint local [[thread_position_in_threadgroup]],
        uint extent [[threads_per_threadgroup]],
        uint group [[threadgroup_position_in_grid]])
{
    uint id = position;
    uint index = local;
    uint count = extent;
    uint trace = 0u;
    uint present = uint(min(32u, count - (index & 4294967264u)));
    trace = (0u + 0u) + size;
    if (0 < 0) {
        trace |= position;
        trace ^= 0u;
        trace = present;
    } else {
        if (int(extent) >= 0) {
            trace ^= (size | group) + (extent + size);
        } else {
            trace &= (extent * trace) * 0u;
            trace = 0u;
        }
        trace ^= (0u + 100u) | (size * local);
    }
    if (true) {
        int v4 = int(reverse_bits(0 + int(group)));
        v4 += (v4 & v4) & int(subsat(v4, v4));
        v4 += v4 << (v4 & 31);
        trace = (trace * 31u) + uint(v4);
    }
    trace &= 0u << ((trace & present) & 31u);
    trace = ((trace > 0u) ? (local % trace) : 0u) + trace;
    trace += 0u;
    uint v5 = 0u;
    v5 = simd_and(uint(madsat(local << (4294967295u & 31u), present, index)));
    v5 += uint(abs(trace));
    ulong mix6 = 0ul;
    mix6 = (mix6 * 11400714819323198485ul) + ulong(trace);
    mix6 = (mix6 * 11400714819323198485ul) + ulong(v5);
    result[id] = mix6;
}
