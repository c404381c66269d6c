// SPDX-License-Identifier: MIT

#include "data_type.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <utility>

#include "bind.hpp"

namespace mtlpy {

namespace {

/// A scalar type and where its vectors and matrices stand in Metal's numbering.
struct Family {
    MTL::DataType scalar;
    const char* name;
    char code;
    std::uint32_t size;
    bool hasMatrices;  // 2x2, 2x3, ... 4x4 follow the vectors
};

constexpr Family families[] = {
    {MTL::DataTypeFloat, "float", 'f', 4, true},  {MTL::DataTypeHalf, "half", 'e', 2, true},
    {MTL::DataTypeInt, "int", 'i', 4, false},     {MTL::DataTypeUInt, "uint", 'I', 4, false},
    {MTL::DataTypeShort, "short", 'h', 2, false}, {MTL::DataTypeUShort, "ushort", 'H', 2, false},
    {MTL::DataTypeChar, "char", 'b', 1, false},   {MTL::DataTypeUChar, "uchar", 'B', 1, false},
    {MTL::DataTypeBool, "bool", '?', 1, false},   {MTL::DataTypeLong, "long", 'q', 8, false},
    {MTL::DataTypeULong, "ulong", 'Q', 8, false}, {MTL::DataTypeBFloat, "bfloat", 0, 2, false},
};

/// A vector of three takes the room of four.
std::uint64_t vectorSize(std::uint32_t scalarSize, std::uint32_t components) {
    return std::uint64_t(scalarSize) * (components == 3 ? 4 : components);
}

/// Of <metal_pixel>.
struct PixelType {
    MTL::DataType type;
    const char* name;
    std::uint32_t size, alignment;
};
constexpr PixelType pixelTypes[] = {
    {MTL::DataTypeR8Unorm, "r8unorm", 1, 1},         {MTL::DataTypeR8Snorm, "r8snorm", 1, 1},
    {MTL::DataTypeR16Unorm, "r16unorm", 2, 2},       {MTL::DataTypeR16Snorm, "r16snorm", 2, 2},
    {MTL::DataTypeRG8Unorm, "rg8unorm", 2, 1},       {MTL::DataTypeRG8Snorm, "rg8snorm", 2, 1},
    {MTL::DataTypeRG16Unorm, "rg16unorm", 4, 2},     {MTL::DataTypeRG16Snorm, "rg16snorm", 4, 2},
    {MTL::DataTypeRGBA8Unorm, "rgba8unorm", 4, 1},   {MTL::DataTypeRGBA8Unorm_sRGB, "srgba8unorm", 4, 1},
    {MTL::DataTypeRGBA8Snorm, "rgba8snorm", 4, 1},   {MTL::DataTypeRGBA16Unorm, "rgba16unorm", 8, 2},
    {MTL::DataTypeRGBA16Snorm, "rgba16snorm", 8, 2}, {MTL::DataTypeRGB10A2Unorm, "rgb10a2", 4, 4},
    {MTL::DataTypeRG11B10Float, "rg11b10f", 4, 4},   {MTL::DataTypeRGB9E5Float, "rgb9e5", 4, 4},
};

const char* opaqueName(MTL::DataType type) {
    switch (type) {
        case MTL::DataTypeTexture:
            return "texture";
        case MTL::DataTypeSampler:
            return "sampler";
        case MTL::DataTypePointer:
            return "pointer";
        case MTL::DataTypeIndirectCommandBuffer:
            return "command_buffer";
        case MTL::DataTypeComputePipeline:
            return "compute_pipeline_state";
        case MTL::DataTypeRenderPipeline:
            return "render_pipeline_state";
        default:
            return "";
    }
}

}  // namespace

DataTypeFacts dataTypeFacts(MTL::DataType type) {
    for (const Family& family : families) {
        if (type < family.scalar) continue;
        const auto step = static_cast<std::uint32_t>(type - family.scalar);
        if (step < 4) {
            const std::uint32_t components = step + 1;
            const std::uint64_t size = vectorSize(family.size, components);
            return {family.name + (components > 1 ? std::to_string(components) : std::string()),
                    family.code,
                    components,
                    1,
                    size,
                    size};
        }
        if (family.hasMatrices && step < 13) {
            const std::uint32_t columns = 2 + (step - 4) / 3, rows = 2 + (step - 4) % 3;
            const std::uint64_t column = vectorSize(family.size, rows);
            return {family.name + std::to_string(columns) + "x" + std::to_string(rows),
                    family.code,
                    rows,
                    columns,
                    column * columns,
                    column};
        }
    }
    for (const PixelType& pixel : pixelTypes) {
        if (pixel.type != type) continue;
        DataTypeFacts facts;
        facts.name = pixel.name;
        facts.size = pixel.size;
        facts.alignment = pixel.alignment;
        return facts;
    }
    DataTypeFacts opaque;
    opaque.name = opaqueName(type);
    if (!opaque.name.empty()) opaque.size = opaque.alignment = 8;
    return opaque;
}

void bindDataTypes(nb::module_& module) {
    using namespace nb::literals;
    module.def(
        "data_type_name", [](MTL::DataType type) { return dataTypeFacts(type).name; }, "type"_a,
        "Name in Metal's language, such as \"float4\"; empty for types without one.");
    module.def(
        "data_type_layout",
        [](MTL::DataType type) {
            const DataTypeFacts facts = dataTypeFacts(type);
            return std::pair(facts.size, facts.alignment);
        },
        "type"_a, "Size and alignment in bytes; (0, 0) for types without a layout of their own.");
}

}  // namespace mtlpy
