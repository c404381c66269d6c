#version 450
// y = a x + y with a bound from a push constant; the last workgroup is not full.
layout(local_size_x = 64) in;
layout(push_constant) uniform Push { float a; uint count; } push;
layout(std430, binding = 1) readonly buffer X { float x[]; };
layout(std430, binding = 2) buffer Y { float y[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= push.count) return;
    y[i] = push.a * x[i] + y[i];
}
