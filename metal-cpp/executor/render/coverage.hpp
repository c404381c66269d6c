// SPDX-License-Identifier: MIT
//
// Which samples a fragment covers, as columns.

#pragma once

#include <cstddef>
#include <cstdint>

namespace metal_executor::render {

/// All ones where the invocation covers the sample, else 0.
void coverageMasks(const std::uint32_t* coverage, unsigned sample, std::uint32_t* masks, std::size_t count);

/// The samples that any invocation covers.
std::uint32_t samplesCovered(const std::uint32_t* coverage, std::size_t count);

}  // namespace metal_executor::render
