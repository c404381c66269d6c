// SPDX-License-Identifier: MIT
// What metal-cpp takes from macOS's SDK header of this name; only for compiling on another system.
#pragma once

typedef double CGFloat;
typedef struct CGPoint {
    CGFloat x, y;
} CGPoint;
typedef struct CGSize {
    CGFloat width, height;
} CGSize;
typedef struct CGRect {
    CGPoint origin;
    CGSize size;
} CGRect;
