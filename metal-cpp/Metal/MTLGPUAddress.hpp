// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>

#include "../Foundation/Foundation.hpp"

namespace MTL {

/// Where a resource is, as a kernel sees it.
using GPUAddress = std::uint64_t;

}  // namespace MTL
