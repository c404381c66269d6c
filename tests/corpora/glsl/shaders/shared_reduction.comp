#version 450
layout(local_size_x = 128) in;
layout(std430, binding = 0) readonly buffer In { int values[]; };
layout(std430, binding = 1) writeonly buffer Out { int sums[]; };
shared int partial[gl_WorkGroupSize.x];
void main() {
    uint t = gl_LocalInvocationID.x;
    partial[t] = values[gl_GlobalInvocationID.x];
    memoryBarrierShared();
    barrier();
    for (uint step = gl_WorkGroupSize.x / 2u; step > 0u; step >>= 1) {
        if (t < step) partial[t] += partial[t + step];
        memoryBarrierShared();
        barrier();
    }
    if (t == 0u) sums[gl_WorkGroupID.x] = partial[0];
}
