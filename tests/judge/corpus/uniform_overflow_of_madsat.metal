#include <metal_stdlib>
using namespace metal;

static int f4(int a1, int a2, int a3) {
    return 0;
}
static int f6(int a5) {
    return 0;
}
kernel void judged(
        device ulong* result [[buffer(0)]],
        device const int* in7 [[buffer(1)]],
        device int* out8 [[buffer(2)]],
        uint3 position [[thread_position_in_grid]],
        uint3 size [[threads_per_grid]],
        uint3 local [[thread_position_in_threadgroup]],
        uint3 extent [[threads_per_threadgroup]],
        uint3 group [[threadgroup_position_in_grid]])
{
    uint id = position.x + (size.x * (position.y + (size.y * position.z)));
    uint index = local.x + (extent.x * (local.y + (extent.y * local.z)));
    uint count = (extent.x * extent.y) * extent.z;
    uint trace = 0u;
    uint p9[4] = {0u, trace, trace, trace / ((trace & 127u) | 1u)};
    uint fuel10 = 1u;
    while ((fuel10 != 0u) && ((int(id) < int(trace)) && (0 < 1))) {
        fuel10 -= 1u;
        trace = 0u;
        if (true) {
            trace = trace;
            int n12 = int(trace) & 3;
            for (int i11 = 0; i11 < n12; i11 += 1) {
                trace = trace;
            }
            out8[(id * 2u) + (uint(madsat(position.y, position.y, trace)) % 2u)] = int(trace) + (int(trace) + int(trace));
            break;
        }
        break;
    }
    ulong mix13 = 0ul;
    mix13 = (mix13 * 11400714819323198485ul) + ulong(p9[0u]);
    mix13 = (mix13 * 11400714819323198485ul) + ulong(p9[1u]);
    mix13 = (mix13 * 11400714819323198485ul) + ulong(p9[2u]);
    mix13 = (mix13 * 11400714819323198485ul) + ulong(p9[3u]);
    result[id] = mix13;
}
