#include <metal_stdlib>
using namespace metal;

typedef float2 cfloat;

inline cfloat cmul(cfloat a, cfloat b) { return cfloat(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
inline cfloat conj(cfloat a) { return { a.x, -a.y }; }
inline cfloat twiddle(int k, int n) { float angle = -2.f * M_PI_F * k / n; return cfloat(precise::cos(angle), precise::sin(angle)); }

template <int R> struct Butterfly;
template <> struct Butterfly<2> { static void run(thread cfloat* v) { cfloat t = v[0]; v[0] = t + v[1]; v[1] = t - v[1]; } };
template <> struct Butterfly<4> {
    static void run(thread cfloat (&v)[4]) {
        cfloat s02 = v[0] + v[2], d02 = v[0] - v[2], s13 = v[1] + v[3], d13 = v[1] - v[3];
        cfloat j = cfloat(d13.y, -d13.x);
        v[0] = s02 + s13; v[1] = d02 + j; v[2] = s02 - s13; v[3] = d02 - j;
    }
};

template <int N, int R>
kernel void stockham(device const cfloat* in [[buffer(0)]], device cfloat* out [[buffer(1)]], uint row [[threadgroup_position_in_grid]],
                     uint t [[thread_index_in_threadgroup]]) {
    threadgroup cfloat buffer[2][N];
    constexpr int T = N / R;
    cfloat v[R];
    for (int r = 0; r < R; ++r) buffer[0][t + r * T] = in[row * N + t + r * T];
    int which = 0;
    for (int span = 1; span < N; span *= R) {
        threadgroup_barrier(mem_flags::mem_threadgroup);
        const int k = int(t) % span;
        for (int r = 0; r < R; ++r) v[r] = cmul(buffer[which][t + r * T], twiddle(r * k, span * R));
        Butterfly<R>::run(v);
        const int base = (int(t) / span) * span * R + k;
        for (int r = 0; r < R; ++r) buffer[1 - which][base + r * span] = v[r];
        which ^= 1;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (int r = 0; r < R; ++r) out[row * N + t + r * T] = buffer[which][t + r * T];
}

template [[host_name("fft_256")]] kernel void stockham<256, 4>(device const cfloat*, device cfloat*, uint, uint);
template [[host_name("fft_64")]] kernel void stockham<64, 2>(device const cfloat*, device cfloat*, uint, uint);
