// SPDX-License-Identifier: MIT

#include "debug_layer.hpp"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <set>
#include <string_view>

#include "../executor/process.hpp"
#include "buffer.hpp"
#include "indirect_commands.hpp"
#include "join.hpp"
#include "texture.hpp"

namespace metal_objects {

namespace {

DebugLayer::Mode modeFrom(const char* variable, DebugLayer::Mode fallback) {
    const char* text = std::getenv(variable);
    const std::string_view word = text != nullptr ? text : "";
    if (word == "ignore") return DebugLayer::Mode::ignored;
    if (word == "nslog") return DebugLayer::Mode::logged;
    if (word == "assert") return DebugLayer::Mode::fatal;
    return fallback;
}

DebugLayer fromEnvironment() {
    const char* text = std::getenv("MTL_DEBUG_LAYER");
    DebugLayer layer;
    layer.isOn = text != nullptr && std::string_view(text) == "1";
    layer.errors = modeFrom("MTL_DEBUG_LAYER_ERROR_MODE", DebugLayer::Mode::fatal);
    layer.warnings = modeFrom("MTL_DEBUG_LAYER_WARNING_MODE", DebugLayer::Mode::logged);
    return layer;
}

struct InFlightUse {
    unsigned users = 0, writers = 0;
    std::uint64_t changes = 1;
    std::string user;  // who came last
};

struct State {
    std::mutex mutex;
    std::set<std::string> warned;
    std::map<std::uint64_t, InFlightUse> uses;  // by serial; as long as the resource, for their `changes`
    unsigned unknownWriters = 0;
    std::uint64_t unknownChanges = 0;
};

// Never destroyed: command buffers end while the process does. In a forked child nothing is in flight.
State*& state() {
    static State* instance = [] {
        metal_executor::onFork([] { state()->mutex.lock(); }, [] { state()->mutex.unlock(); },
                               [] { state() = new State; });
        return new State;
    }();
    return instance;
}

}  // namespace

const DebugLayer& DebugLayer::get() {
    static const DebugLayer layer = fromEnvironment();
    return layer;
}

std::string quoted(const std::string& label) {
    return label.empty() ? std::string() : " '" + label + "'";
}

std::string describeResource(const ResourcePart& resource) {
    const std::string label = resource.label.text();
    if (const auto* texture = dynamic_cast<const TextureObject*>(&resource)) {
        if (!label.empty()) return "texture '" + label + "'";
        const TextureValues& values = texture->values;
        return join("a texture of ", values.width, " x ", values.height, " without a label");
    }
    if (const auto* commands = dynamic_cast<const IndirectBufferObject*>(&resource)) {
        if (!label.empty()) return "indirect command buffer '" + label + "'";
        return join("an indirect command buffer of ", commands->count, " commands without a label");
    }
    if (!label.empty()) return "buffer '" + label + "'";
    const auto* buffer = dynamic_cast<const BufferObject*>(&resource);
    return buffer != nullptr ? join("a buffer of ", buffer->length, " bytes without a label") : "a resource";
}

void debugWarn(const std::string& text) {
    if (DebugLayer::get().warnings == DebugLayer::Mode::ignored) return;
    std::fprintf(stderr, "Metal API validation: warning: %s\n", text.c_str());
}

void debugWarnOnce(const std::string& key, const std::string& text) {
    {
        std::lock_guard lock(state()->mutex);
        if (!state()->warned.insert(key).second) return;
    }
    debugWarn(text);
}

std::string keyOf(const ResourcePart& resource) {
    return join("resource ", resource.serial);
}

const ResourcePart* ownerOf(const ResourcePart* resource) {
    while (const auto* texture = dynamic_cast<const TextureObject*>(resource)) {
        if (texture->parent) {
            resource = part<ResourcePart>(texture->parent.get());
        } else if (texture->buffer) {
            resource = part<ResourcePart>(texture->buffer.get());
        } else {
            break;
        }
    }
    return resource;
}

void warnIfInFlight(const ResourcePart* resource, const char* call) {
    if (!DebugLayer::get().isOn) return;
    const std::string user = resources_in_flight::user(ownerOf(resource));
    if (user.empty()) return;
    debugWarn(join(call, ": the processor changes ", describeResource(*resource), ", which ", user,
                   " uses, and that has not completed"));
}

namespace resources_in_flight {

void begin(const ResourcePart* resource, bool isWritten, const std::string& user) {
    std::lock_guard lock(state()->mutex);
    InFlightUse& use = state()->uses[resource->serial];
    ++use.users;
    use.user = user;
    if (!isWritten) return;
    ++use.writers;
    ++use.changes;
}

void end(const ResourcePart* resource, bool isWritten) {
    std::lock_guard lock(state()->mutex);
    InFlightUse& use = state()->uses[resource->serial];
    if (use.users > 0) --use.users;  // none after a fork
    if (!isWritten) return;
    if (use.writers > 0) --use.writers;
    ++use.changes;
}

void forget(const ResourcePart* resource) {
    std::lock_guard lock(state()->mutex);
    state()->uses.erase(resource->serial);
    state()->warned.erase(keyOf(*resource));
}

void beginUnknown() {
    std::lock_guard lock(state()->mutex);
    ++state()->unknownWriters;
    ++state()->unknownChanges;
}

void endUnknown() {
    std::lock_guard lock(state()->mutex);
    if (state()->unknownWriters > 0) --state()->unknownWriters;
    ++state()->unknownChanges;
}

std::uint64_t quietSince(const ResourcePart* resource) {
    std::lock_guard lock(state()->mutex);
    const InFlightUse& use = state()->uses[resource->serial];
    return use.writers > 0 || state()->unknownWriters > 0 ? 0 : use.changes + state()->unknownChanges;
}

std::string user(const ResourcePart* resource) {
    std::lock_guard lock(state()->mutex);
    const auto found = state()->uses.find(resource->serial);
    return found != state()->uses.end() && found->second.users > 0 ? found->second.user : std::string();
}

}  // namespace resources_in_flight

}  // namespace metal_objects
