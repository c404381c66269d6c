// SPDX-License-Identifier: MIT

#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "../compiler/client/cache_key.hpp"
#include "descriptors.hpp"
#include "library.hpp"

namespace metal_objects {

/// Compiled kernels by the compiler client's key of their request, which names processor, compiler and source wherever
/// they are: what was made for another one is never found, and stays in the file.
class BinaryArchiveObject final : public Implements<MTL::BinaryArchive> {
public:
    explicit BinaryArchiveObject(const MTL::Device* device) : device(NS::RetainPtr(const_cast<MTL::Device*>(device))) {}

    using Compiled = std::shared_ptr<const protocol::PipelineReply>;

    /// Null when the archive does not have it.
    Compiled find(const protocol::PipelineRequest& request);

    bool add(const PipelineValues& values, NS::Error** error);
    bool add(const struct RenderPipelineValues& values, NS::Error** error);

    /// Takes a further variant of a kernel whose first was added; of others, nothing.
    void addVariant(const protocol::PipelineRequest& first, const protocol::PipelineRequest& variant,
                    const Compiled& compiled);

    /// Empty, or why it could not.
    std::string read(const std::string& path);
    std::string write(const std::string& path);
    /// With what the file holds besides.
    std::string writeTogether(const std::string& path);

    const NS::SharedPtr<MTL::Device> device;
    Label label;

private:
    using Key = metal_compiler_client::CacheKey;

    struct Entry {
        Compiled compiled;   // null until it is asked for
        wire::Bytes stored;  // as it was read from a file; empty when it was not
    };

    Compiled findLocked(const Key& key);
    bool addFunction(const FunctionObject* function, const protocol::PipelineRequest& request, NS::Error** error);

    std::mutex mutex_;  // all below
    std::map<Key, Entry> entries_;
    std::set<Key> added_;
};

}  // namespace metal_objects
