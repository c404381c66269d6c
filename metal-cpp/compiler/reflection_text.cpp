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
    text += std::string("  ") + kindOf(argument.kind) + "(" + std::to_string(argument.index) + ") slot " +
            std::to_string(argument.slot) + ": " + argument.typeText + " " + argument.name + ", " +
            accessOf(argument.access);
    if (argument.arrayLength != 1) text += ", array of " + std::to_string(argument.arrayLength);
    if (argument.type != noType) text += ", " + layoutOf(library.types[argument.type]);
    if (!argument.isUsed) text += ", unused";
    if (!argument.condition.empty()) text += ", if " + argument.condition;
    text += "\n";
}

}  // namespace

std::string reflectionText(const LibraryReply& library) {
    std::string text;
    for (const Function& function : library.functions) {
        text +=
            "kernel " + function.name + " (line " + std::to_string(function.line) + ", entry " + function.entry + ")\n";
        if (function.maxTotalThreads != 0)
            text += "  at most " + std::to_string(function.maxTotalThreads) + " threads\n";
        for (const Argument& argument : function.arguments) writeArgument(library, argument, text);
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
