// SPDX-License-Identifier: MIT
//
// Visible functions: linked to a pipeline, known to it by handles, called through tables; and encoders of argument
// buffers.

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <Metal/Metal.hpp>

#include "argument_ranges.hpp"
#include "bind.hpp"
#include "compute_pipeline.hpp"
#include "errors.hpp"
#include "render_pipeline.hpp"
#include "text.hpp"

namespace mtlpy {

namespace {

using namespace nb::literals;
using Linked = MTL::LinkedFunctions;
using Table = MTL::VisibleFunctionTable;
using TableDescriptor = MTL::VisibleFunctionTableDescriptor;
using Encoder = MTL::ArgumentEncoder;

std::vector<NS::SharedPtr<MTL::Function>> functionsOf(const NS::Array* array) {
    std::vector<NS::SharedPtr<MTL::Function>> functions;
    for (NS::UInteger i = 0; array && i < array->count(); ++i)
        functions.push_back(shared(array->object<MTL::Function>(i)));
    return functions;
}

const NS::Array* arrayOf(const char* name, const std::vector<MTL::Function*>& functions) {
    checkNoneIsMissing("LinkedFunctions", name, functions);
    for (const MTL::Function* function : functions)
        if (function->functionType() != MTL::FunctionTypeVisible)
            fail(ErrorKind::validation,
                 concat("LinkedFunctions: function ", pythonText(function->name()), " isn't a visible function"));
    const std::vector<const NS::Object*> objects(functions.begin(), functions.end());
    return NS::Array::array(objects.data(), objects.size());
}

void bindLinkedFunctions(nb::module_& module) {
    nb::class_<Linked>(module, "LinkedFunctions", "Visible functions that a kernel can call through tables.",
                       nb::is_weak_referenceable())
        .def(nb::new_([] { return owned(Linked::alloc()->init()); }), pooled)
        .def_prop_rw(
            "functions", [](const Linked& self) { return functionsOf(self.functions()); },
            [](Linked& self, const std::vector<MTL::Function*>& functions) {
                self.setFunctions(arrayOf("functions", functions));
            },
            pooled, "Visible functions that the pipeline may call, and that `function_handle` finds. Empty unless set.")
        .def_prop_rw(
            "private_functions", [](const Linked& self) { return functionsOf(self.privateFunctions()); },
            [](Linked& self, const std::vector<MTL::Function*>& functions) {
                self.setPrivateFunctions(arrayOf("private_functions", functions));
            },
            pooled,
            "Visible functions that only the pipeline's own code calls, so that they can be built into it. None unless "
            "set.");
}

void bindTables(nb::module_& module) {
    nb::class_<MTL::FunctionHandle>(module, "FunctionHandle", "A visible function as one pipeline knows it.",
                                    nb::is_weak_referenceable())
        .def_prop_ro(
            "name", [](const MTL::FunctionHandle& self) { return pythonText(self.name()); }, pooled,
            "Name of the function.")
        .def_prop_ro("function_type", &MTL::FunctionHandle::functionType, pooled, "Always Visible here.")
        .def_prop_ro(
            "device", [](const MTL::FunctionHandle& self) { return shared(self.device()); }, pooled,
            "The device of the pipeline that made it.");
    nb::class_<TableDescriptor>(module, "VisibleFunctionTableDescriptor", "How large a table of functions is.",
                                nb::is_weak_referenceable())
        .def(nb::new_([] { return owned(TableDescriptor::alloc()->init()); }), pooled)
        .def_prop_rw(
            "function_count", &TableDescriptor::functionCount,
            [](TableDescriptor& self, std::int64_t count) {
                self.setFunctionCount(
                    checkedCount("VisibleFunctionTableDescriptor", "function_count", count, 1, 65536));
            },
            pooled, "How many functions the table has room for; must be set.");
    nb::class_<Table, MTL::Resource>(module, "VisibleFunctionTable", "What a kernel's table argument is bound to.",
                                     nb::is_weak_referenceable())
        .def_prop_ro(
            "gpu_resource_id", [](const Table& self) { return self.gpuResourceID()._impl; }, pooled,
            "What an argument buffer holds for it.")
        .def(
            "set_function",
            [](Table& self, MTL::FunctionHandle* function, std::int64_t index) {
                if (function && function->device() != self.device())
                    fail(ErrorKind::validation, "set_function: function belongs to another device");
                self.setFunction(function, checkedIndex("set_function", "index", index, 65536));
            },
            "function"_a.none(), "index"_a, pooled, "Put a function there; None takes it away.");
}

template <class T>
void checkDevice(Encoder& encoder, const char* where, const char* name, T* object) {
    if (object && object->device() != encoder.device())
        fail(ErrorKind::validation, concat(where, ": ", name, " belongs to another device"));
}

void bindArgumentEncoder(nb::module_& module) {
    constexpr std::uint64_t most = 1u << 20;
    nb::class_<Encoder>(module, "ArgumentEncoder", "Writes the members of an argument buffer by their ids.",
                        nb::is_weak_referenceable())
        .def_prop_ro(
            "device", [](const Encoder& self) { return shared(self.device()); }, pooled, "The device that made it.")
        .def_prop_rw(
            "label", [](const Encoder& self) { return pythonText(self.label()); },
            [](Encoder& self, const std::string& label) { self.setLabel(metalString(label)); }, pooled,
            "A name, for messages and captures.")
        .def_prop_ro("encoded_length", &Encoder::encodedLength, pooled, "Bytes of the members.")
        .def_prop_ro("alignment", &Encoder::alignment, pooled, "What the offset in a buffer is a multiple of.")
        .def(
            "constant_data",
            [](Encoder& self, std::int64_t index) {
                void* data = self.constantData(checkedIndex("constant_data", "index", index, most));
                if (!data)
                    fail(ErrorKind::validation,
                         concat("constant_data: no argument buffer is set, or it has no member of index ", index));
                return reinterpret_cast<std::uintptr_t>(data);
            },
            "index"_a, pooled, "Address of a member that is a constant, where a program may write it.")
        .def(
            "new_argument_encoder",
            [](Encoder& self, std::int64_t index) {
                auto encoder =
                    owned(self.newArgumentEncoder(checkedIndex("new_argument_encoder", "index", index, most)));
                if (!encoder.get())
                    fail(ErrorKind::validation,
                         concat("new_argument_encoder: the member of index ", index, " points at no struct"));
                return encoder;
            },
            "index"_a, pooled, nb::sig("def new_argument_encoder(self, index: int) -> ArgumentEncoder"),
            "An encoder of the struct that a member points at.")
        .def(
            "set_argument_buffer",
            [](Encoder& self, MTL::Buffer& buffer, std::int64_t offset) {
                checkDevice(self, "set_argument_buffer", "buffer", &buffer);
                checkRange("set_argument_buffer", "the buffer", offset, self.encodedLength(), buffer.length());
                self.setArgumentBuffer(&buffer, static_cast<NS::UInteger>(offset));
            },
            "buffer"_a, "offset"_a = 0, pooled, "Say where the arguments are written.")
        .def(
            "set_buffer",
            [](Encoder& self, MTL::Buffer* buffer, std::int64_t offset, std::int64_t index) {
                checkDevice(self, "set_buffer", "buffer", buffer);
                self.setBuffer(buffer, checkedCount("set_buffer", "offset", offset, 0, INT64_MAX),
                               checkedIndex("set_buffer", "index", index, most));
            },
            "buffer"_a.none(), "offset"_a, "index"_a, pooled, "Write a buffer's address, plus `offset`.")
        .def(
            "set_indirect_command_buffer",
            [](Encoder& self, MTL::IndirectCommandBuffer* commands, std::int64_t index) {
                checkDevice(self, "set_indirect_command_buffer", "commands", commands);
                self.setIndirectCommandBuffer(commands,
                                              checkedIndex("set_indirect_command_buffer", "index", index, most));
            },
            "commands"_a.none(), "index"_a, pooled, "Write an indirect command buffer.")
        .def(
            "set_compute_pipeline_state",
            [](Encoder& self, const ComputePipeline& pipeline, std::int64_t index) {
                checkDevice(self, "set_compute_pipeline_state", "state", pipeline.metal.get());
                if (!pipeline.metal->supportIndirectCommandBuffers())
                    fail(ErrorKind::validation, concat("set_compute_pipeline_state: kernel ", pipeline.name,
                                                       " was not compiled with support_indirect_command_buffers"));
                self.setComputePipelineState(pipeline.metal.get(),
                                             checkedIndex("set_compute_pipeline_state", "index", index, most));
            },
            "state"_a, "index"_a, pooled, "Write a compute pipeline state, for kernels that write commands.")
        .def(
            "set_render_pipeline_state",
            [](Encoder& self, const RenderPipeline& pipeline, std::int64_t index) {
                constexpr const char* where = "set_render_pipeline_state";
                checkDevice(self, where, "state", pipeline.metal.get());
                if (!pipeline.metal->supportIndirectCommandBuffers())
                    fail(ErrorKind::validation,
                         concat(where, ": ", pipeline.name, " was not compiled with support_indirect_command_buffers"));
                self.setRenderPipelineState(pipeline.metal.get(), checkedIndex(where, "index", index, most));
            },
            "state"_a, "index"_a, pooled, "Write a render pipeline state, for kernels that write commands.")
        .def(
            "set_texture",
            [](Encoder& self, MTL::Texture* texture, std::int64_t index) {
                checkDevice(self, "set_texture", "texture", texture);
                self.setTexture(texture, checkedIndex("set_texture", "index", index, most));
            },
            "texture"_a.none(), "index"_a, pooled, "Write a texture.")
        .def(
            "set_sampler_state",
            [](Encoder& self, MTL::SamplerState* sampler, std::int64_t index) {
                checkDevice(self, "set_sampler_state", "sampler", sampler);
                self.setSamplerState(sampler, checkedIndex("set_sampler_state", "index", index, most));
            },
            "sampler"_a.none(), "index"_a, pooled, "Write a sampler.");
}

}  // namespace

void bindFunctionTables(nb::module_& module) {
    bindLinkedFunctions(module);
    bindTables(module);
    bindArgumentEncoder(module);
}

}  // namespace mtlpy
