// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>

/// Seconds, as Core Foundation names them.
using CFTimeInterval = double;

namespace NS {

using TimeInterval = double;
using Integer = std::intptr_t;
using UInteger = std::uintptr_t;

inline constexpr Integer IntegerMax = INTPTR_MAX;
inline constexpr Integer IntegerMin = INTPTR_MIN;
inline constexpr UInteger UIntegerMax = UINTPTR_MAX;

struct OperatingSystemVersion {
    Integer majorVersion;
    Integer minorVersion;
    Integer patchVersion;
};

}  // namespace NS
