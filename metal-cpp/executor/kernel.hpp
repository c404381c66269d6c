// SPDX-License-Identifier: MIT
//
// A compiled kernel: an ELF shared object that follows kernel_abi.h, loaded into this process.

#pragma once

#include <atomic>
#include <cstdint>
#include <iterator>
#include <memory>
#include <span>
#include <string>

#include "kernel_abi.h"

namespace metal_executor {

/// Which code of a kernel a threadgroup's shape wants; see PipelineRequest::laneMapping and laneWidth.
struct LaneVariant {
    std::uint32_t mapping = metal_lanes_in_row;
    std::uint32_t width = 0;  // 0: the target's own choice

    bool operator==(const LaneVariant&) const = default;
};

/// `usesSimdgroup` as in metal_kernel_info of the variant compiled first, which is LaneVariant{}.
/// A kernel without barriers and SIMD-groups runs any shape rightly in any variant; the choice is about speed.
/// `edgeWidth`: of the smaller threadgroups at the grid's edge; `width` where there are none.
LaneVariant variantFor(bool usesSimdgroup, std::uint32_t width, std::uint32_t height, std::uint32_t depth,
                       std::uint32_t edgeWidth);

class Kernel {
public:
    /// Loads a copy of `object` kept in memory. `name` is for messages. Null, with `whyNot` set, when it is no
    /// shared object, lacks a symbol or follows another version of kernel_abi.h.
    static std::shared_ptr<const Kernel> load(std::span<const std::uint8_t> object, std::string name,
                                              std::string* whyNot);

    /// The same for a file, which must not change while it is loaded.
    static std::shared_ptr<const Kernel> loadFile(const std::string& path, std::string name, std::string* whyNot);

    Kernel(const Kernel&) = delete;
    Kernel& operator=(const Kernel&) = delete;
    ~Kernel();

    const std::string& name() const { return name_; }
    const metal_kernel_info& info() const { return *info_; }
    metal_kernel_function function() const { return function_; }
    /// Whether its code reads launch->arguments[slot].
    bool readsSlot(std::size_t slot) const {
        return slot / 64 >= std::size(info_->used_slots) || (info_->used_slots[slot / 64] >> slot % 64 & 1) != 0;
    }

    /// The address of another symbol of its code (METAL_FUNCTION_SYMBOL); null when there is none.
    void* symbol(const std::string& symbolName) const;

    /// True for an address in this kernel's code. Safe in signal handlers.
    bool contains(std::uintptr_t address) const { return address - codeBegin_ < codeSize_; }

    /// Measured time of one thread, to tell small dispatches from large ones; 0 before the first.
    float nanosecondsPerThread() const { return nanosecondsPerThread_.load(std::memory_order_relaxed); }
    void noteNanosecondsPerThread(float measured) const;

private:
    Kernel(void* handle, std::string name);
    bool resolve(std::string* whyNot);

    void* handle_;
    std::string name_;
    const metal_kernel_info* info_ = nullptr;
    metal_kernel_function function_ = nullptr;
    std::uintptr_t codeBegin_ = 0;
    std::uintptr_t codeSize_ = 0;
    mutable std::atomic<float> nanosecondsPerThread_ = 0;
};

}  // namespace metal_executor
