#version 450
// An inclusive scan of each workgroup's elements, in two buffers that swap.
layout(local_size_x = 96) in;
layout(std430, binding = 0) buffer Values { float values[]; };
struct Pair { float sum; uint count; };
shared Pair pairs[2][96];
void main() {
    uint t = gl_LocalInvocationIndex;
    int from = 0;
    pairs[from][t] = Pair(values[gl_GlobalInvocationID.x], 1u);
    barrier();
    for (uint step = 1u; step < 96u; step *= 2u) {
        Pair mine = pairs[from][t];
        if (t >= step) {
            mine.sum += pairs[from][t - step].sum;
            mine.count += pairs[from][t - step].count;
        }
        from = 1 - from;
        pairs[from][t] = mine;
        barrier();
    }
    values[gl_GlobalInvocationID.x] = pairs[from][t].count == t + 1u ? pairs[from][t].sum : -1.0;
}
