#include <metal_stdlib>
using namespace metal;

kernel void judged(
        device int* out [[buffer(0)]],
        uint id [[thread_position_in_grid]])
{
    if ((0 << (13 << (-2))) < 0) {
        out[id] = 2;
    } else {
        out[id] = out[id] << (2147483647 + 35);
    }
}
