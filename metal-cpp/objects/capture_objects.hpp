// SPDX-License-Identifier: MIT
//
// The objects that a capture's commands use, each told of once and known by a number from then on.

#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "../capture/json.hpp"
#include "../capture/zip_writer.hpp"
#include "events.hpp"
#include "function_tables.hpp"
#include "pipeline.hpp"
#include "render_pipeline.hpp"
#include "resource.hpp"

namespace metal_objects {

class QueueObject;

/// From any thread. Pipelines, queues and events are kept alive; buffers and textures are not, since that would keep
/// the memory of all that a program ever used.
class CaptureObjects {
public:
    std::uint32_t queue(const QueueObject* queue);
    /// Whether the queue's first command buffer is not committed, so that none behind it can run.
    bool isHeldUp(std::uint32_t queue) const;
    /// A function with its constants, as a pipeline has it.
    std::uint32_t function(const PipelineFunction* function);
    std::uint32_t renderPipeline(const RenderPipelineObject* pipeline);
    std::uint32_t event(const EventPart* event);
    std::uint32_t resource(const ResourcePart* resource);

    /// The number that a type of the function's library has in the capture's description of the function.
    std::uint32_t typeOf(std::uint32_t function, std::uint32_t libraryType);

    /// Members of an object: "queues", "libraries", "pipelines", "render_pipelines", "events", "resources".
    void write(metal_capture::JsonWriter& json) const;

    /// The sources of the libraries, as files.
    void writeSources(metal_capture::ZipWriter& zip) const;

private:
    struct Function {
        NS::SharedPtr<NS::Object> state;  // holds the function
        std::string json;
        std::map<std::uint32_t, std::uint32_t> types;  // by the library's number
    };
    struct Resource {
        std::string json;
        std::string label;
    };

    std::uint32_t library(const LibraryObject* library);  // with mutex_ held
    std::uint32_t resourceLocked(const ResourcePart* resource);
    std::uint32_t functionLocked(const PipelineFunction* function);
    std::string describe(const PipelineFunction* function, std::uint32_t number,
                         std::map<std::uint32_t, std::uint32_t>& types);
    std::string describe(const RenderPipelineObject* pipeline);
    std::string describe(const ResourcePart* resource);

    mutable std::mutex mutex_;
    std::vector<NS::SharedPtr<QueueObject>> queues_;
    std::vector<NS::SharedPtr<LibraryObject>> libraries_;
    std::vector<Function> functions_;
    std::unordered_map<const PipelineFunction*, std::uint32_t> functionNumbers_;
    std::vector<std::string> renderPipelines_;
    std::unordered_map<const RenderPipelineObject*, std::uint32_t> renderPipelineNumbers_;
    std::vector<std::pair<std::shared_ptr<metal_executor::Event>, std::string>> events_;
    std::vector<Resource> resources_;
    std::unordered_map<std::uint64_t, std::uint32_t> resourceNumbers_;  // by ResourcePart::serial
};

/// What a sampler's bits say, as an object.
void writeSampler(metal_capture::JsonWriter& json, metal_sampler bits);

/// The names of a table's functions, null for those not set.
void writeFunctions(metal_capture::JsonWriter& json, const FunctionTableObject* table);

}  // namespace metal_objects
