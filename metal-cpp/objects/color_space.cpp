// SPDX-License-Identifier: MIT

#include <CoreGraphics/CGColorSpace.h>

#include <atomic>

struct __CFString {
    const char* text;
};

struct CGColorSpace {
    std::atomic<unsigned> references{1};
};

namespace {

constexpr __CFString srgb{"kCGColorSpaceSRGB"};
constexpr __CFString displayP3{"kCGColorSpaceDisplayP3"};
constexpr __CFString linearSRGB{"kCGColorSpaceLinearSRGB"};
constexpr __CFString extendedLinearSRGB{"kCGColorSpaceExtendedLinearSRGB"};

}  // namespace

extern "C" {

const CFStringRef kCGColorSpaceSRGB = &srgb;
const CFStringRef kCGColorSpaceDisplayP3 = &displayP3;
const CFStringRef kCGColorSpaceLinearSRGB = &linearSRGB;
const CFStringRef kCGColorSpaceExtendedLinearSRGB = &extendedLinearSRGB;

CGColorSpaceRef CGColorSpaceCreateWithName(CFStringRef name) {
    for (const CFStringRef known : {&srgb, &displayP3, &linearSRGB, &extendedLinearSRGB}) {
        if (name == known) return new CGColorSpace;
    }
    return nullptr;
}

CGColorSpaceRef CGColorSpaceRetain(CGColorSpaceRef space) {
    if (space != nullptr) space->references.fetch_add(1, std::memory_order_relaxed);
    return space;
}

void CGColorSpaceRelease(CGColorSpaceRef space) {
    if (space != nullptr && space->references.fetch_sub(1, std::memory_order_acq_rel) == 1) delete space;
}

}  // extern "C"
