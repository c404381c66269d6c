// SPDX-License-Identifier: MIT
//
// The processor's floating-point mode while kernels run: denormal numbers count as zero and come out as zero, round to
// nearest, no traps. A signal handler may leave another mode behind, so it is also set after a jump out of one.

#pragma once

#include <cstdint>

namespace metal_executor {

class FlushDenormals {
public:
    FlushDenormals() : before_(read()) { set(); }
    ~FlushDenormals() { write(before_); }
    FlushDenormals(const FlushDenormals&) = delete;
    FlushDenormals& operator=(const FlushDenormals&) = delete;

#if defined(__x86_64__)
    static void set() { write(0x9fc0); }  // FTZ, DAZ, all exceptions masked

private:
    static std::uint64_t read() { return __builtin_ia32_stmxcsr(); }
    static void write(std::uint64_t mode) { __builtin_ia32_ldmxcsr(static_cast<unsigned>(mode)); }
#elif defined(__aarch64__)
    static void set() { write(std::uint64_t{1} << 24 | std::uint64_t{1} << 19); }  // FPCR.FZ, FPCR.FZ16

private:
    static std::uint64_t read() {
        std::uint64_t mode;
        asm volatile("mrs %0, fpcr" : "=r"(mode));
        return mode;
    }
    static void write(std::uint64_t mode) { asm volatile("msr fpcr, %0" ::"r"(mode)); }
#else
    static void set() {}

private:
    static std::uint64_t read() { return 0; }
    static void write(std::uint64_t) {}
#endif

    std::uint64_t before_;
};

}  // namespace metal_executor
