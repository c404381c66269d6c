#version 450
layout(local_size_x = 32) in;
layout(std430, binding = 0) readonly buffer In { vec4 a[]; };
layout(std430, binding = 1) writeonly buffer Out { vec4 b[]; };
const float weights[5] = float[](0.0625, 0.25, 0.375, 0.25, 0.0625);
const vec2 corners[4] = vec2[4](vec2(0, 0), vec2(1, 0), vec2(1, 1), vec2(0, 1));
void smooth5(inout float line[5]) {
    float copy[5] = line;
    for (int i = 0; i < 5; ++i) {
        line[i] = 0.0;
        for (int k = 0; k < 5; ++k) line[i] += weights[k] * copy[clamp(i + k - 2, 0, 4)];
    }
}
float[3] cube(float x) { return float[3](x, x * x, x * x * x); }
void order(inout float low, inout float high) { if (low > high) { float t = low; low = high; high = t; } }
void split(vec4 v, out vec2 front, out vec2 back) { front = v.xy; back = v.zw; }
bool add(in float x, inout vec3 to) { to += x; x = 0.0; return to.x > 1.0; }
void main() {
    uint i = gl_GlobalInvocationID.x;
    vec4 v = a[i];
    float line[5] = float[5](v.x, v.y, v.z, v.w, float(i));
    smooth5(line);
    float powers[3] = cube(line[int(i) % 5]);
    order(v.x, v.w);
    order(v.y, v.z);
    vec2 front, back;
    split(v, front, back);
    vec3 sum = vec3(powers[0], powers[1], powers[2]);
    bool large = add(front.x, sum) && add(back.y, sum.zyx);
    sum.xy += corners[i & 3u];
    float table[2][3];
    for (int r = 0; r < 2; ++r) for (int c = 0; c < 3; ++c) table[r][c] = line[r + c] * float(r + 1);
    b[i] = vec4(sum + vec3(front, back.x), table[i % 2u][i % 3u] + float(large) + float(table.length()));
}
