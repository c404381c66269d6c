// SPDX-License-Identifier: MIT

#include <unistd.h>

#include "../MetalPortable/MetalPortable.hpp"
#include "../executor/log.hpp"
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

NS::UInteger threadCount(const Device* device) {
    return metal_executor::threadCount(metal_objects::as<metal_objects::DeviceObject>(device)->index);
}

void setLogHandler(LogHandler handler) {
    if (!handler) return metal_executor::setDefaultLogTarget({});
    metal_executor::setDefaultLogTarget(
        [handler = std::move(handler)](const std::vector<metal_executor::LogMessage>& messages) {
            for (const metal_executor::LogMessage& message : messages)
                handler(message.text, static_cast<unsigned>(message.level), message.subsystem, message.category);
        });
}

void setThreadCount(NS::UInteger count) {
    if (count <= UINT32_MAX && metal_executor::setThreadCount(static_cast<unsigned>(count))) return;
    metal_objects::reportMistake("setThreadCount: " + std::to_string(count) + " is not a number of threads to run");
}

}  // namespace MTL::Portable
