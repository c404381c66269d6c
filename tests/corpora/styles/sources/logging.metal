#include <metal_stdlib>
#include <metal_logging>
using namespace metal;

constant os_log custom_log("com.example.app", "simulation");

kernel void noisy(device float* x [[buffer(0)]], constant uint& n [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    if (i >= n) { os_log_default.log_error("thread %u of %u", i, n); return; }
    if (isnan(x[i])) custom_log.log_info("x[%d] = %f", int(i), x[i]);
    if (i == 0) os_log_default.log("start %s %.3f %x %lu", "here", 1.5f, n, ulong(i));
    x[i] = 1 / x[i];
}
