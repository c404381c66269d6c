// SPDX-License-Identifier: MIT
#include "frontend/stage_rules.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/Sema/Sema.h>
#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/STLExtras.h>

#include <string>

#include "frontend/attributes.hpp"
#include "frontend/report.hpp"
#include "frontend/type_names.hpp"

namespace metal_compiler {
namespace {

using namespace clang;
using Kind = protocol::StageValueKind;
using Values = llvm::ArrayRef<StageValue>;

// Function constants may take it out or move it elsewhere.
bool isSettled(const protocol::StageValue& facts) {
    return facts.condition.empty() && facts.indexValue.steps.empty();
}

class StageRules {
public:
    StageRules(const FunctionDecl* function, Sema& sema) : function_(function), sema_(sema) {}

    bool check(Values inputs, Values outputs) {
        checkUnique(inputs);
        checkUnique(outputs);
        checkColors(inputs, outputs);
        checkBase(inputs, Kind::vertexId, Kind::baseVertex);
        checkBase(inputs, Kind::instanceId, Kind::baseInstance);
        checkEarlyTests(outputs);
        return !failed_;
    }

private:
    void checkUnique(Values values) {
        for (const auto& [i, value] : llvm::enumerate(values)) {
            for (const StageValue& other : values.take_front(i)) {
                const protocol::StageValue &facts = value.facts, &known = other.facts;
                if (known.kind != facts.kind || known.index != facts.index || known.link != facts.link ||
                    known.sourceIndex != facts.sourceIndex || !isSettled(known) || !isSettled(facts)) {
                    continue;
                }
                fail(value, "'" + facts.name + "' and '" + known.name + "' have the same attribute" +
                                (facts.link.empty() ? "" : " '" + facts.link + "'"));
                break;
            }
        }
    }

    // Both sources of blending, and what is read and written, are of one type. Where there are several attachments,
    // each output says which is its own.
    void checkColors(Values inputs, Values outputs) {
        const auto isColor = [](const StageValue& value) { return value.facts.kind == Kind::color; };
        const bool areSeveral = llvm::count_if(outputs, isColor) > 1;
        for (const auto& [i, value] : llvm::enumerate(outputs)) {
            if (!isColor(value)) continue;
            if (areSeveral && !hasAttribute(value.declaration, "color")) {
                fail(value, "'" + value.facts.name +
                                "' needs the 'color(n)' attribute: a function with several colours says for each "
                                "which attachment it is for");
                continue;
            }
            checkColor(value, outputs.take_front(i));
            checkColor(value, inputs);
        }
    }
    void checkColor(const StageValue& value, Values others) {
        for (const StageValue& other : others) {
            if (other.facts.kind != Kind::color || !isSettled(value.facts) || !isSettled(other.facts) ||
                other.facts.index != value.facts.index || sema_.Context.hasSameType(other.type, value.type)) {
                continue;
            }
            fail(value, "'" + nameOf(value) + "' and '" + nameOf(other) + "' are for one colour attachment, " +
                            std::to_string(value.facts.index) + ", and must have the same type, got " + typeOf(value) +
                            " and " + typeOf(other));
            return;
        }
    }

    // A base of 32 bits does not fit into numbers of 16.
    void checkBase(Values inputs, Kind number, Kind base) {
        const auto find = [&](Kind kind) {
            return llvm::find_if(inputs, [&](const StageValue& value) { return value.facts.kind == kind; });
        };
        const auto *first = find(number), *second = find(base);
        if (first == inputs.end() || second == inputs.end()) return;
        if (sema_.Context.getTypeSize(second->type) <= sema_.Context.getTypeSize(first->type)) return;
        fail(*second, "invalid type " + typeOf(*second) + " for '" + nameOf(*second) +
                          "': it must be 'ushort', since '" + nameOf(*first) + "' is 'ushort'");
    }

    // What is tested before the function runs cannot come from it.
    void checkEarlyTests(Values outputs) {
        if (!hasAttribute(function_, "early_fragment_tests")) return;
        for (const StageValue& value : outputs) {
            if (value.facts.kind != Kind::depth && value.facts.kind != Kind::stencil) continue;
            fail(value, std::string("a function with 'early_fragment_tests' attribute cannot return a ") +
                            (value.facts.kind == Kind::depth ? "depth" : "stencil value"));
        }
    }

    static std::string nameOf(const StageValue& value) {
        return value.facts.name.empty() ? value.declaration->getNameAsString() : value.facts.name;
    }
    std::string typeOf(const StageValue& value) const { return "'" + metalTypeName(value.type, sema_.Context) + "'"; }
    void fail(const StageValue& value, const std::string& message) {
        report(sema_, DiagnosticIDs::Error, value.declaration->getLocation(), message,
               value.declaration->getSourceRange());
        failed_ = true;
    }

    const FunctionDecl* function_;
    Sema& sema_;
    bool failed_ = false;
};

}  // namespace

bool checkStageValues(const FunctionDecl* function, const StageReader& values, Sema& sema) {
    return StageRules(function, sema).check(values.inputs, values.outputs);
}

}  // namespace metal_compiler
