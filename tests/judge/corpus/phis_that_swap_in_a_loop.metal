#include <metal_stdlib>
using namespace metal;

kernel void judged(
        device ulong* result [[buffer(0)]],
        device const int* in1 [[buffer(1)]],
        device const uint* in2 [[buffer(2)]],
        constant int& n3 [[buffer(3)]],
        device uint* out4 [[buffer(4)]],
        device atomic_uint* counters [[buffer(5)]],
        uint position [[thread_position_in_grid]],
        uint size [[threads_per_grid]],
        uint local [[thread_position_in_threadgroup]],
        uint extent [[threads_per_threadgroup]],
        uint group [[threadgroup_position_in_grid]],
        uint lane [[thread_index_in_threadgroup]])
{
    threadgroup uint2 t5[33];
    uint id = position;
    uint index = lane;
    uint count = extent;
    uint trace = 0u;
    t5[index] = (n3 < n3) ? uint2(uint(n3), uint(n3)) : uint2(id, id);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    t5[(count - 1u) - index] = uint2(int2(float2(float2(0.0f, 0.0f))));
    float3 v6 = float3(clamp((float4(float(size & 15u), float(size & 15u), float(size & 15u), float(size & 15u)).xxx - float3(float(extent & 15u), 0.0f, float(group & 15u))) + float3(0.0f, 0.0f, 0.0f), float3((-32.0f), (-32.0f), (-32.0f)), float3(32.0f, 32.0f, 32.0f)));
    uint fuel7 = 2u;
    while ((fuel7 != 0u) && (v6.z > float(clamp((6.0f - v6.y) - float(local & 15u), (-32.0f), 32.0f)))) {
        fuel7 -= 1u;
        trace -= in2[id % 8u];
        if (n3 < n3) {
            uint fuel8 = 1u;
            while ((fuel8 != 0u) && (!bool(n3))) {
                fuel8 -= 1u;
                float3 v9 = float4(clamp(float4(v6.x, v6.x, v6.x, v6.x) * float4(v6.z, v6.z, v6.z, v6.z), float4((-32.0f), (-32.0f), (-32.0f), (-32.0f)), float4(32.0f, 32.0f, 32.0f, 32.0f))).xxx;
            }
        } else {
            v6.z = v6.y;
            v6.xyz = v6;
            if ((0 == n3) == ((extent - trace) < trace)) {
                v6.y = v6.x;
                t5[(count - 1u) - index] += uint2((0u >= extent) ? int2(n3, n3) : int2(n3, n3));
                if ((!(int(local) == n3))) {
                    out4[id] ^= position;
                }
                threadgroup const uint2* q10 = int(bool(id)) == n3 ? t5 : t5;
                continue;
            }
        }
        bool v11 = bool(extent);
        trace = (trace * 31u) + uint(v11);
        continue;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
}
