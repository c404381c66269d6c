// SPDX-License-Identifier: MIT
// What metal-cpp takes from macOS's SDK header of this name; only for compiling on another system.
#pragma once

#include <TargetConditionals.h>
#include <stdint.h>

typedef double CFTimeInterval;
typedef const void* CFTypeRef;
typedef const struct __CFString* CFStringRef;
