// SPDX-License-Identifier: MIT
//
// Included first by every header: the macros the standard headers share.

#pragma once
#pragma clang system_header

#define METAL_FUNC inline __attribute__((always_inline))

/// After a parameter list: the argument is a constant. What generators of Metal write.
#define METAL_CONST_ARG(name)

/// After a method's parameter list: the method is for objects in that address space.
#define __METAL_OBJECT_IN(space) __attribute__((metal_method_##space))
