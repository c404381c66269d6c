// SPDX-License-Identifier: MIT

#include "device.hpp"

#include <time.h>
#include <unistd.h>

#include <fstream>
#include <mutex>
#include <sstream>
#include <vector>

#include "../compiler/client/client.hpp"
#include "../executor/kernel_abi.h"
#include "../executor/memory.hpp"
#include "../executor/worker_pool.hpp"

namespace metal_objects {

namespace {

/// The processor's name, as the kernel knows it; "CPU" where it does not.
std::string processorName() {
    std::ifstream file("/proc/cpuinfo");
    std::string line;
    while (std::getline(file, line)) {
        if (!line.starts_with("model name")) continue;
        const std::size_t colon = line.find(": ");
        if (colon != line.npos) return line.substr(colon + 2);
    }
    return "CPU";
}

std::string deviceName(unsigned index) {
    const unsigned threads = metal_executor::threadCount(index), devices = metal_executor::deviceCount();
    std::ostringstream name;
    name << "mtlpy software device ";
    if (devices > 1) name << index + 1 << " of " << devices << " ";
    name << "(" << processorName() << ", " << threads << (threads == 1 ? " thread)" : " threads)");
    return name.str();
}

}  // namespace

DeviceObject::DeviceObject(unsigned index) : index(index), name(deviceName(index)), process(getpid()) {
    metal_compiler_client::Client::shared().start();
}

std::shared_ptr<metal_executor::Memory> allocate(const MTL::Device* device, NS::UInteger bytes) {
    return metal_executor::Memory::allocate(bytes, nullptr, as<DeviceObject>(device)->account);
}

namespace {

/// This process's, which live as long as it does, like a driver's own objects on a Mac.
const std::vector<DeviceObject*>& allDevices() {
    static auto* const mutex = new std::mutex;
    static auto* devices = new std::vector<DeviceObject*>;
    std::lock_guard lock(*mutex);
    if (devices->empty() || devices->front()->process != getpid()) {
        devices = new std::vector<DeviceObject*>;
        for (unsigned index = 0; index < metal_executor::deviceCount(); ++index)
            devices->push_back(new DeviceObject(index));
    }
    return *devices;
}

}  // namespace

}  // namespace metal_objects

using metal_objects::as;
using metal_objects::DeviceObject;

namespace MTL {

Device* CreateSystemDefaultDevice() {
    return metal_objects::allDevices().front()->retain();
}

NS::Array* CopyAllDevices() {
    const auto& devices = metal_objects::allDevices();
    const std::vector<const NS::Object*> objects(devices.begin(), devices.end());
    return NS::Array::alloc()->init(objects.data(), objects.size());
}

NS::String* Device::name() const {
    return metal_objects::autoreleasedString(as<DeviceObject>(this)->name);
}

std::uint64_t Device::registryID() const {
    return as<DeviceObject>(this)->index + 1;
}

NS::UInteger Device::currentAllocatedSize() const {
    return as<DeviceObject>(this)->account->bytes();
}
NS::UInteger Device::maxBufferLength() const {
    return metal_executor::maxAllocation();
}
std::uint64_t Device::recommendedMaxWorkingSetSize() const {
    return metal_executor::memoryLimit() / 4 * 3;
}
NS::UInteger Device::maxThreadgroupMemoryLength() const {
    return metal_max_threadgroup_memory;
}

Size Device::maxThreadsPerThreadgroup() const {
    constexpr NS::UInteger most = metal_max_threads_per_threadgroup;
    return Size(most, most, most);
}

bool Device::hasUnifiedMemory() const {
    return true;
}
bool Device::isHeadless() const {
    return true;
}
bool Device::isLowPower() const {
    return false;
}
bool Device::isRemovable() const {
    return false;
}
DeviceLocation Device::location() const {
    return DeviceLocationBuiltIn;
}
NS::UInteger Device::locationNumber() const {
    return as<DeviceObject>(this)->index;
}
std::uint64_t Device::maxTransferRate() const {
    return 0;
}
std::uint32_t Device::peerCount() const {
    return 0;
}
std::uint64_t Device::peerGroupID() const {
    return 0;
}
std::uint32_t Device::peerIndex() const {
    return 0;
}

bool Device::areProgrammableSamplePositionsSupported() const {
    return true;
}
bool Device::areRasterOrderGroupsSupported() const {
    return false;
}
bool Device::isDepth24Stencil8PixelFormatSupported() const {
    return true;
}
ReadWriteTextureTier Device::readWriteTextureSupport() const {
    return ReadWriteTextureTier2;
}
bool Device::supports32BitFloatFiltering() const {
    return true;
}
bool Device::supports32BitMSAA() const {
    return false;
}
bool Device::supportsBCTextureCompression() const {
    return false;
}
bool Device::supportsDynamicLibraries() const {
    return false;
}
bool Device::supportsFunctionPointers() const {
    return true;
}
bool Device::supportsFunctionPointersFromRender() const {
    return true;
}
bool Device::supportsVertexAmplificationCount(NS::UInteger count) {
    return count == 1;
}
bool Device::supportsPrimitiveMotionBlur() const {
    return false;
}
bool Device::supportsQueryTextureLOD() const {
    return false;
}
bool Device::supportsRaytracing() const {
    return false;
}
bool Device::supportsShaderBarycentricCoordinates() const {
    return false;
}
bool Device::supportsTextureSampleCount(NS::UInteger sampleCount) {
    return sampleCount == 1 || sampleCount == 2 || sampleCount == 4 || sampleCount == 8;
}

/// Families promise drawing as well as computing, so none but the least is claimed.
bool Device::supportsFamily(GPUFamily gpuFamily) {
    return gpuFamily == GPUFamilyCommon1;
}

void Device::sampleTimestamps(Timestamp* cpuTimestamp, Timestamp* gpuTimestamp) {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    const auto nanoseconds = static_cast<Timestamp>(now.tv_sec) * 1'000'000'000 + static_cast<Timestamp>(now.tv_nsec);
    if (cpuTimestamp != nullptr) *cpuTimestamp = nanoseconds;
    if (gpuTimestamp != nullptr) *gpuTimestamp = nanoseconds;
}

}  // namespace MTL
