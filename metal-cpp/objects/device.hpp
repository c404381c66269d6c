// SPDX-License-Identifier: MIT

#pragma once

#include <sys/types.h>

#include <string>

#include "../Metal/Metal.hpp"
#include "runtime.hpp"

namespace metal_objects {

/// The one device of a process. A forked child gets another: what belongs to its parent's fails there with an error.
class DeviceObject final : public Implements<MTL::Device> {
public:
    DeviceObject();

    const std::string name;
    const pid_t process;

private:
    NS::String* describe() const override { return autoreleasedString(name); }
};

}  // namespace metal_objects
