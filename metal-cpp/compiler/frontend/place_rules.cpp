// SPDX-License-Identifier: MIT
#include "frontend/place_rules.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/Sema/Sema.h>

#include <set>

#include "frontend/report.hpp"
#include "frontend/type_names.hpp"

namespace metal_compiler {
namespace {

using namespace clang;

using Attributes = llvm::ArrayRef<llvm::StringLiteral>;

constexpr llvm::StringLiteral vectors[] = {
    "thread_position_in_grid",        "threads_per_grid",
    "thread_position_in_threadgroup", "threads_per_threadgroup",
    "threadgroup_position_in_grid",   "dispatch_threads_per_threadgroup",
    "threadgroups_per_grid",
};
constexpr llvm::StringLiteral ofGrid[] = {"thread_position_in_grid", "threads_per_grid"};
constexpr llvm::StringLiteral ofThreadgroup[] = {
    "thread_position_in_threadgroup",
    "threads_per_threadgroup",
    "dispatch_threads_per_threadgroup",
};
constexpr llvm::StringLiteral ofSimdgroup[] = {
    "thread_index_in_simdgroup",           "threads_per_simdgroup",
    "simdgroup_index_in_threadgroup",      "simdgroups_per_threadgroup",
    "dispatch_simdgroups_per_threadgroup", "quadgroup_index_in_threadgroup",
    "quadgroups_per_threadgroup",          "dispatch_quadgroups_per_threadgroup",
};

class PlaceRules {
public:
    PlaceRules(const std::vector<KernelArgument>& arguments, Sema& sema) : arguments_(arguments), sema_(sema) {}

    bool check() {
        sameCounts(vectors);
        sameTypes(ofGrid);
        sameTypes(ofThreadgroup);
        sameTypes(ofSimdgroup);
        const KernelArgument* position = find("thread_position_in_threadgroup");
        const KernelArgument* index = find("thread_index_in_threadgroup");
        if (position != nullptr && index != nullptr && is32Bit(position) && !is32Bit(index))
            fail(index, "must be 'uint'", position);
        return !failed_;
    }

private:
    const KernelArgument* find(llvm::StringRef attribute) const {
        for (const KernelArgument& argument : arguments_) {
            if (argument.kind == KernelArgument::Kind::place && hasAttribute(argument.declaration, attribute))
                return &argument;
        }
        return nullptr;
    }

    QualType typeOf(const KernelArgument* argument) const {
        return argument->type.getCanonicalType().getUnqualifiedType();
    }
    // One for a scalar.
    unsigned countOf(const KernelArgument* argument) const {
        if (standardClassName(argument->type) != "vec") return 1;
        return static_cast<unsigned>(templateArgumentsOf(argument->type)[1].getAsIntegral().getZExtValue());
    }
    bool is32Bit(const KernelArgument* argument) const {
        QualType element = typeOf(argument);
        if (standardClassName(element) == "vec") element = templateArgumentsOf(element)[0].getAsType();
        return sema_.Context.getTypeSize(element) == 32;
    }

    void sameTypes(Attributes attributes) {
        const KernelArgument* first = nullptr;
        for (const llvm::StringRef attribute : attributes) {
            const KernelArgument* found = find(attribute);
            if (found == nullptr) continue;
            if (first == nullptr) {
                first = found;
            } else if (!sema_.Context.hasSameType(typeOf(first), typeOf(found))) {
                fail(found, "must be " + nameOf(first), first);
            }
        }
    }

    void sameCounts(Attributes attributes) {
        const KernelArgument* first = nullptr;
        for (const llvm::StringRef attribute : attributes) {
            const KernelArgument* found = find(attribute);
            if (found == nullptr || countOf(found) == 1) continue;
            if (first == nullptr) {
                first = found;
            } else if (countOf(first) != countOf(found)) {
                fail(found, "must have " + std::to_string(countOf(first)) + " components, or be a scalar", first);
            }
        }
    }

    std::string nameOf(const KernelArgument* argument) const {
        return "'" + metalTypeName(argument->type.getUnqualifiedType(), sema_.Context) + "'";
    }

    // Of each input once.
    void fail(const KernelArgument* argument, const std::string& wanted, const KernelArgument* other) {
        failed_ = true;
        if (!reported_.insert(argument).second) return;
        report(sema_, DiagnosticIDs::Error, argument->declaration->getLocation(),
               "invalid type " + nameOf(argument) + " for '" + argument->query.attribute.str() + "': it " + wanted +
                   ", since '" + other->query.attribute.str() + "' is " + nameOf(other),
               argument->declaration->getSourceRange());
        report(sema_, DiagnosticIDs::Note, other->declaration->getLocation(),
               "'" + other->declaration->getNameAsString() + "' is here", other->declaration->getSourceRange());
    }

    const std::vector<KernelArgument>& arguments_;
    Sema& sema_;
    std::set<const KernelArgument*> reported_;
    bool failed_ = false;
};

}  // namespace

bool checkPlaces(const std::vector<KernelArgument>& arguments, Sema& sema) {
    return PlaceRules(arguments, sema).check();
}

}  // namespace metal_compiler
