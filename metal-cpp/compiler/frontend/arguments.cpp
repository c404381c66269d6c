// SPDX-License-Identifier: MIT
#include "frontend/arguments.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/RecordLayout.h>
#include <clang/Sema/Sema.h>

#include <algorithm>
#include <array>
#include <map>

#include "frontend/report.hpp"
#include "frontend/type_names.hpp"

namespace metal_compiler {
namespace {

using namespace clang;
using Kind = KernelArgument::Kind;

// How many of each kind a function can take, as on Apple silicon.
constexpr std::uint32_t limitOf(Kind kind) {
    switch (kind) {
        case Kind::buffer:
            return 31;
        case Kind::texture:
            return 128;
        case Kind::sampler:
            return 16;
        case Kind::threadgroupMemory:
            return 31;
        case Kind::functionTable:
            return 31;
        case Kind::place:
        case Kind::stage:
            return 0;
    }
    return 0;
}

const char* attributeOf(Kind kind) {
    switch (kind) {
        case Kind::buffer:
            return "buffer";
        case Kind::texture:
            return "texture";
        case Kind::sampler:
            return "sampler";
        case Kind::threadgroupMemory:
            return "threadgroup";
        case Kind::functionTable:
            return "buffer";
        case Kind::place:
        case Kind::stage:
            return "";
    }
    return "";
}

// Buffers and function tables share their indices.
Kind indexSpaceOf(Kind kind) {
    return kind == Kind::functionTable ? Kind::buffer : kind;
}

bool hasSlot(Kind kind) {
    return kind != Kind::place && kind != Kind::stage;
}

class Classifier {
public:
    Classifier(const FunctionDecl* function, StageReader& reader, Sema& sema)
        : kernel_(function),
          stage_(stageOf(function).value_or(protocol::FunctionKind::kernel)),
          reader_(&reader),
          sema_(sema) {}
    explicit Classifier(Sema& sema) : stage_(protocol::FunctionKind::kernel), sema_(sema) {}

    std::optional<KernelArgument> runVariable(const VarDecl* variable) {
        KernelArgument argument;
        argument.declaration = variable;
        argument.isMember = true;
        sema_.isCompleteType(variable->getLocation(), variable->getType());
        if (!classify(argument)) return std::nullopt;
        if (!hasSlot(argument.kind)) return argument;
        std::map<std::uint64_t, const DeclaratorDecl*> owners;
        const auto index = indexOf(variable, attributeOf(argument.kind));
        place(argument, static_cast<std::uint64_t>(index.value_or(0)), owners);
        return failed_ ? std::nullopt : std::optional(argument);
    }

    std::optional<std::vector<KernelArgument>> run() {
        for (const ParmVarDecl* parameter : kernel_->parameters()) {
            sema_.isCompleteType(parameter->getLocation(), parameter->getType());
            const RecordDecl* record = recordOf(parameter->getType());
            if (record != nullptr && !hasAttribute(parameter, "stage_in") && holdsResource(record)) {
                addMembers(parameter, record, 0);
            } else {
                add(parameter, parameter, 0);
            }
        }
        for (const Kind kind : {Kind::buffer, Kind::texture, Kind::sampler, Kind::threadgroupMemory}) number(kind);
        if (failed_) return std::nullopt;
        std::uint32_t slot = 0;
        for (KernelArgument& argument : arguments_) {
            if (hasSlot(argument.kind)) argument.slot = slot++;
        }
        return std::move(arguments_);
    }

private:
    void add(const ParmVarDecl* parameter, const DeclaratorDecl* declaration, std::uint64_t offset) {
        KernelArgument argument;
        argument.parameter = parameter;
        argument.declaration = declaration;
        argument.isMember = declaration != parameter;
        argument.offset = offset;
        if (classify(argument)) arguments_.push_back(argument);
    }

    // A struct of the program's own; null for other types.
    const RecordDecl* recordOf(QualType type) const {
        if (!standardClassName(type).empty()) return nullptr;
        const CXXRecordDecl* record = type.getCanonicalType()->getAsCXXRecordDecl();
        return record != nullptr ? record->getDefinition() : nullptr;
    }

    // Whether a member is what a parameter could be; those of the stages of the render pipeline are read elsewhere.
    bool holdsResource(const RecordDecl* record) const {
        for (const FieldDecl* field : record->fields()) {
            const QualType type = field->getType();
            if (const RecordDecl* inner = recordOf(type)) {
                if (holdsResource(inner)) return true;
            } else if (type->isPointerType() || type->isReferenceType() || kindOfValue(type) || indexQueryOf(field)) {
                return true;
            }
        }
        const auto* derived = dyn_cast<CXXRecordDecl>(record);
        return derived != nullptr && std::any_of(derived->bases_begin(), derived->bases_end(), [&](const auto& base) {
                   const RecordDecl* parent = recordOf(base.getType());
                   return parent != nullptr && holdsResource(parent);
               });
    }

    void addMembers(const ParmVarDecl* parameter, const RecordDecl* record, std::uint64_t base) {
        const ASTRecordLayout& layout = sema_.Context.getASTRecordLayout(record);
        if (const auto* derived = dyn_cast<CXXRecordDecl>(record); derived != nullptr && derived->getNumBases() != 0) {
            fail(parameter, parameter->getSourceRange(),
                 "a struct of arguments cannot be derived from another, as " +
                     nameOf(sema_.Context.getCanonicalTagType(record)) + " is; make that a member");
            return;
        }
        for (const FieldDecl* field : record->fields()) {
            const std::uint64_t offset = base + layout.getFieldOffset(field->getFieldIndex()) / 8;
            sema_.isCompleteType(field->getLocation(), field->getType());
            if (const RecordDecl* inner = recordOf(field->getType())) {
                addMembers(parameter, inner, offset);
            } else {
                add(parameter, field, offset);
            }
        }
    }

    bool fail(const Decl* where, SourceRange range, const std::string& message) {
        report(sema_, DiagnosticIDs::Error, where->getLocation(), message, range);
        failed_ = true;
        return false;
    }
    std::string nameOf(QualType type) const { return "'" + metalTypeName(type, sema_.Context) + "'"; }
    bool classify(KernelArgument& argument) {
        const DeclaratorDecl* parameter = argument.declaration;
        const QualType type = parameter->getType();
        argument.type = type.getUnqualifiedType();
        argument.condition = conditionOf(parameter).value_or(Condition());
        if (const auto query = indexQueryOf(parameter)) return classifyPlace(argument, *query);
        if (!argument.isMember && isStageInput(argument.parameter, stage_)) {
            argument.kind = Kind::stage;
            argument.scalars = reader_->readInput(argument.parameter);
            failed_ = failed_ || reader_->failed;
            return !reader_->failed;
        }
        const bool ok =
            type->isPointerType() || type->isReferenceType() ? classifyPointer(argument) : classifyValue(argument);
        if (!ok || !checkAttribute(argument)) return false;
        argument.indexValue = indexValueOf(parameter, attributeOf(argument.kind));
        if (!argument.indexValue.steps.empty()) argument.index = protocol::noType;
        return true;
    }

    bool classifyPlace(KernelArgument& argument, const IndexQuery& query) {
        argument.kind = Kind::place;
        argument.query = query;
        QualType element = argument.type.getCanonicalType();
        unsigned count = 1;
        if (standardClassName(element) == "vec") {
            const auto parts = templateArgumentsOf(element);
            count = static_cast<unsigned>(parts[1].getAsIntegral().getZExtValue());
            element = parts[0].getAsType().getCanonicalType();
        }
        const bool ok = element->isUnsignedIntegerType() && !element->isBooleanType() && count <= query.dimensions &&
                        sema_.Context.getTypeSize(element) >= 16 && sema_.Context.getTypeSize(element) <= 32;
        if (ok) return true;
        return fail(argument.declaration, argument.declaration->getSourceRange(),
                    "invalid type " + nameOf(argument.type) + " for '" + query.attribute.str() + "': expected " +
                        (query.dimensions == 1 ? "'uint' or 'ushort'"
                                               : "'uint', 'ushort' or a vector of two or three of them"));
    }

    bool classifyPointer(KernelArgument& argument) {
        const DeclaratorDecl* parameter = argument.declaration;
        const QualType pointee = parameter->getType()->getPointeeType();
        argument.isReference = parameter->getType()->isReferenceType();
        argument.type = pointee;
        argument.space = addressSpaceOf(pointee.getAddressSpace());
        // Reflection tells its size, and nobody may have needed this vec<int, 3> to be instantiated yet.
        sema_.isCompleteType(parameter->getLocation(), pointee);
        switch (argument.space) {
            case AddressSpace::device:
            case AddressSpace::constant:
                argument.kind = Kind::buffer;
                return true;
            case AddressSpace::threadgroup:
                argument.kind = Kind::threadgroupMemory;
                if (stage_ != protocol::FunctionKind::vertex) return true;
                return fail(parameter, parameter->getSourceRange(),
                            "invalid address space qualification for buffer " + nameOf(parameter->getType()) +
                                ": a vertex function has no threadgroup memory; expected 'device' or 'constant'");
            case AddressSpace::thread:
                break;
        }
        if (kindOfValue(pointee)) {
            return fail(parameter, parameter->getSourceRange(),
                        "invalid type " + nameOf(parameter->getType()) + " for input declaration in a " +
                            stageName(stage_) + " function: an array of these is 'array<" +
                            metalTypeName(pointee.getUnqualifiedType(), sema_.Context) + ", N>'");
        }
        return fail(parameter, parameter->getSourceRange(),
                    "invalid address space qualification for buffer " + nameOf(parameter->getType()) + ": a " +
                        (argument.isReference ? "reference" : "pointer") + " of a " + stageName(stage_) +
                        " function must be to the 'device', 'constant' or 'threadgroup' address space");
    }

    // What a value of the type is; of an array of such, `length` and its elements.
    std::optional<Kind> kindOfValue(QualType type, std::uint64_t* length = nullptr) const {
        std::uint64_t count = 1;
        for (;;) {
            type = type.getCanonicalType();
            if (const auto* array = sema_.Context.getAsConstantArrayType(type)) {
                count *= array->getSize().getZExtValue();
                type = array->getElementType();
            } else if (standardClassName(type) == "array") {
                const auto parts = templateArgumentsOf(type);
                count *= parts[1].getAsIntegral().getZExtValue();
                type = parts[0].getAsType();
            } else {
                break;
            }
        }
        if (length != nullptr) *length = count;
        const llvm::StringRef name = standardClassName(type);
        if (isTextureName(name)) return Kind::texture;
        if (name == "sampler") return Kind::sampler;
        if (name == "visible_function_table") return Kind::functionTable;
        return std::nullopt;
    }

    bool classifyValue(KernelArgument& argument) {
        if (const auto kind = kindOfValue(argument.type, &argument.arrayLength)) {
            argument.kind = *kind;
            return true;
        }
        argument.arrayLength = 1;
        const DeclaratorDecl* parameter = argument.declaration;
        if (hasAttribute(parameter, "buffer")) {
            return fail(parameter, parameter->getSourceRange(),
                        "invalid type " + nameOf(parameter->getType()) + " for buffer declaration: write 'constant " +
                            metalTypeName(parameter->getType().getUnqualifiedType(), sema_.Context) + " &'");
        }
        fail(parameter, parameter->getSourceRange(),
             "invalid type " + nameOf(parameter->getType()) + " for input declaration in a " + stageName(stage_) +
                 " function");
        report(sema_, DiagnosticIDs::Note, parameter->getLocation(), adviceOn(parameter));
        return false;
    }

    // What a value without a place of its own could have been meant as.
    std::string adviceOn(const DeclaratorDecl* parameter) const {
        const QualType type = parameter->getType().getUnqualifiedType();
        const std::string name = parameter->getNameAsString(), spelling = metalTypeName(type, sema_.Context);
        const std::string buffer = "'constant " + spelling + " &" + name + " [[buffer(n)]]'";
        const bool isPlace =
            llvm::StringRef(spelling).starts_with("uint") || llvm::StringRef(spelling).starts_with("ushort");
        if (!isPlace || stage_ != protocol::FunctionKind::kernel) return "a value from outside is " + buffer;
        return "a thread's place is '" + spelling + " " + name +
               " [[thread_position_in_grid]]', a value from outside " + buffer;
    }

    // [[texture(0)]] on a buffer, say.
    bool checkAttribute(KernelArgument& argument) {
        for (const Kind kind : {Kind::buffer, Kind::texture, Kind::sampler, Kind::threadgroupMemory}) {
            if (kind == indexSpaceOf(argument.kind) || !hasAttribute(argument.declaration, attributeOf(kind))) continue;
            report(sema_, DiagnosticIDs::Error, rangeOfAttribute(argument.declaration, attributeOf(kind)).getBegin(),
                   std::string("'") + attributeOf(kind) + "' attribute cannot be applied to a parameter of type " +
                       nameOf(argument.declaration->getType()) + ": expected '" + attributeOf(argument.kind) + "'",
                   argument.declaration->getSourceRange());
            failed_ = true;
            return false;
        }
        return true;
    }

    // Written indices first; the rest take the lowest free ones in order, as Metal's compiler does.
    void number(Kind kind) {
        std::map<std::uint64_t, const DeclaratorDecl*> owners;
        for (KernelArgument& argument : arguments_) {
            if (indexSpaceOf(argument.kind) != kind) continue;
            const auto index = indexOf(argument.declaration, attributeOf(kind));
            if (index) place(argument, static_cast<std::uint64_t>(*index), owners);
        }
        for (KernelArgument& argument : arguments_) {
            if (indexSpaceOf(argument.kind) != kind || hasAttribute(argument.declaration, attributeOf(kind))) continue;
            std::uint64_t index = 0;
            while (isTaken(index, argument.arrayLength, owners)) ++index;
            place(argument, index, owners);
        }
    }
    static bool isTaken(std::uint64_t index, std::uint64_t length,
                        const std::map<std::uint64_t, const DeclaratorDecl*>& owners) {
        const auto next = owners.lower_bound(index);
        return next != owners.end() && next->first < index + length;
    }
    void place(KernelArgument& argument, std::uint64_t index, std::map<std::uint64_t, const DeclaratorDecl*>& owners) {
        const std::string attribute = attributeOf(argument.kind);
        const SourceRange written = rangeOfAttribute(argument.declaration, attribute);
        const SourceLocation where = written.isValid() ? written.getBegin() : argument.declaration->getLocation();
        if (index + argument.arrayLength > limitOf(argument.kind)) {
            report(sema_, DiagnosticIDs::Error, where,
                   "'" + attribute + "' attribute parameter is out of bounds: must be between 0 and " +
                       std::to_string(limitOf(argument.kind) - 1),
                   argument.declaration->getSourceRange());
            failed_ = true;
            return;
        }
        argument.index = static_cast<std::uint32_t>(index);
        for (std::uint64_t at = index; at < index + argument.arrayLength; ++at) {
            const auto [owner, isNew] = owners.emplace(at, argument.declaration);
            // Two arguments may share an index when function constants leave only one of them.
            if (isNew || !argument.condition.name.empty() || conditionOf(owner->second)) continue;
            report(sema_, DiagnosticIDs::Error, where,
                   "cannot reserve '" + attribute + "' resource location at index " + std::to_string(at),
                   argument.declaration->getSourceRange());
            report(sema_, DiagnosticIDs::Note, owner->second->getLocation(),
                   "'" + owner->second->getNameAsString() + "' is already at index " + std::to_string(at) +
                       "; give each its own, or leave the attributes out",
                   owner->second->getSourceRange());
            failed_ = true;
            return;
        }
    }

    const FunctionDecl* kernel_ = nullptr;
    const protocol::FunctionKind stage_;
    StageReader* reader_ = nullptr;
    Sema& sema_;
    std::vector<KernelArgument> arguments_;
    bool failed_ = false;
};

const CXXRecordDecl* standardClass(QualType type) {
    const CXXRecordDecl* record = type.getCanonicalType()->getAsCXXRecordDecl();
    if (record == nullptr) return nullptr;
    const DeclContext* scope = record->getDeclContext();
    while (scope->isInlineNamespace()) scope = scope->getParent();
    const auto* space = dyn_cast<NamespaceDecl>(scope);
    return space != nullptr && space->getName() == "metal" &&
                   space->getParent()->getRedeclContext()->isTranslationUnit()
               ? record
               : nullptr;
}

}  // namespace

llvm::StringRef standardClassName(QualType type) {
    const CXXRecordDecl* record = standardClass(type);
    return record != nullptr && record->getIdentifier() != nullptr ? record->getName() : llvm::StringRef();
}

llvm::ArrayRef<TemplateArgument> templateArgumentsOf(QualType type) {
    const auto* record =
        dyn_cast_or_null<ClassTemplateSpecializationDecl>(type.getCanonicalType()->getAsCXXRecordDecl());
    return record != nullptr ? record->getTemplateArgs().asArray() : llvm::ArrayRef<TemplateArgument>();
}

bool isTextureName(llvm::StringRef name) {
    return name.starts_with("texture") || name.starts_with("depth");
}

bool isProgramScopeBinding(const VarDecl* variable) {
    if (indexQueryOf(variable)) return true;
    for (const Kind kind : {Kind::buffer, Kind::texture, Kind::sampler, Kind::threadgroupMemory}) {
        if (hasAttribute(variable, attributeOf(kind))) return true;
    }
    return false;
}

std::optional<KernelArgument> argumentOfVariable(const VarDecl* variable, Sema& sema) {
    return Classifier(sema).runVariable(variable);
}

std::optional<std::vector<KernelArgument>> argumentsOf(const FunctionDecl* function, StageReader& reader, Sema& sema) {
    return Classifier(function, reader, sema).run();
}

}  // namespace metal_compiler
