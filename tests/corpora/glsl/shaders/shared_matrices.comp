#version 450
// Matrices in shared memory, alone, in arrays and in structs.
layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer Matrices { mat4 square[8]; };
layout(std430, binding = 1) readonly buffer Others { mat3x2 wide; };
layout(std430, binding = 2) writeonly buffer Result { vec4 result[8]; };
struct Pair { mat2 turn; vec3 offset; };
shared mat4 all_squares[8];
shared mat3x2 doubled;
shared Pair pairs[2];

void main() {
    uint i = gl_LocalInvocationIndex;
    all_squares[i] = square[i];
    if (i == 0) {
        doubled = wide * 2.0;
        pairs[0].turn = mat2(1, 2, 3, 4);
        pairs[0].offset = vec3(5, 6, 7);
        pairs[1] = pairs[0];
        pairs[1].turn[1].x += 10.0;
    }
    barrier();
    mat4 product = all_squares[(i + 1) & 7] * all_squares[i];
    product[1].y += doubled[2][1];
    barrier();
    all_squares[i][2] = vec4(i, 1, 2, 3);
    mat4 own = all_squares[i];
    result[i] = product * own[2] + vec4(pairs[1].turn * vec2(1, 2), pairs[1].offset.xy);
    square[i] = transpose(all_squares[i]) * 2.0;
}
