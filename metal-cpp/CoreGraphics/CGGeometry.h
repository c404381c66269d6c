// SPDX-License-Identifier: MIT
//
// Sizes as layers have them, under the names of Apple's header.

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
