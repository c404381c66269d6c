#version 450
layout(local_size_x = 16) in;
layout(std430, binding = 0) readonly buffer A { mat4 a[]; };
layout(std430, binding = 1) writeonly buffer Out {
    mat4 inverses[16]; mat4 transposes[16]; mat4 products[16]; vec4 determinants[16]; mat2x3 outers[16]; vec4 rows[16];
};
void main() {
    uint i = gl_GlobalInvocationID.x;
    mat4 m = a[i];
    mat3 upper = mat3(m);
    mat2 corner = mat2(m);
    inverses[i] = inverse(m);
    transposes[i] = transpose(m);
    products[i] = matrixCompMult(m, m) + m * transpose(m) - 2.0 * m;
    determinants[i] = vec4(determinant(m), determinant(upper), determinant(corner), determinant(inverse(upper)));
    outers[i] = outerProduct(upper[0], corner[1]);
    rows[i] = vec4(upper[0], 1.0) * m + vec4(inverse(corner) * vec2(1.0, 2.0), inverse(corner)[1]);
}
