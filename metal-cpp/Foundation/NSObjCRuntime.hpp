// SPDX-License-Identifier: MIT

#pragma once

#include "NSTypes.hpp"

namespace NS {

enum ComparisonResult : Integer {
    OrderedAscending = -1L,
    OrderedSame,
    OrderedDescending,
};

/// What a search returns for "not there".
inline constexpr Integer NotFound = IntegerMax;

}  // namespace NS
