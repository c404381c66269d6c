#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer In { vec2 a[]; };
layout(std430, binding = 1) writeonly buffer Out { float result[128][20]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    float x = a[i].x, y = a[i].y;
    float whole, part = modf(x, whole);
    int exponent;
    float mantissa = frexp(x, exponent);
    result[i] = float[20](mod(x, y), fract(x), whole, part, mantissa, float(exponent), floor(x), ceil(x), trunc(x), sign(x),
        roundEven(x), smoothstep(-1.0, 2.0, x), step(y, x), clamp(x, -2.0, 2.5), mix(x, y, 0.25), min(x, y), max(x, y),
        abs(x) + float(isnan(x)) + float(isinf(y)), mod(vec2(x, -x), 2.5).y, fma(x, y, 1.0));
}
