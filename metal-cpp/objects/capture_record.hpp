// SPDX-License-Identifier: MIT
//
// What is noted of a command buffer while it is encoded, when a capture records it: for each of its commands what it
// is, and what it may touch.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "../capture/json.hpp"
#include "library.hpp"
#include "resource.hpp"

namespace metal_objects {

class BufferObject;
class CaptureObjects;
class CaptureSession;
class TextureObject;

/// Memory that a command may touch: a buffer's, or some levels of a texture's; of a view, what it is a view of.
struct Touch {
    const ResourcePart* resource = nullptr;
    std::uint32_t firstLevel = 0, levelCount = 0;  // textures only
    bool isWritten = false;
};

/// An argument with pointers, textures or samplers in it: what they are shows when the command runs.
struct ArgumentBuffer {
    std::uint32_t function = 0;  // as CaptureObjects knows it
    std::uint32_t argument = 0;  // of the function's
    const BufferObject* buffer = nullptr;
    std::uint64_t offset = 0;
    Reply types;
    std::uint32_t type = 0;           // of these
    bool isReference = false;         // to one, not a pointer to as many as there are
    std::optional<std::size_t> draw;  // of a pass
};

struct CommandRecord {
    enum class Kind : std::uint8_t {
        dispatch,
        copy,
        fill,
        generateMipmaps,
        synchronize,
        signal,
        wait,
        signpost,
        execute,
        render,
        other
    };

    explicit CommandRecord(Kind kind) : kind(kind) {}

    void touch(const ResourcePart* resource, bool isWritten);
    /// One level of a texture.
    void touchLevel(const TextureObject* texture, NS::UInteger level, bool isWritten);
    void touch(const Touch& touched);

    Kind kind;
    metal_capture::JsonWriter fields;  // members of an object
    std::vector<Touch> touches;
    std::vector<ArgumentBuffer> argumentBuffers;
    std::vector<NS::SharedPtr<NS::Object>> held;  // what they point at, while the command runs
    const std::uint32_t* indirect = nullptr;      // threadgroups, read when the command runs
    std::uint32_t threadgroup[3] = {1, 1, 1};     // of a dispatch
    /// Of what shows only when the command begins: writes more members, notes more that is touched.
    std::function<void(CommandRecord&, CaptureObjects&)> tellMore;
};

/// Of one command buffer. Used by the thread that encodes it.
class BufferRecord {
public:
    BufferRecord(std::shared_ptr<CaptureSession> session, std::uint32_t number, std::uint32_t queue,
                 std::uint64_t scopeSpan, std::vector<std::uint32_t> scopes)
        : session(std::move(session)), number(number), queue(queue), scopeSpan(scopeSpan), scopes(std::move(scopes)) {}

    /// Of the command that is appended next. One that nobody describes is of kind `other`.
    void describe(CommandRecord record) { next_ = std::make_unique<CommandRecord>(std::move(record)); }
    void appended();

    void beginEncoder(const char* kind);
    void endEncoder(std::string label);
    void pushGroup(std::string name) { groups_.push_back(std::move(name)); }
    void popGroup() {
        if (groups_.size() > groupsOutside_) groups_.pop_back();
    }

    /// In the order of the commands.
    std::vector<CommandRecord>& commands() { return commands_; }
    const std::vector<CommandRecord>& commands() const { return commands_; }
    /// Of each encoder its kind and label, as an array.
    std::string encoders() const;

    const std::shared_ptr<CaptureSession> session;
    const std::uint32_t number;
    const std::uint32_t queue;
    const std::uint64_t scopeSpan;            // of the scope that is captured
    const std::vector<std::uint32_t> scopes;  // spans of scopes that it was made in

private:
    struct Encoder {
        std::string kind, label;
    };

    std::vector<CommandRecord> commands_;
    std::unique_ptr<CommandRecord> next_;
    std::vector<Encoder> encoders_;
    bool isEncoding_ = false;
    std::vector<std::string> groups_;
    std::size_t groupsOutside_ = 0;  // the command buffer's own, while an encoder is open
};

/// The members that tell of one side of a copy.
void writeSide(metal_capture::JsonWriter& json, CaptureSession& session, const BufferObject* buffer,
               std::uint64_t offset, std::uint64_t bytesPerRow = 0, std::uint64_t bytesPerImage = 0);
void writeSide(metal_capture::JsonWriter& json, CaptureSession& session, const TextureObject* texture,
               std::uint64_t slice, std::uint64_t level, MTL::Origin origin);
void writeSize(metal_capture::JsonWriter& json, MTL::Size size);

}  // namespace metal_objects
