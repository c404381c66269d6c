// SPDX-License-Identifier: MIT

#include "live_resources.hpp"

#include <map>
#include <mutex>
#include <unordered_map>

#include "../executor/process.hpp"
#include "buffer.hpp"
#include "function_tables.hpp"
#include "texture.hpp"

namespace metal_objects {

namespace {

struct Registry {
    std::mutex mutex;
    // Buffers of a heap may share an address.
    std::multimap<std::uint64_t, const BufferObject*> buffers;
    std::unordered_map<std::uint64_t, const TextureObject*> textures;
    std::unordered_map<std::uint64_t, const FunctionTableObject*> tables;
};

// Never destroyed: resources may outlive what static objects do.
Registry& registry() {
    static Registry* const instance = [] {
        auto* made = new Registry;
        metal_executor::onFork([] { registry().mutex.lock(); }, [] { registry().mutex.unlock(); },
                               [] { registry().mutex.unlock(); });
        return made;
    }();
    return *instance;
}

std::uint64_t addressOf(const BufferObject* buffer) {
    return reinterpret_cast<std::uint64_t>(buffer->bytes());
}
std::uint64_t idOf(const TextureObject* texture) {
    return reinterpret_cast<std::uint64_t>(&texture->handle);
}
std::uint64_t idOf(const FunctionTableObject* table) {
    return reinterpret_cast<std::uint64_t>(table->functions());
}

/// Null when the object is about to go.
template <class Object>
NS::SharedPtr<Object> held(const Object* object) {
    if (!object->tryRetain()) return {};
    return NS::TransferPtr(const_cast<Object*>(object));
}

template <class Object>
NS::SharedPtr<Object> find(const std::unordered_map<std::uint64_t, const Object*>& objects, std::uint64_t id) {
    const auto found = objects.find(id);
    return found == objects.end() ? NS::SharedPtr<Object>() : held(found->second);
}

}  // namespace

void LiveResources::add(const BufferObject* buffer) {
    std::lock_guard lock(registry().mutex);
    registry().buffers.emplace(addressOf(buffer), buffer);
}

void LiveResources::add(const TextureObject* texture) {
    std::lock_guard lock(registry().mutex);
    registry().textures[idOf(texture)] = texture;
}

void LiveResources::add(const FunctionTableObject* table) {
    std::lock_guard lock(registry().mutex);
    registry().tables[idOf(table)] = table;
}

void LiveResources::remove(const BufferObject* buffer) {
    if (buffer->memory == nullptr) return;
    std::lock_guard lock(registry().mutex);
    const auto [begin, end] = registry().buffers.equal_range(addressOf(buffer));
    for (auto entry = begin; entry != end; ++entry) {
        if (entry->second != buffer) continue;
        registry().buffers.erase(entry);
        return;
    }
}

void LiveResources::remove(const TextureObject* texture) {
    std::lock_guard lock(registry().mutex);
    registry().textures.erase(idOf(texture));
}

void LiveResources::remove(const FunctionTableObject* table) {
    if (table->memory == nullptr) return;
    std::lock_guard lock(registry().mutex);
    registry().tables.erase(idOf(table));
}

NS::SharedPtr<BufferObject> LiveResources::bufferAt(std::uint64_t address) {
    std::lock_guard lock(registry().mutex);
    const auto& buffers = registry().buffers;
    // The nearest that begins at the address or before it and reaches as far.
    for (auto entry = buffers.upper_bound(address); entry != buffers.begin();) {
        const BufferObject* buffer = (--entry)->second;
        if (address - entry->first < buffer->length) {
            if (auto found = held(buffer)) return found;
        } else if (!buffer->memory->isWrapped()) {
            break;  // none reaches beyond memory of a buffer's own; buffers of a heap may lie on top of each other
        }
    }
    return {};
}

NS::SharedPtr<TextureObject> LiveResources::textureOf(std::uint64_t resourceId) {
    std::lock_guard lock(registry().mutex);
    return find(registry().textures, resourceId);
}

NS::SharedPtr<FunctionTableObject> LiveResources::tableOf(std::uint64_t resourceId) {
    std::lock_guard lock(registry().mutex);
    return find(registry().tables, resourceId);
}

std::uint64_t FoundBuffers::roomAt(std::uint64_t address) {
    auto buffer = LiveResources::bufferAt(address);
    if (!buffer) return 0;
    const BufferObject* found = buffer.get();
    held_.emplace(found, std::move(buffer));
    return found->length - (address - addressOf(found));
}

}  // namespace metal_objects
