// SPDX-License-Identifier: MIT

#include <unistd.h>

#include "../MetalPortable/MetalPortable.hpp"
#include "../executor/worker_pool.hpp"
#include "device.hpp"
#include "error.hpp"

namespace MTL::Portable {

bool isSoftware(const Device* device) {
    return dynamic_cast<const metal_objects::DeviceObject*>(device) != nullptr;
}

bool isInherited(const Device* device) {
    return metal_objects::as<metal_objects::DeviceObject>(device)->process != getpid();
}

NS::UInteger threadCount() {
    return metal_executor::threadCount();
}

void setThreadCount(NS::UInteger count) {
    if (count <= UINT32_MAX && metal_executor::setThreadCount(static_cast<unsigned>(count))) return;
    metal_objects::reportMistake("setThreadCount: " + std::to_string(count) + " is not a number of threads to run");
}

}  // namespace MTL::Portable
