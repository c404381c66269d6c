// SPDX-License-Identifier: MIT
// What metal-cpp takes from macOS's SDK header of this name; only for compiling on another system.
#pragma once

typedef struct __IOSurface* IOSurfaceRef;
