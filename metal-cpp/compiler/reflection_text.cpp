// SPDX-License-Identifier: MIT
#include "reflection_text.hpp"

namespace metal_compiler {
namespace {

using namespace protocol;

const char* kindOf(ArgumentKind kind) {
    switch (kind) {
        case ArgumentKind::buffer:
            return "buffer";
        case ArgumentKind::texture:
            return "texture";
        case ArgumentKind::sampler:
            return "sampler";
        case ArgumentKind::threadgroupMemory:
            return "threadgroup";
        case ArgumentKind::functionTable:
            return "function_table";
    }
    return "";
}

const char* accessOf(std::uint32_t access) {
    static constexpr const char* names[] = {"read", "read_write", "write"};
    return access < 3 ? names[access] : "?";
}

std::string layoutOf(const Type& type) {
    return std::to_string(type.size) + " bytes, alignment " + std::to_string(type.alignment);
}

void writeType(const LibraryReply& library, const Type& type, std::string& text) {
    text += "struct " + type.name + ": " + layoutOf(type) + "\n";
    for (const Member& member : type.members) {
        const std::string name = member.type == noType ? "?" : library.types[member.type].name;
        text += "  " + std::to_string(member.offset) + ": " + name + " " + member.name;
        if (member.argumentIndex != noType) text += " [[id(" + std::to_string(member.argumentIndex) + ")]]";
        text += "\n";
    }
}

void writeArgument(const LibraryReply& library, const Argument& argument, std::string& text) {
    const std::string index = argument.index == noType ? "function constants" : std::to_string(argument.index);
    text += std::string("  ") + kindOf(argument.kind) + "(" + index + ") slot " + std::to_string(argument.slot) + ": " +
            argument.typeText + " " + argument.name + ", " + accessOf(argument.access);
    if (argument.arrayLength != 1) text += ", array of " + std::to_string(argument.arrayLength);
    if (argument.type != noType) text += ", " + layoutOf(library.types[argument.type]);
    if (!argument.isUsed) text += ", unused";
    if (!argument.condition.empty()) text += ", if " + argument.condition;
    text += "\n";
}

const char* kindOf(FunctionKind kind) {
    switch (kind) {
        case FunctionKind::vertex:
            return "vertex ";
        case FunctionKind::fragment:
            return "fragment ";
        case FunctionKind::kernel:
            return "kernel ";
        case FunctionKind::visible:
            return "visible ";
    }
    return "";
}

const char* kindOf(StageValueKind kind) {
    static constexpr const char* names[] = {"attribute",
                                            "varying",
                                            "position",
                                            "point_size",
                                            "clip_distance",
                                            "vertex_id",
                                            "instance_id",
                                            "base_vertex",
                                            "base_instance",
                                            "amplification_id",
                                            "amplification_count",
                                            "patch_id",
                                            "position_in_patch",
                                            "front_facing",
                                            "point_coord",
                                            "primitive_id",
                                            "sample_id",
                                            "sample_mask",
                                            "barycentric_coord",
                                            "render_target_array_index",
                                            "viewport_array_index",
                                            "color",
                                            "depth",
                                            "stencil"};
    return names[static_cast<std::size_t>(kind)];
}

const char* wordOf(Interpolation interpolation) {
    static constexpr const char* names[] = {"center_perspective",
                                            "center_no_perspective",
                                            "centroid_perspective",
                                            "centroid_no_perspective",
                                            "sample_perspective",
                                            "sample_no_perspective",
                                            "flat"};
    return names[static_cast<std::size_t>(interpolation)];
}

void writeStageValue(const LibraryReply& library, const char* direction, const StageValue& value, std::string& text) {
    static constexpr const char* depths[] = {"any", "greater", "less"};
    text += std::string("  ") + direction + " " + kindOf(value.kind);
    if (value.kind == StageValueKind::attribute || value.kind == StageValueKind::color)
        text += "(" + std::to_string(value.index) + ")";
    text += " columns " + std::to_string(value.column) + "+" + std::to_string(value.columnCount) + ": " +
            library.types[value.type].name + (value.name.empty() ? "" : " " + value.name);
    if (!value.link.empty()) text += ", links " + value.link + ", " + wordOf(value.interpolation);
    if (value.kind == StageValueKind::depth) text += std::string(", ") + depths[static_cast<std::size_t>(value.depth)];
    if (value.sourceIndex != 0) text += ", index " + std::to_string(value.sourceIndex);
    if (value.isInterpolant) text += ", interpolant";
    if (value.isInvariant) text += ", invariant";
    if (value.hasRasterOrderGroup) text += ", raster order group " + std::to_string(value.rasterOrderGroup);
    if (!value.condition.empty()) text += ", if " + value.condition;
    text += "\n";
}

}  // namespace

std::string reflectionText(const LibraryReply& library) {
    std::string text;
    for (const Function& function : library.functions) {
        text += kindOf(function.kind) + function.name + " (line " + std::to_string(function.line) + ", entry " +
                function.entry + ")\n";
        if (function.maxTotalThreads != 0)
            text += "  at most " + std::to_string(function.maxTotalThreads) + " threads\n";
        if (function.requiredThreads[0] != 0) {
            text += "  threadgroups of " + std::to_string(function.requiredThreads[0]) + " x " +
                    std::to_string(function.requiredThreads[1]) + " x " + std::to_string(function.requiredThreads[2]) +
                    "\n";
        }
        if (!function.userAnnotation.empty()) text += "  annotation: " + function.userAnnotation + "\n";
        for (const Argument& argument : function.arguments) writeArgument(library, argument, text);
        if (function.earlyFragmentTests) text += "  early fragment tests\n";
        for (const StageValue& value : function.inputs) writeStageValue(library, "input", value, text);
        for (const StageValue& value : function.outputs) writeStageValue(library, "output", value, text);
        for (const std::uint32_t constant : function.constants) {
            text += "  function constant " + std::to_string(constant) + "\n";
        }
    }
    for (const FunctionConstant& constant : library.constants) {
        const std::string type = constant.type == noType ? "?" : library.types[constant.type].name;
        text += "function constant " + std::to_string(constant.index) + ": " + type + " " + constant.name +
                (constant.isRequired ? "\n" : ", optional\n");
    }
    for (const Type& type : library.types) {
        if (!type.members.empty()) writeType(library, type, text);
    }
    return text;
}

}  // namespace metal_compiler
