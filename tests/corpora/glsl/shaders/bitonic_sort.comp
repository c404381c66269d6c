#version 450
layout(local_size_x = 128) in;
layout(std430, binding = 0) buffer Keys { ivec2 keys[]; };
shared ivec2 local[256];
void exchange(uint low, uint high, bool up) {
    if ((local[low].x > local[high].x) == up) {
        ivec2 kept = local[low];
        local[low] = local[high];
        local[high] = kept;
    }
}
void main() {
    uint t = gl_LocalInvocationID.x, start = gl_WorkGroupID.x * 256u;
    local[t] = keys[start + t];
    local[t + 128u] = keys[start + t + 128u];
    for (uint size = 2u; size <= 256u; size *= 2u) {
        for (uint stride = size / 2u; stride > 0u; stride /= 2u) {
            barrier();
            uint low = 2u * t - (t & (stride - 1u));
            exchange(low, low + stride, (low & size) == 0u);
        }
    }
    barrier();
    keys[start + t] = local[t];
    keys[start + t + 128u] = local[t + 128u];
}
