#version 450
layout(local_size_x = 4, local_size_y = 4, local_size_z = 2) in;
layout(binding = 0, rgba16ui) uniform readonly uimage3D volume;
layout(binding = 1, r32i) uniform writeonly iimage2DArray layers;
layout(binding = 2, r32f) uniform image2D plane;
void main() {
    ivec3 at = ivec3(gl_GlobalInvocationID);
    uvec4 texel = imageLoad(volume, at);
    imageStore(layers, at, ivec4(int(texel.x) - int(texel.w) * imageSize(volume).z));
    if (at.z == 0) imageStore(plane, at.xy, imageLoad(plane, at.yx % 4) * 0.0 + float(texel.y) / 4.0);
}
