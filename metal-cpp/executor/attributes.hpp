// SPDX-License-Identifier: MIT
//
// Fetches attributes from buffers into the columns of a stage (metal_stage in kernel_abi.h): what [[stage_in]] is of a
// kernel, and what a vertex function's attributes are.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernel_abi.h"
#include "memory.hpp"

namespace metal_executor {

/// How one attribute lies in its buffer, and which columns it fills.
struct Attribute {
    std::uint32_t format = 0;            // MTL::AttributeFormat, which has MTL::VertexFormat's values
    const std::uint8_t* data = nullptr;  // of the first element
    std::uint64_t bytes = 0;             // from `data` to the end of the buffer
    std::uint64_t stride = 0;            // bytes from one element to the next
    std::uint32_t column = 0;            // the first
    std::uint32_t columnCount = 0;
};

/// What a format makes of its bytes.
enum class AttributeKind : std::uint8_t { invalid, real, signedInteger, unsignedInteger };
struct AttributeFormatFacts {
    AttributeKind kind = AttributeKind::invalid;
    std::uint32_t bytes = 0;
    std::uint32_t components = 0;
};
AttributeFormatFacts attributeFormatFacts(std::uint32_t format);

/// Fills elements first ... first + count - 1 of the attribute's columns: with element `elements[i]` of its buffer.
/// Components that the format has not are 0, the fourth 1; an element outside the buffer is all zeros, as is
/// `noElement`.
inline constexpr std::uint64_t noElement = UINT64_MAX;
void fetchAttribute(const Attribute& attribute, const std::uint64_t* elements, std::size_t count, void* const* columns,
                    std::size_t first);

/// Which element of a kernel's attribute a thread takes.
enum class AttributeStep : std::uint8_t { constant, x, y, indexedX, indexedY };

/// All that a kernel's [[stage_in]] is made of. The memory must live until the dispatch has run.
struct StageIn {
    struct Input {
        Attribute attribute;
        AttributeStep step = AttributeStep::x;
        std::uint32_t rate = 1;
    };
    std::vector<Input> inputs;
    std::uint32_t columnCount = 0;
    const std::uint8_t* indices = nullptr;
    std::uint64_t indexBytes = 0;  // from `indices` to the end of the buffer
    std::uint32_t indexSize = 2;   // bytes of one
    // Threads in here are fed; those outside get zeros. Origin and size are read when the dispatch runs where
    // `indirectRegion` is set: six numbers.
    std::uint32_t origin[3] = {0, 0, 0};
    std::uint32_t size[3] = {0, 0, 0};
    bool hasRegion = false;
    const std::uint32_t* indirectRegion = nullptr;
};

/// A kernel's columns, filled. They belong to this object.
class StageColumns {
public:
    /// Sets grid_origin, grid_size and stage of the launch, whose grid must be complete. Null, and why, when memory is
    /// short. Ends early, with some columns not filled, when `stopRequested` becomes true.
    static std::unique_ptr<StageColumns> make(const StageIn& in, metal_launch& launch,
                                              const std::atomic<bool>& stopRequested, std::string& whyNot);

private:
    StageColumns() = default;
    bool allocate(const StageIn& in, std::uint64_t threads, std::string& whyNot);
    void fill(const StageIn::Input& input, const StageIn& in, const metal_launch& launch,
              const std::atomic<bool>& stopRequested);

    std::shared_ptr<Memory> memory_;
    std::vector<void*> columns_;
    metal_stage stage_{};
};

}  // namespace metal_executor
