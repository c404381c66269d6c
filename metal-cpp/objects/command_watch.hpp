// SPDX-License-Identifier: MIT
//
// What the debug layer notes of a command buffer while it is encoded: which command touches what, and what orders them.
// There is none where MTL_DEBUG_LAYER is not 1.

#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "../Metal/Metal.hpp"
#include "debug_contents.hpp"
#include "debug_layer.hpp"

namespace metal_objects {

class CommandBufferObject;
class EncoderPart;
class ResourcePart;

class CommandWatch {
public:
    explicit CommandWatch(CommandBufferObject* commandBuffer) : commandBuffer_(commandBuffer) {}

    /// `kind`: "compute", "blit" or "render"; the commands of a render encoder are one pass.
    void beginEncoder(const EncoderPart* encoder, const char* kind, bool isConcurrent);
    void endEncoder(unsigned openGroups, bool isEmpty);

    /// A command of the encoder that is open; what access() tells is of it, until the next one.
    void command(const std::string& name);
    /// `offset`: the byte of a buffer, from which on the command may touch any.
    void access(const ResourcePart* resource, NS::UInteger offset, bool isWritten);
    /// In place of an offset: the command may touch any part.
    static constexpr NS::UInteger anywhere = UINT64_MAX;

    /// What one command touches, told at once, from any thread: the encoders of one pass may be on several.
    struct Use {
        const ResourcePart* resource;
        NS::UInteger offset;
        bool isWritten;
    };
    void note(const std::string& name, const std::vector<Use>& uses);
    /// Images that the pass draws into.
    void drawInto(const TextureImages& images);

    /// Of useResource and useHeap: some command of the encoder may touch it.
    void use(const ResourcePart* resource, bool isWritten);
    void use(const MTL::Heap* heap);
    /// Whether the encoder has named the resource, or its heap: what commands in memory need.
    bool isNamed(const ResourcePart* resource) const;
    /// Whether a command of the command buffer may have written to it.
    bool isWritten(const ResourcePart* resource) const;
    /// Commands that reach what nobody has named.
    void unknownAccess() { hasUnknownAccess_ = true; }

    void barrier(MTL::BarrierScope scope);
    void barrier(const ResourcePart* resource);
    void update(const MTL::Fence* fence);
    void wait(const MTL::Fence* fence);

    /// An error of the debug layer's.
    void error(const std::string& text);
    /// Where in the command buffer encoding has come, for messages: " (command buffer 'frame', encoder 'blur')".
    std::string place() const;

    /// What messages call the encoder that is open.
    std::string encoderName() const { return nameOf(encoders_.back()); }

    /// Before the command buffer's commands are handed over; may append to them.
    void commit(unsigned openGroups);
    /// The command buffer goes without having been committed.
    void released(bool hasCommands) const;

private:
    struct Encoder {
        const EncoderPart* part;  // null once it has ended
        std::string label;        // then
        const char* kind;
        bool isConcurrent;
        unsigned commands = 0;
        std::set<std::size_t> waitedFor;  // encoders before, by fences
        std::set<const ResourcePart*> named;
        std::set<const MTL::Heap*> namedHeaps;

        bool isRender() const { return kind[0] == 'r'; }
    };
    /// Tells parts of one resource that are known not to overlap. Commands are not known to touch all of a buffer from
    /// where it is bound, so only those that are bound at one byte are said to meet.
    struct Place {
        NS::UInteger offset = 0;  // of a buffer; anywhere: all of any resource
        NS::UInteger firstLevel = 0, endLevel = 0, firstSlice = 0, endSlice = 0;  // of a texture

        bool meets(const Place& other) const;
        bool operator==(const Place&) const = default;
    };
    static Place placeOf(const ResourcePart* resource, NS::UInteger offset);
    struct Access {
        std::size_t encoder;
        unsigned command;
        std::string name;  // of the command
        Place place;
        bool isWritten;
        bool isTexture;
        bool isOrdered = false;  // by a barrier since, within its encoder
    };

    /// What a command buffer does with a resource in all.
    struct Summary {
        const ResourcePart* resource;
        bool isWritten;
    };

    std::string nameOf(const Encoder& encoder) const;
    std::vector<Summary> summary() const;
    void hold(const ResourcePart* resource);
    void add(const ResourcePart* owner, const Access& now);
    void checkHazards(const ResourcePart& resource, const Access& now);
    void checkUse(const ResourcePart& resource);
    void checkLabels() const;
    void watchContents(const std::string& user);

    CommandBufferObject* const commandBuffer_;
    std::vector<Encoder> encoders_;
    bool isEncoding_ = false;
    std::string command_;
    std::map<const ResourcePart*, std::vector<Access>> accesses_;
    std::map<const MTL::Fence*, std::set<std::size_t>> fences_;  // the encoders that updated each
    std::map<const ResourcePart*, bool> uses_;                   // whether they write; by useResource
    std::shared_ptr<std::vector<NS::SharedPtr<NS::Object>>> held_ =
        std::make_shared<std::vector<NS::SharedPtr<NS::Object>>>();  // all of these, whatever the program does
    std::atomic<bool> hasUnknownAccess_ = false;
    mutable std::mutex mutex_;  // of what encoders of one pass may do at the same time
};

}  // namespace metal_objects
