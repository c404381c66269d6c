// SPDX-License-Identifier: MIT

#include "capture_objects.hpp"

#include <algorithm>

#include "buffer.hpp"
#include "capture_types.hpp"
#include "command_buffer.hpp"
#include "indirect_commands.hpp"
#include "texture.hpp"

namespace metal_objects {

using metal_capture::JsonWriter;

namespace {

const char* storageName(MTL::StorageMode mode) {
    constexpr const char* names[] = {"shared", "managed", "private", "memoryless"};
    return names[std::min<std::size_t>(mode, 3)];
}

void writeOptions(JsonWriter& json, const protocol::CompileOptions& options) {
    const auto texts = [&](const char* name, const std::vector<protocol::NamedText>& all) {
        json.key(name).beginObject();
        for (const protocol::NamedText& one : all) json.member(one.name, one.text);
        json.endObject();
    };
    constexpr const char* modes[] = {"safe", "relaxed", "fast"};
    json.beginObject().member("language_version", options.languageVersion);
    json.member("math_mode", modes[static_cast<int>(options.mathMode)]);
    json.member("preserve_invariance", options.preserveInvariance);
    texts("macros", options.macros);
    texts("headers", options.headers);
    json.key("include_directories").beginArray();
    for (const std::string& folder : options.includeDirectories) json.value(folder);
    json.endArray().endObject();
}

void writeConstants(JsonWriter& json, const FunctionObject* function) {
    json.beginArray();
    const protocol::LibraryReply& reply = *function->library->reply;
    for (const protocol::ConstantValue& constant : function->constants) {
        const auto declared = std::find_if(reply.constants.begin(), reply.constants.end(),
                                           [&](const auto& one) { return one.index == constant.index; });
        if (declared == reply.constants.end()) continue;
        std::string hex;
        for (const std::uint8_t byte : constant.bytes) {
            hex += "0123456789abcdef"[byte >> 4];
            hex += "0123456789abcdef"[byte & 15];
        }
        json.beginObject().member("name", declared->name).member("index", declared->index);
        json.member("type", reply.types[declared->type].name).member("bytes", hex).endObject();
    }
    json.endArray();
}

void writeArgument(JsonWriter& json, const protocol::Argument& argument, CaptureTypes& types) {
    constexpr const char* kinds[] = {"buffer", "texture", "sampler", "threadgroup", "function_table"};
    constexpr const char* accesses[] = {"read", "read_write", "write"};
    json.beginObject().member("name", argument.name).member("kind", kinds[static_cast<int>(argument.kind)]);
    json.member("index", argument.index).member("access", accesses[std::min(argument.access, 2u)]);
    json.member("array_length", argument.arrayLength).member("is_reference", argument.isReference);
    json.member("type_text", argument.typeText).key("type");
    if (argument.type == protocol::noType) {
        json.null();
    } else {
        json.value(types.number(argument.type));
    }
    json.endObject();
}

void writeTexture(JsonWriter& json, const TextureObject* texture) {
    const TextureValues& values = texture->values;
    json.member("kind", "texture").member("texture_type", std::uint64_t{values.textureType});
    json.member("pixel_format", std::uint64_t{values.pixelFormat}).member("bytes_per_pixel", texture->format.bytes());
    json.member("width", values.width).member("height", values.height).member("depth", values.depth);
    json.member("array_length", values.arrayLength).member("levels", values.mipmapLevelCount);
    json.member("samples", values.sampleCount).member("usage", std::uint64_t{values.usage});
    json.key("swizzle").beginArray();
    for (const auto channel : {values.swizzle.red, values.swizzle.green, values.swizzle.blue, values.swizzle.alpha})
        json.value(static_cast<unsigned>(channel));
    json.endArray();
}

}  // namespace

std::uint32_t CaptureObjects::queue(const QueueObject* queue) {
    std::lock_guard lock(mutex_);
    const auto found =
        std::find_if(queues_.begin(), queues_.end(), [&](const auto& one) { return one.get() == queue; });
    if (found != queues_.end()) return static_cast<std::uint32_t>(found - queues_.begin());
    queues_.push_back(NS::RetainPtr(const_cast<QueueObject*>(queue)));
    return static_cast<std::uint32_t>(queues_.size() - 1);
}

bool CaptureObjects::isHeldUp(std::uint32_t queue) const {
    std::lock_guard lock(mutex_);
    return queues_.at(queue)->stream->isHeldUp();
}

std::uint32_t CaptureObjects::event(const EventPart* event) {
    std::lock_guard lock(mutex_);
    auto found =
        std::find_if(events_.begin(), events_.end(), [&](const auto& one) { return one.first == event->event; });
    if (found == events_.end()) found = events_.insert(found, {event->event, {}});
    found->second = event->label.text();
    return static_cast<std::uint32_t>(found - events_.begin());
}

std::uint32_t CaptureObjects::library(const LibraryObject* library) {
    const auto found =
        std::find_if(libraries_.begin(), libraries_.end(), [&](const auto& one) { return one.get() == library; });
    if (found != libraries_.end()) return static_cast<std::uint32_t>(found - libraries_.begin());
    libraries_.push_back(NS::RetainPtr(const_cast<LibraryObject*>(library)));
    return static_cast<std::uint32_t>(libraries_.size() - 1);
}

std::uint32_t CaptureObjects::function(const PipelineFunction* function) {
    std::lock_guard lock(mutex_);
    return functionLocked(function);
}

std::uint32_t CaptureObjects::functionLocked(const PipelineFunction* function) {
    const auto [found, isNew] = functionNumbers_.try_emplace(function, static_cast<std::uint32_t>(functions_.size()));
    if (isNew) {
        auto* state = const_cast<PipelineFunction*>(function)->pipelineState();
        functions_.push_back({NS::RetainPtr(state), {}, {}});
        functions_.back().json = describe(function, found->second, functions_.back().types);
    }
    return found->second;
}

std::uint32_t CaptureObjects::renderPipeline(const RenderPipelineObject* pipeline) {
    std::lock_guard lock(mutex_);
    const auto number = static_cast<std::uint32_t>(renderPipelines_.size());
    const auto [found, isNew] = renderPipelineNumbers_.try_emplace(pipeline, number);
    if (isNew) renderPipelines_.push_back(describe(pipeline));
    return found->second;
}

std::string CaptureObjects::describe(const RenderPipelineObject* pipeline) {
    JsonWriter json;
    json.beginObject().member("label", view(pipeline->label.get()));
    json.member("vertex", functionLocked(pipeline->vertex.get())).key("fragment");
    if (pipeline->fragment != nullptr) {
        json.value(functionLocked(pipeline->fragment.get()));
    } else {
        json.null();
    }
    json.key("color_formats").beginArray();
    for (const MTL::PixelFormat format : pipeline->colorFormats) json.value(std::uint64_t{format});
    json.endArray().member("depth_format", std::uint64_t{pipeline->depthFormat});
    json.member("stencil_format", std::uint64_t{pipeline->stencilFormat}).member("samples", pipeline->sampleCount);
    json.key("blending").beginArray();
    for (const metal_executor::render::Blending& blending : pipeline->colors.colors) {
        json.beginObject().member("enabled", blending.isEnabled);
        json.key("rgb").beginArray().value(unsigned{blending.colorSource}).value(unsigned{blending.colorOperation});
        json.value(unsigned{blending.colorDestination}).endArray();
        json.key("alpha").beginArray().value(unsigned{blending.alphaSource}).value(unsigned{blending.alphaOperation});
        json.value(unsigned{blending.alphaDestination}).endArray();
        json.member("write_mask", unsigned{blending.writeMask}).endObject();
    }
    json.endArray().endObject();
    return json.take();
}

std::string CaptureObjects::describe(const PipelineFunction* described, std::uint32_t number,
                                     std::map<std::uint32_t, std::uint32_t>& typeNumbers) {
    const FunctionObject* function = described->function.get();
    const auto* compute = dynamic_cast<const PipelineObject*>(described);
    constexpr const char* stages[] = {"", "vertex", "fragment", "kernel"};
    CaptureTypes types(*function->library->reply);
    JsonWriter json;
    json.beginObject().member("id", number);
    json.member("label", compute != nullptr ? view(compute->label.get()) : std::string_view());
    json.member("stage", stages[static_cast<unsigned>(function->facts().kind) % 4]);
    json.member("function", function->name()).member("line", function->facts().line);
    json.member("library", library(function->library.get()));
    json.member("signature", function->facts().signature);
    json.member("max_total_threads", compute != nullptr ? compute->maxTotalThreads() : 0);
    json.member("uses_threadgroup_memory", described->firstKernel()->info().static_threadgroup_memory);
    json.key("constants");
    writeConstants(json, function);
    json.key("linked_functions").beginArray();
    for (const auto& linked : described->linked) json.value(linked->name());
    json.endArray().key("arguments").beginArray();
    for (const PipelineFunction::Argument& argument : described->arguments) writeArgument(json, *argument.facts, types);
    json.endArray().key("types");
    types.write(json);
    json.endObject();
    typeNumbers = types.numbers();
    return json.take();
}

std::uint32_t CaptureObjects::typeOf(std::uint32_t function, std::uint32_t libraryType) {
    std::lock_guard lock(mutex_);
    return functions_.at(function).types.at(libraryType);
}

std::uint32_t CaptureObjects::resource(const ResourcePart* resource) {
    std::lock_guard lock(mutex_);
    return resourceLocked(resource);
}

std::uint32_t CaptureObjects::resourceLocked(const ResourcePart* resource) {
    const auto known = resourceNumbers_.find(resource->serial);
    if (known != resourceNumbers_.end()) {
        resources_[known->second].label = resource->label.text();
        return known->second;
    }
    std::string json = describe(resource);  // may tell of what it is a part of
    const auto number = static_cast<std::uint32_t>(resources_.size());
    resourceNumbers_[resource->serial] = number;
    resources_.push_back({std::move(json), resource->label.text()});
    return number;
}

std::string CaptureObjects::describe(const ResourcePart* resource) {
    JsonWriter json;
    json.member("storage", storageName(resource->storage()));
    if (const auto* texture = dynamic_cast<const TextureObject*>(resource)) {
        writeTexture(json, texture);
        if (texture->parent) {
            const auto* parent = as<TextureObject>(texture->parent.get());
            json.member("parent", resourceLocked(parent)).member("parent_level", texture->parentLevel);
            json.member("parent_slice", texture->parentSlice);
        } else if (texture->buffer) {
            json.member("buffer", resourceLocked(as<BufferObject>(texture->buffer.get())));
            json.member("buffer_offset", texture->bufferOffset);
            json.member("bytes_per_row", std::uint64_t{texture->handle.levels[0].bytes_per_row});
        }
    } else if (const auto* buffer = dynamic_cast<const BufferObject*>(resource)) {
        json.member("kind", "buffer").member("length", buffer->length);
    } else {
        json.member("kind", dynamic_cast<const IndirectBufferObject*>(resource) != nullptr ? "indirect_command_buffer"
                                                                                           : "function_table");
    }
    return json.take();
}

void CaptureObjects::write(JsonWriter& json) const {
    std::lock_guard lock(mutex_);
    json.key("queues").beginArray();
    for (const auto& queue : queues_) json.beginObject().member("label", queue->label.text()).endObject();
    json.endArray().key("libraries").beginArray();
    for (std::size_t i = 0; i < libraries_.size(); ++i) {
        json.beginObject().member("label", libraries_[i]->label.text());
        json.member("source", "sources/" + std::to_string(i) + ".metal").key("options");
        writeOptions(json, libraries_[i]->request->options);
        json.endObject();
    }
    json.endArray().key("pipelines").beginArray();
    for (const Function& function : functions_) json.raw(function.json);
    json.endArray().key("render_pipelines").beginArray();
    for (const std::string& pipeline : renderPipelines_) json.raw(pipeline);
    json.endArray().key("events").beginArray();
    for (const auto& [event, label] : events_) json.beginObject().member("label", label).endObject();
    json.endArray().key("resources").beginArray();
    for (const Resource& resource : resources_)
        json.beginObject().member("label", resource.label).raw(resource.json).endObject();
    json.endArray();
}

void CaptureObjects::writeSources(metal_capture::ZipWriter& zip) const {
    std::lock_guard lock(mutex_);
    metal_capture::Deflater deflater;
    for (std::size_t i = 0; i < libraries_.size(); ++i) {
        const std::string& source = libraries_[i]->request->source;
        zip.add("sources/" + std::to_string(i) + ".metal", deflater.pack({source.begin(), source.end()}));
    }
}

void writeSampler(JsonWriter& json, metal_sampler bits) {
    const auto part = [&](int shift, unsigned width) { return bits >> shift & ((std::uint64_t{1} << width) - 1); };
    constexpr double steps = 256;
    constexpr std::uint64_t noLimit = 0xfff;
    json.beginObject().member("s_address_mode", part(metal_sampler_s_address_shift, 3));
    json.member("t_address_mode", part(metal_sampler_t_address_shift, 3));
    json.member("r_address_mode", part(metal_sampler_r_address_shift, 3));
    json.member("min_filter", part(metal_sampler_min_filter_shift, 1));
    json.member("mag_filter", part(metal_sampler_mag_filter_shift, 1));
    json.member("mip_filter", part(metal_sampler_mip_filter_shift, 2));
    json.member("normalized_coordinates", part(metal_sampler_pixel_coords_shift, 1) == 0);
    json.member("compare_function", part(metal_sampler_compare_shift, 3));
    json.member("border_color", part(metal_sampler_border_shift, 2));
    json.member("max_anisotropy", part(metal_sampler_anisotropy_shift, 4) + 1);
    json.member("reduction_mode", part(metal_sampler_reduction_shift, 2));
    json.member("lod_min_clamp", static_cast<double>(part(metal_sampler_lod_min_shift, 12)) / steps);
    const std::uint64_t most = part(metal_sampler_lod_max_shift, 12);
    json.key("lod_max_clamp");
    if (most == noLimit) {
        json.null();
    } else {
        json.value(static_cast<double>(most) / steps);
    }
    const auto bias = static_cast<std::int64_t>(part(metal_sampler_lod_bias_shift, 14));
    json.member("lod_bias", static_cast<double>(bias >= 0x2000 ? bias - 0x4000 : bias) / steps);
    json.endObject();
}

void writeFunctions(JsonWriter& json, const FunctionTableObject* table) {
    json.beginArray();
    for (NS::UInteger i = 0; i < table->count; ++i) {
        const std::string name = table->nameAt(i);
        if (name.empty()) {
            json.null();
        } else {
            json.value(name);
        }
    }
    json.endArray();
}

}  // namespace metal_objects
