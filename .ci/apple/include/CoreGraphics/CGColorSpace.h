// SPDX-License-Identifier: MIT
// What metal-cpp and csrc take from macOS's SDK header of this name; only for compiling on another system.
#pragma once

#include <CoreFoundation/CoreFoundation.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct CGColorSpace* CGColorSpaceRef;

extern const CFStringRef kCGColorSpaceSRGB;
extern const CFStringRef kCGColorSpaceDisplayP3;
extern const CFStringRef kCGColorSpaceLinearSRGB;
extern const CFStringRef kCGColorSpaceExtendedLinearSRGB;

CGColorSpaceRef CGColorSpaceCreateWithName(CFStringRef name);

#ifdef __cplusplus
}
#endif
