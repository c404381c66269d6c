#version 450
layout(local_size_x = 16, local_size_y = 16) in;
layout(push_constant) uniform View { vec2 corner; vec2 step; int limit; } view;
layout(binding = 0, r32ui) uniform writeonly uimage2D rounds;
void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(at, imageSize(rounds)))) return;
    precise vec2 c = view.corner + view.step * vec2(at);
    precise vec2 z = vec2(0.0);
    int n = 0;
    for (; n < view.limit && dot(z, z) < 4.0; ++n) z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
    imageStore(rounds, at, uvec4(n));
}
