// SPDX-License-Identifier: MIT
//
// Argument buffers described without a function.

#include "argument_descriptor.hpp"

#include <algorithm>

#include "argument_ranges.hpp"
#include "bind_render.hpp"
#include "errors.hpp"
#include "portable.hpp"

namespace mtlpy {

namespace {

using namespace nb::literals;
using Descriptor = MTL::ArgumentDescriptor;

/// More than any argument buffer has members.
constexpr std::uint64_t maximumIndex = 1u << 20;

}  // namespace

NS::SharedPtr<MTL::ArgumentEncoder> newArgumentEncoder(MTL::Device& device, const std::vector<Descriptor*>& arguments) {
    constexpr const char* where = "new_argument_encoder";
    portable::checkProcess(&device);
    if (arguments.empty()) fail(ErrorKind::validation, concat(where, ": arguments is empty"));
    checkNoneIsMissing(where, "arguments", arguments);
    std::vector<const Descriptor*> sorted(arguments.begin(), arguments.end());
    std::ranges::sort(sorted, {}, [](const Descriptor* argument) { return argument->index(); });
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        if (sorted[i]->dataType() == MTL::DataTypeNone)
            fail(ErrorKind::validation,
                 concat(where, ": the argument of index ", sorted[i]->index(), " has no data_type"));
        const NS::UInteger count = std::max<NS::UInteger>(sorted[i]->arrayLength(), 1);
        if (i + 1 < sorted.size() && sorted[i]->index() + count > sorted[i + 1]->index())
            fail(ErrorKind::validation, concat(where, ": the ", count, " arguments from index ", sorted[i]->index(),
                                               " on and that of index ", sorted[i + 1]->index(), " overlap"));
    }
    const std::vector<const NS::Object*> objects(arguments.begin(), arguments.end());
    auto encoder = owned(device.newArgumentEncoder(NS::Array::array(objects.data(), objects.size())));
    if (!encoder.get()) fail(ErrorKind::validation, concat(where, ": the device has no encoder of such arguments"));
    return encoder;
}

void bindArgumentDescriptor(nb::module_& module) {
    static constexpr const char* name = "ArgumentDescriptor";
    nb::class_<Descriptor>(module, name, "A member of an argument buffer, for an encoder without a function.",
                           nb::is_weak_referenceable())
        .def(nb::new_([] { return owned(Descriptor::alloc()->init()); }), pooled)
        .def_static(
            "argument_descriptor", [] { return owned(Descriptor::alloc()->init()); }, pooled,
            "A descriptor as by default: of no type, at index 0.")
        .def_prop_rw("data_type", &Descriptor::dataType, &Descriptor::setDataType, pooled,
                     "Pointer, Texture, Sampler ..., or the type of a constant.")
        .def_prop_rw(
            "index", &Descriptor::index,
            [](Descriptor& self, std::int64_t value) {
                self.setIndex(checkedIndex(name, "index", value, maximumIndex));
            },
            pooled, "The n of [[id(n)]].")
        .def_prop_rw(
            "array_length", &Descriptor::arrayLength,
            [](Descriptor& self, std::int64_t value) {
                self.setArrayLength(checkedCount(name, "array_length", value, 0, maximumIndex));
            },
            pooled, "Elements of an array; 0: it is none.")
        .def_prop_rw("access", &Descriptor::access, &Descriptor::setAccess, pooled,
                     "Whether functions read or write it.")
        .def_prop_rw("texture_type", &Descriptor::textureType, &Descriptor::setTextureType, pooled,
                     "Of DataType.Texture: its dimensions.")
        .def_prop_rw(
            "constant_block_alignment", &Descriptor::constantBlockAlignment,
            [](Descriptor& self, std::int64_t value) {
                const NS::UInteger bytes = checkedCount(name, "constant_block_alignment", value, 0, 4096);
                if ((bytes & (bytes - 1)) != 0)
                    fail(ErrorKind::validation,
                         concat(name, ": constant_block_alignment is ", bytes, ", must be 0 or a power of two"));
                self.setConstantBlockAlignment(bytes);
            },
            pooled, "What the place of a constant is a multiple of, in bytes; 0: what its type wants.");
}

}  // namespace mtlpy
