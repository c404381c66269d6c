// SPDX-License-Identifier: MIT

#pragma once

#include <sys/types.h>

#include <memory>
#include <string>

#include "../Metal/Metal.hpp"
#include "../executor/memory.hpp"
#include "runtime.hpp"

namespace metal_objects {

/// One of a process's devices, which share its processors. A forked child gets others: what belongs to its parent's
/// fails there with an error.
class DeviceObject final : public Implements<MTL::Device> {
public:
    explicit DeviceObject(unsigned index);

    const unsigned index;
    const std::string name;
    const pid_t process;
    const std::shared_ptr<metal_executor::Account> account = std::make_shared<metal_executor::Account>();

private:
    NS::String* describe() const override { return autoreleasedString(name); }
};

/// `bytes` of memory that count as the device's. Null when they are not to be had.
std::shared_ptr<metal_executor::Memory> allocate(const MTL::Device* device, NS::UInteger bytes);

}  // namespace metal_objects
