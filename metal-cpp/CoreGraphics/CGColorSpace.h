// SPDX-License-Identifier: MIT
//
// What the numbers in a layer's pixels mean: colour spaces, by name. Of those that Apple's header names, these.

#pragma once

#ifdef __cplusplus
extern "C" {
#endif

typedef const struct __CFString* CFStringRef;
typedef struct CGColorSpace* CGColorSpaceRef;

extern const CFStringRef kCGColorSpaceSRGB;
extern const CFStringRef kCGColorSpaceDisplayP3;
extern const CFStringRef kCGColorSpaceLinearSRGB;
extern const CFStringRef kCGColorSpaceExtendedLinearSRGB;

/// Caller owns the result (+1). Null when there is none of that name.
CGColorSpaceRef CGColorSpaceCreateWithName(CFStringRef name);

/// Adds a reference; null is allowed. Returns the space.
CGColorSpaceRef CGColorSpaceRetain(CGColorSpaceRef space);

/// Gives a reference back; null is allowed.
void CGColorSpaceRelease(CGColorSpaceRef space);

#ifdef __cplusplus
}
#endif
