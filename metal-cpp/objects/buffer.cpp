// SPDX-License-Identifier: MIT

#include "buffer.hpp"

#include <sstream>

#include "../MetalPortable/MetalPortable.hpp"
#include "../executor/copying.hpp"
#include "../executor/spare_memory.hpp"
#include "debug_layer.hpp"
#include "device.hpp"
#include "error.hpp"
#include "live_resources.hpp"
#include "texture.hpp"

namespace metal_objects {

BufferObject::~BufferObject() {
    LiveResources::remove(this);
}

namespace {

using metal_executor::Memory;

/// Null, having said why, where Metal's validation would stop the program.
MTL::Buffer* refuse(const std::string& why) {
    reportMistake("newBuffer: " + why);
    return nullptr;
}

/// A buffer with its memories; `memory` may be given already. Null when there is not that much.
BufferObject* makeBuffer(const MTL::Device* device, NS::UInteger length, MTL::ResourceOptions options,
                         std::shared_ptr<Memory> memory) {
    const bool isManaged = storageModeOf(options) == MTL::StorageModeManaged;
    const bool isGiven = memory != nullptr;
    if (!isGiven) memory = allocate(device, length);
    auto second = isManaged ? allocate(device, length) : nullptr;
    if (memory == nullptr || (isManaged && second == nullptr)) return nullptr;
    auto* buffer = new BufferObject(device, options, length);
    // The caller's own memory is what the caller goes on seeing.
    if (isManaged && isGiven) std::swap(memory, second);
    buffer->memory = std::move(memory);
    buffer->hostMemory = std::move(second);
    LiveResources::add(buffer);
    return buffer;
}

std::string lengthMistake(NS::UInteger length, NS::UInteger limit) {
    std::ostringstream text;
    if (length == 0) {
        text << "length is 0, which no buffer can have";
    } else {
        text << "length is " << length << " bytes, this device allows " << limit;
    }
    return text.str();
}

}  // namespace

}  // namespace metal_objects

using metal_objects::as;
using metal_objects::BufferObject;

namespace MTL {

// ---- Device ----

Buffer* Device::newBuffer(NS::UInteger length, ResourceOptions options) {
    if (!metal_objects::isStorage(options)) return metal_objects::refuse("unknown resource options");
    const NS::UInteger limit = maxBufferLength();
    if (length == 0 || length > limit) return metal_objects::refuse(metal_objects::lengthMistake(length, limit));
    return metal_objects::makeBuffer(this, length, options, nullptr);
}

Buffer* Device::newBuffer(const void* pointer, NS::UInteger length, ResourceOptions options) {
    if (pointer == nullptr) return metal_objects::refuse("pointer is null");
    if (metal_objects::storageModeOf(options) == StorageModePrivate) {
        return metal_objects::refuse("private storage cannot be filled from a pointer");
    }
    Buffer* buffer = nullptr;
    {
        const metal_executor::FillsMemory fills;
        buffer = newBuffer(length, options);
    }
    if (buffer == nullptr) return nullptr;
    metal_executor::copyMemory(as<metal_objects::DeviceObject>(this)->index, buffer->contents(), pointer, length);
    buffer->didModifyRange(NS::Range(0, length));
    return buffer;
}

Buffer* Device::newBuffer(const void* pointer, NS::UInteger length, ResourceOptions options,
                          const std::function<void(void*, NS::UInteger)>& deallocator) {
    const std::uint64_t page = metal_executor::pageSize();
    if (pointer == nullptr || reinterpret_cast<std::uintptr_t>(pointer) % page != 0) {
        return metal_objects::refuse("pointer is not a multiple of the page size");
    }
    if (length == 0 || length % page != 0) return metal_objects::refuse("length is not a multiple of the page size");
    if (!metal_objects::isStorage(options) || metal_objects::storageModeOf(options) == StorageModePrivate) {
        return metal_objects::refuse("memory that is not copied has shared or managed storage");
    }
    void* address = const_cast<void*>(pointer);
    std::function<void()> release;
    if (deallocator) release = [deallocator, address, length] { deallocator(address, length); };
    auto* buffer = metal_objects::makeBuffer(this, length, options,
                                             metal_executor::Memory::wrap(address, length, std::move(release)));
    if (buffer != nullptr) buffer->didModifyRange(NS::Range(0, length));
    return buffer;
}

// ---- Buffer ----

void* Buffer::contents() {
    return as<BufferObject>(this)->hostBytes();
}

void Buffer::didModifyRange(NS::Range range) {
    const auto* buffer = as<BufferObject>(this);
    if (range.location > buffer->length || range.length > buffer->length - range.location) {
        std::ostringstream text;
        text << "didModifyRange: range (" << range.location << ", " << range.length
             << ") is not in the buffer, whose length is " << buffer->length;
        return metal_objects::reportMistake(text.str());
    }
    metal_objects::warnIfInFlight(buffer, "didModifyRange");
    if (!buffer->isManaged()) return;
    metal_executor::copyMemory(as<metal_objects::DeviceObject>(buffer->owner.get())->index,
                               buffer->bytes() + range.location, buffer->hostBytes() + range.location, range.length);
}

GPUAddress Buffer::gpuAddress() const {
    return reinterpret_cast<GPUAddress>(as<BufferObject>(this)->bytes());
}

NS::UInteger Buffer::length() const {
    return as<BufferObject>(this)->length;
}

}  // namespace MTL

namespace MTL::Portable {

void copyMemory(const Device* device, void* to, const void* from, NS::UInteger length) {
    metal_executor::copyMemory(as<metal_objects::DeviceObject>(device)->index, to, from, length);
}

}  // namespace MTL::Portable
