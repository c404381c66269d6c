// SPDX-License-Identifier: MIT
//
// Copying and filling memory: what is much, by several threads, since one does not reach the memory's speed, nor touch
// new pages as fast as several.

#pragma once

#include <cstdint>

namespace metal_executor {

class Pool;
struct CopyImage;

/// The ranges may overlap. Of any thread.
void copyMemory(Pool& pool, void* to, const void* from, std::uint64_t bytes);
/// The same with the threads of a device's pool.
void copyMemory(unsigned device, void* to, const void* from, std::uint64_t bytes);
void copyImage(Pool& pool, const CopyImage& copy);
void copyImage(unsigned device, const CopyImage& copy);
void fillMemory(Pool& pool, void* to, std::uint8_t value, std::uint64_t bytes);

}  // namespace metal_executor
