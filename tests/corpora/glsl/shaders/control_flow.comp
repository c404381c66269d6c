#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer In { int a[]; };
layout(std430, binding = 1) writeonly buffer Out { int result[]; };
int collatz(int n) {
    int steps = 0;
    while (n != 1) {
        n = (n & 1) == 0 ? n / 2 : 3 * n + 1;
        if (++steps > 40) return -steps;
    }
    return steps;
}
void main() {
    uint i = gl_GlobalInvocationID.x;
    int x = a[i], total = 0;
    for (int k = 0; k < 12; ++k) {
        if (k == x % 5) continue;
        switch ((x + k) % 6) {
            case 0: total += 1;
            case 1: total += 10; break;
            case 2: { int j = k; do { total += j; j -= 2; } while (j > 0); break; }
            case 3: if (k > 7) break; total -= 5; break;
            default: total ^= k;
        }
        if (total > 200) break;
    }
    for (int p = x, q = 1; p > q; p -= 3, q += 2) total += p * q;
    result[i] = total * 1000 + collatz(x + 1);
}
