#version 450
layout(local_size_x = 16, local_size_y = 4) in;
layout(push_constant) uniform Size { uvec2 size; };
layout(std430, binding = 1) readonly buffer In { uint a[]; };
layout(std430, binding = 2) writeonly buffer Out { uint b[]; };
shared uint tile[16][17];
void main() {
    uvec2 t = gl_LocalInvocationID.xy, corner = gl_WorkGroupID.xy * 16u;
    for (uint row = t.y; row < 16u; row += gl_WorkGroupSize.y) {
        uvec2 at = corner + uvec2(t.x, row);
        if (all(lessThan(at, size))) tile[row][t.x] = a[at.y * size.x + at.x];
    }
    groupMemoryBarrier();
    barrier();
    for (uint row = t.y; row < 16u; row += gl_WorkGroupSize.y) {
        uvec2 at = corner.yx + uvec2(t.x, row);
        if (all(lessThan(at, size.yx))) b[at.y * size.y + at.x] = tile[t.x][row];
    }
}
