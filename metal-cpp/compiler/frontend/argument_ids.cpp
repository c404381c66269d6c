// SPDX-License-Identifier: MIT
#include "frontend/argument_ids.hpp"

#include <clang/AST/DeclCXX.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>

#include <cstdint>
#include <string>

#include "frontend/arguments.hpp"
#include "frontend/attributes.hpp"

namespace metal_compiler {
namespace {

using namespace clang;

/// How many ids types take. Each struct is looked into once, however often others have it.
class IdCounts {
public:
    explicit IdCounts(const ASTContext& context) : context_(context) {}

    std::uint64_t of(QualType type) {
        type = type.getCanonicalType();
        if (const auto* array = context_.getAsConstantArrayType(type))
            return array->getSize().getZExtValue() * of(array->getElementType());
        const llvm::StringRef name = standardClassName(type);
        if (name == "array") {
            const auto parts = templateArgumentsOf(type);
            return parts[1].getAsIntegral().getZExtValue() * of(parts[0].getAsType());
        }
        const CXXRecordDecl* record = type->getAsCXXRecordDecl();
        const bool isStruct = record != nullptr && name.empty() && record->hasDefinition();
        return isStruct ? of(record->getDefinition()) : 1;
    }

private:
    // One more than the last of its members has.
    std::uint64_t of(const RecordDecl* record) {
        if (const auto known = known_.find(record); known != known_.end()) return known->second;
        std::uint64_t next = 0;
        for (const FieldDecl* member : record->fields()) {
            if (const auto index = indexOf(member, "id")) next = static_cast<std::uint64_t>(*index);
            next += of(member->getType());
        }
        return known_[record] = next;
    }

    const ASTContext& context_;
    llvm::DenseMap<const RecordDecl*, std::uint64_t> known_;
};

}  // namespace

void checkArgumentIds(const CXXRecordDecl* record, RuleReport& report) {
    const auto saysIndex = [](const FieldDecl* member) { return indexOf(member, "id").has_value(); };
    if (record->isDependentContext() || llvm::none_of(record->fields(), saysIndex)) return;
    IdCounts counts(report.context());
    std::uint64_t next = 0, start = 0;  // behind and of the member before
    const FieldDecl* before = nullptr;
    for (const FieldDecl* member : record->fields()) {
        const auto written = indexOf(member, "id");
        const std::uint64_t index = written ? static_cast<std::uint64_t>(*written) : next;
        if (index < next) {
            const std::string name = "'" + before->getNameAsString() + "'";
            report.forbid(rangeOfAttribute(member, "id").getBegin(),
                          "index " + std::to_string(index) + " of attribute 'id' " +
                              (index >= start ? "is already that of member " + name
                                              : "must be larger than those of member " + name + " before it"));
            return;
        }
        start = index;
        next = index + counts.of(member->getType());
        before = member;
    }
}

}  // namespace metal_compiler
