#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, r8ui) uniform readonly uimage2D before;
layout(binding = 1, r8ui) uniform writeonly uimage2D after;
shared uint cells[10][10];
void main() {
    ivec2 size = imageSize(before), t = ivec2(gl_LocalInvocationID.xy), corner = ivec2(gl_WorkGroupID.xy) * 8 - 1;
    for (int i = int(gl_LocalInvocationIndex); i < 100; i += 64) {
        ivec2 cell = ivec2(i % 10, i / 10);
        cells[cell.y][cell.x] = imageLoad(before, (corner + cell + size) % size).r;
    }
    barrier();
    uint around = 0u;
    for (int dy = 0; dy < 3; ++dy)
        for (int dx = 0; dx < 3; ++dx)
            if (dx != 1 || dy != 1) around += cells[t.y + dy][t.x + dx];
    uint alive = cells[t.y + 1][t.x + 1];
    bool lives = around == 3u || (around == 2u && alive == 1u);
    imageStore(after, ivec2(gl_GlobalInvocationID.xy), uvec4(lives ? 1u : 0u));
}
