#version 450
layout(local_size_x = 3, local_size_y = 2, local_size_z = 2) in;
layout(std430, binding = 0) writeonly buffer Out { uvec4 places[]; };
void main() {
    uvec3 size = gl_NumWorkGroups * gl_WorkGroupSize, g = gl_GlobalInvocationID;
    uint i = (g.z * size.y + g.y) * size.x + g.x;
    uvec3 local = gl_LocalInvocationID, group = gl_WorkGroupID;
    places[i] = uvec4(local.x + 10u * local.y + 100u * local.z, group.x + 10u * group.y + 100u * group.z,
                      gl_LocalInvocationIndex, gl_NumWorkGroups.x * gl_NumWorkGroups.y * gl_NumWorkGroups.z);
}
