#version 450
layout(local_size_x = 32) in;
layout(constant_id = 0) const int rounds = 3;
layout(constant_id = 1) const float factor = 0.5;
layout(constant_id = 2) const bool negate = false;
const int doubled = rounds * 2 + 1;
layout(std430, binding = 0) buffer Data { float a[]; };
void main() {
    float table[rounds];
    for (int k = 0; k < rounds; ++k) table[k] = factor * float(k + 1);
    float x = a[gl_GlobalInvocationID.x];
    for (int k = 0; k < doubled; ++k) x += table[k % rounds];
    a[gl_GlobalInvocationID.x] = negate ? -x : x;
}
