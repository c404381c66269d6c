// SPDX-License-Identifier: MIT
//
// Which resources there are, by the addresses that kernels know them by: what an argument buffer points at is only
// told by the numbers in it.

#pragma once

#include <cstdint>
#include <map>

#include "../Metal/Metal.hpp"

namespace metal_objects {

class BufferObject;
class FunctionTableObject;
class TextureObject;

class LiveResources {
public:
    /// When the resource has its memory.
    static void add(const BufferObject* buffer);
    static void add(const TextureObject* texture);
    static void add(const FunctionTableObject* table);

    /// First thing in its destructor.
    static void remove(const BufferObject* buffer);
    static void remove(const TextureObject* texture);
    static void remove(const FunctionTableObject* table);

    /// Whose memory the address lies in, whose ResourceID it is; null when none.
    static NS::SharedPtr<BufferObject> bufferAt(std::uint64_t address);
    static NS::SharedPtr<TextureObject> textureOf(std::uint64_t resourceId);
    static NS::SharedPtr<FunctionTableObject> tableOf(std::uint64_t resourceId);
};

/// Buffers that commands in memory name by addresses in them, for what the processor reads of them.
class FoundBuffers {
public:
    /// Bytes from there to the end of the buffer, which stays from now on; 0 where no buffer is.
    std::uint64_t roomAt(std::uint64_t address);

private:
    std::map<const BufferObject*, NS::SharedPtr<BufferObject>> held_;
};

}  // namespace metal_objects
