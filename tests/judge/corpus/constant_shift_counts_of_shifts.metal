#include <metal_stdlib>
using namespace metal;

kernel void judged(
        device int* out [[buffer(0)]],
        uint id [[thread_position_in_grid]])
{
    out[id] = (out[id] << (255 << 33)) ^ (out[id] >> (-13));
}
