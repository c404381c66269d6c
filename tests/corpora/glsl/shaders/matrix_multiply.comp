#version 450
layout(local_size_x = 16, local_size_y = 16) in;
layout(std140, binding = 3) uniform Sizes { uint m, n, k; } sizes;
layout(std430, binding = 0) readonly buffer A { float a[]; };
layout(std430, binding = 1) readonly buffer B { float b[]; };
layout(std430, binding = 2) writeonly buffer C { float c[]; };
shared float tileA[16][16], tileB[16][16];
void main() {
    uint row = gl_GlobalInvocationID.y, column = gl_GlobalInvocationID.x;
    uvec2 t = gl_LocalInvocationID.yx;
    float sum = 0.0;
    for (uint from = 0u; from < sizes.k; from += 16u) {
        tileA[t.x][t.y] = row < sizes.m && from + t.y < sizes.k ? a[row * sizes.k + from + t.y] : 0.0;
        tileB[t.x][t.y] = column < sizes.n && from + t.x < sizes.k ? b[(from + t.x) * sizes.n + column] : 0.0;
        barrier();
        for (int i = 0; i < 16; ++i) sum += tileA[t.x][i] * tileB[i][t.y];
        barrier();
    }
    if (row < sizes.m && column < sizes.n) c[row * sizes.n + column] = sum;
}
