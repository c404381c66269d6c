#version 450
layout(local_size_x = 16) in;
layout(std430, binding = 0) buffer Data { int header; int a[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < uint(a.length())) a[i] = a.length() * 100 + int(i);
    if (i == 0u) header = a.length();
}
