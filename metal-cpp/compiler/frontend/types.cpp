// SPDX-License-Identifier: MIT
#include "frontend/types.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/RecordLayout.h>
#include <llvm/ADT/StringSwitch.h>

#include "frontend/address_spaces.hpp"
#include "frontend/arguments.hpp"
#include "frontend/type_names.hpp"

namespace metal_compiler {
namespace {

using namespace clang;

// MTL::DataType. Vectors of two to four follow their scalar; matrices have numbers of their own.
enum DataType : std::uint32_t {
    none = 0,
    structure = 1,
    array = 2,
    float1 = 3,
    float2x2 = 7,
    half1 = 16,
    half2x2 = 20,
    int1 = 29,
    uint1 = 33,
    short1 = 37,
    ushort1 = 41,
    char1 = 45,
    uchar1 = 49,
    bool1 = 53,
    texture = 58,
    sampler = 59,
    pointer = 60,
    long1 = 81,
    ulong1 = 85,
    functionTable = 115,
    bfloat1 = 121,
};

std::uint32_t count(const TemplateArgument& argument) {
    return static_cast<std::uint32_t>(argument.getAsIntegral().getZExtValue());
}

// MTL::TextureType by the class's name.
std::uint32_t textureTypeOf(llvm::StringRef name) {
    name.consume_front("texture");
    name.consume_front("depth");
    return llvm::StringSwitch<std::uint32_t>(name)
        .Case("1d", 0)
        .Case("1d_array", 1)
        .Case("2d", 2)
        .Case("2d_array", 3)
        .Case("2d_ms", 4)
        .Case("cube", 5)
        .Case("cube_array", 6)
        .Case("3d", 7)
        .Case("2d_ms_array", 8)
        .Case("_buffer", 9)
        .Default(2);
}

// Of the classes of <metal_pixel>, and of what commands are made of.
std::uint32_t plainDataType(llvm::StringRef name) {
    return llvm::StringSwitch<std::uint32_t>(name)
        .Case("sampler", sampler)
        .Case("visible_function_table", functionTable)
        .Case("r8unorm", 62)
        .Case("r8snorm", 63)
        .Case("r16unorm", 64)
        .Case("r16snorm", 65)
        .Case("rg8unorm", 66)
        .Case("rg8snorm", 67)
        .Case("rg16unorm", 68)
        .Case("rg16snorm", 69)
        .Case("rgba8unorm", 70)
        .Case("srgba8unorm", 71)
        .Case("rgba8snorm", 72)
        .Case("rgba16unorm", 73)
        .Case("rgba16snorm", 74)
        .Case("rgb10a2", 75)
        .Case("rg11b10f", 76)
        .Case("rgb9e5", 77)
        .Case("render_pipeline_state", 78)
        .Case("compute_pipeline_state", 79)
        .Case("command_buffer", 80)
        .Case("depth_stencil_state", 139)
        .Default(none);
}

// The name of the enumerator that a template argument is: `access::write` -> "write".
llvm::StringRef enumeratorOf(const TemplateArgument& argument) {
    if (argument.getKind() != TemplateArgument::Integral) return {};
    const auto* type = argument.getIntegralType()->getAs<EnumType>();
    if (type == nullptr) return {};
    for (const EnumConstantDecl* enumerator : type->getDecl()->getDefinitionOrSelf()->enumerators()) {
        if (llvm::APSInt::isSameValue(enumerator->getInitVal(), argument.getAsIntegral())) return enumerator->getName();
    }
    return {};
}

}  // namespace

std::uint32_t scalarDataType(QualType type) {
    const auto* builtin = type->getAs<BuiltinType>();
    if (builtin == nullptr) return none;
    switch (builtin->getKind()) {
        case BuiltinType::Bool:
            return bool1;
        case BuiltinType::Char_S:
        case BuiltinType::SChar:
            return char1;
        case BuiltinType::Char_U:
        case BuiltinType::UChar:
            return uchar1;
        case BuiltinType::Short:
            return short1;
        case BuiltinType::UShort:
            return ushort1;
        case BuiltinType::Int:
            return int1;
        case BuiltinType::UInt:
            return uint1;
        case BuiltinType::Long:
        case BuiltinType::LongLong:
            return long1;
        case BuiltinType::ULong:
        case BuiltinType::ULongLong:
            return ulong1;
        case BuiltinType::Float:
            return float1;
        case BuiltinType::Float16:
            return half1;
        case BuiltinType::BFloat16:
            return bfloat1;
        default:
            return none;
    }
}

std::uint32_t TypeTable::accessOfTexture(QualType type) {
    for (const TemplateArgument& argument : templateArgumentsOf(type)) {
        const llvm::StringRef name = enumeratorOf(argument);
        if (name == "read_write") return 1;
        if (name == "write") return 2;
    }
    return 0;
}

std::uint32_t TypeTable::add(QualType type) {
    type = context_.removeAddrSpaceQualType(type.getCanonicalType()).getUnqualifiedType();
    if (const auto found = known_.find(type); found != known_.end()) return found->second;
    protocol::Type described;
    described.name = metalTypeName(type, context_);
    if (!type->isIncompleteType() && !type->isDependentType()) {
        described.size = static_cast<std::uint64_t>(context_.getTypeSizeInChars(type).getQuantity());
        described.alignment = static_cast<std::uint64_t>(context_.getTypeAlignInChars(type).getQuantity());
    }
    // Known before its members are, which may point back at it.
    const auto index = static_cast<std::uint32_t>(types_.size());
    types_.push_back(described);
    known_[type] = index;
    if (!fill(type, described)) described.dataType = none;
    types_[index] = std::move(described);
    return index;
}

bool TypeTable::fill(QualType type, protocol::Type& described) {
    if (const auto* enumeration = type->getAs<EnumType>()) {
        described.dataType =
            scalarDataType(enumeration->getDecl()->getDefinitionOrSelf()->getIntegerType().getCanonicalType());
        return true;
    }
    if ((described.dataType = scalarDataType(type)) != none) return true;
    if (const auto* array = context_.getAsConstantArrayType(type)) {
        fillArray(array->getElementType(), array->getSize().getZExtValue(), described);
        return true;
    }
    if (type->isPointerType() || type->isReferenceType()) {
        const QualType pointee = type->getPointeeType();
        described.dataType = pointer;
        described.addressSpace = static_cast<std::uint8_t>(addressSpaceOf(pointee.getAddressSpace()));
        described.access = pointee.isConstQualified() ? 0 : 1;
        described.element = add(pointee);
        return true;
    }
    const llvm::StringRef name = standardClassName(type);
    if (!name.empty() && fillStandardClass(name, type, described)) return true;
    const RecordDecl* record = type->getAsRecordDecl();
    if (record == nullptr || record->getDefinition() == nullptr) return false;
    described.dataType = structure;
    fillMembers(record->getDefinition(), 0, described);
    return true;
}

bool TypeTable::fillStandardClass(llvm::StringRef name, QualType type, protocol::Type& described) {
    const llvm::ArrayRef<TemplateArgument> arguments = templateArgumentsOf(type);
    if (const std::uint32_t plain = plainDataType(name); plain != none) {
        described.dataType = plain;
    } else if (isTextureName(name)) {
        fillTexture(name, type, described);
    } else if ((name == "vec" || name == "packed_vec") && arguments.size() >= 2) {
        described.dataType = scalarDataType(arguments[0].getAsType().getCanonicalType()) + count(arguments[1]) - 1;
        described.element = add(arguments[0].getAsType());
    } else if (name == "matrix" && arguments.size() >= 3) {
        const std::uint32_t first =
            scalarDataType(arguments[0].getAsType().getCanonicalType()) == half1 ? half2x2 : float2x2;
        described.dataType = first + (count(arguments[1]) - 2) * 3 + count(arguments[2]) - 2;
        described.element = add(arguments[0].getAsType());
    } else if (name == "array" && arguments.size() >= 2) {
        fillArray(arguments[0].getAsType(), count(arguments[1]), described);
    } else if (name.contains("atomic") && !arguments.empty() && arguments[0].getKind() == TemplateArgument::Type) {
        described.dataType = scalarDataType(arguments[0].getAsType().getCanonicalType());
    } else {
        return false;
    }
    return true;
}

void TypeTable::fillTexture(llvm::StringRef name, QualType type, protocol::Type& described) {
    described.dataType = texture;
    described.textureType = textureTypeOf(name);
    described.isDepthTexture = name.starts_with("depth");
    described.access = accessOfTexture(type);
    const llvm::ArrayRef<TemplateArgument> arguments = templateArgumentsOf(type);
    if (!arguments.empty() && arguments[0].getKind() == TemplateArgument::Type) {
        described.textureDataType = scalarDataType(arguments[0].getAsType().getCanonicalType());
    }
}

void TypeTable::fillArray(QualType element, std::uint64_t length, protocol::Type& described) {
    described.dataType = array;
    described.arrayLength = length;
    described.stride = static_cast<std::uint64_t>(context_.getTypeSizeInChars(element).getQuantity());
    described.element = add(element);
}

void TypeTable::fillMembers(const RecordDecl* record, std::uint64_t base, protocol::Type& described) {
    const ASTRecordLayout& layout = context_.getASTRecordLayout(record);
    if (const auto* derived = dyn_cast<CXXRecordDecl>(record)) {
        for (const CXXBaseSpecifier& parent : derived->bases()) {
            const CXXRecordDecl* parentRecord = parent.getType()->getAsCXXRecordDecl();
            if (parentRecord == nullptr || parentRecord->isEmpty()) continue;
            fillMembers(parentRecord,
                        base + static_cast<std::uint64_t>(layout.getBaseClassOffset(parentRecord).getQuantity()),
                        described);
        }
    }
    for (const FieldDecl* field : record->fields()) {
        protocol::Member member;
        member.name = field->getNameAsString();
        member.type = add(field->getType());
        member.offset = base + layout.getFieldOffset(field->getFieldIndex()) / 8;
        if (const auto id = indexOf(field, "id")) member.argumentIndex = static_cast<std::uint32_t>(*id);
        described.members.push_back(std::move(member));
    }
}

}  // namespace metal_compiler
