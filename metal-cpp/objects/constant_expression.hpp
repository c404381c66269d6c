// SPDX-License-Identifier: MIT
//
// Values made of function constants, computed from what a function was given for them.

#pragma once

#include <cstdint>
#include <vector>

#include "../compiler/protocol.hpp"

namespace metal_objects {

/// Integers as they are, bool as 0 and 1, fractions cut. A constant without a value counts as zero. The expression must
/// have steps.
std::int64_t valueOf(const protocol::ConstantExpression& expression,
                     const std::vector<protocol::ConstantValue>& constants);

}  // namespace metal_objects
