// SPDX-License-Identifier: MIT
#pragma once
#include <simd/simd.h>
