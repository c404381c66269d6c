#include <metal_stdlib>
using namespace metal;

kernel void judged(
        device const short3* in [[buffer(0)]],
        device short3* out [[buffer(1)]],
        uint id [[thread_position_in_grid]])
{
    out[id * 3u] = in[2u] + short3(short(1), short(1), short(1));
    out[(id * 3u) + 1u] = in[id % 8u] * short3(short(1), short(1), short(1));
    out[(id * 3u) + 2u] = in[(id * id) % 8u] ^ short3(short(1), short(1), short(1));
}
