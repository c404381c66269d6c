// SPDX-License-Identifier: MIT
//
// MTL_DEBUG_LAYER=1: what is checked besides what is always checked. Errors are what Metal does not allow; warnings are
// what a GPU may do otherwise than this device, on which commands run one after the other.

#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace metal_objects {

class ResourcePart;

struct DebugLayer {
    /// What becomes of a message: nothing; a line on the standard error stream; and for an error, that it ends the
    /// command buffer.
    enum class Mode : std::uint8_t { ignored, logged, fatal };

    bool isOn = false;
    Mode errors = Mode::fatal;
    Mode warnings = Mode::logged;

    /// As the environment was when the process first asked.
    static const DebugLayer& get();
};

/// "buffer 'x'", or what tells a resource without a label from others: "a buffer of 4096 bytes without a label".
std::string describeResource(const ResourcePart& resource);

/// Whose memory it is: of a view its texture, of a texture on a buffer that buffer.
const ResourcePart* ownerOf(const ResourcePart* resource);

/// " 'x'"; empty for no label.
std::string quoted(const std::string& label);

/// Prints a warning, unless they are ignored. Safe from any thread.
void debugWarn(const std::string& text);

/// The same, but of warnings with one key only the first.
void debugWarnOnce(const std::string& key, const std::string& text);

/// Of warnings about a resource itself.
std::string keyOf(const ResourcePart& resource);

/// What command buffers under way do with a resource. All command buffers of the process tell it.
namespace resources_in_flight {

/// A committed command buffer uses it; `user` is what messages call that command buffer.
void begin(const ResourcePart* resource, bool isWritten, const std::string& user);
void end(const ResourcePart* resource, bool isWritten);

/// Of commands that reach resources nobody has named: each may write to any.
void beginUnknown();
void endUnknown();

/// The resource goes: no command buffer uses it.
void forget(const ResourcePart* resource);

/// Changes whenever commands that write to the resource begin or end; zero while there are some.
std::uint64_t quietSince(const ResourcePart* resource);

/// Which command buffer uses it; empty for none.
std::string user(const ResourcePart* resource);

}  // namespace resources_in_flight

/// For calls with which the processor changes a resource: warns when a command buffer that uses it is under way.
void warnIfInFlight(const ResourcePart* resource, const char* call);

}  // namespace metal_objects
