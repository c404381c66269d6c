// SPDX-License-Identifier: MIT
#include "frontend/attributes.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/Expr.h>
#include <clang/Sema/ParsedAttr.h>
#include <clang/Sema/Sema.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <string>
#include <utility>

#include "frontend/constant_expressions.hpp"
#include "frontend/method_spaces.hpp"

namespace metal_compiler {
namespace {

using namespace clang;

constexpr llvm::StringLiteral prefix = "metal:";

// `binding`: an index that function constants may say. `sizes`: one to three of them. `unsupported`: of a feature that
// this compiler does not have, whatever its arguments.
enum class Argument : std::uint8_t { none, index, binding, sizes, text, words, unsupported };

enum Subject : std::uint8_t {
    onParameter = 1,
    onField = 2,
    onFunction = 4,
    onVariable = 8,
    onPlace = onParameter | onField | onVariable,
    onValue = onParameter | onField | onFunction,  // inputs and outputs of a stage
    anywhere = 0xff,
};

struct Row {
    const char* name;
    Argument argument;
    std::uint8_t subjects;
    // Of an index query: the kind that `__metal_index` takes, how many components; none otherwise.
    int query = -1;
    unsigned dimensions = 0;
    const char* feature = "";  // that is unsupported
};

constexpr Row unsupported(const char* name, const char* feature) {
    return {name, Argument::unsupported, anywhere, -1, 0, feature};
}
constexpr const char* meshShading = "mesh shading";
constexpr const char* rayTracing = "ray tracing";
constexpr const char* tileShading = "tile shading";

constexpr Row rows[] = {
    // Functions.
    {"kernel", Argument::none, onFunction},
    {"vertex", Argument::none, onFunction},
    {"fragment", Argument::none, onFunction},
    {"visible", Argument::none, onFunction},
    {"host_name", Argument::text, onFunction},
    {"max_total_threads_per_threadgroup", Argument::index, onFunction},
    {"required_threads_per_threadgroup", Argument::sizes, onFunction},
    {"user_annotation", Argument::text, onFunction},
    {"early_fragment_tests", Argument::none, onFunction},
    {"stitchable", Argument::none, onFunction},
    {"patch", Argument::words, onFunction},
    // Where an argument comes from.
    {"buffer", Argument::binding, onPlace},
    {"texture", Argument::binding, onPlace},
    {"sampler", Argument::binding, onPlace},
    {"threadgroup", Argument::index, onPlace},
    {"id", Argument::index, onField},
    {"function_constant", Argument::index, onParameter | onField | onVariable},
    {"stage_in", Argument::none, onParameter},
    {"attribute", Argument::index, onField | onParameter},
    // A thread's place; the kinds are `__metal_index`'s.
    {"thread_position_in_grid", Argument::none, onPlace, 0, 3},
    {"threadgroup_position_in_grid", Argument::none, onPlace, 1, 3},
    {"thread_position_in_threadgroup", Argument::none, onPlace, 2, 3},
    {"threads_per_threadgroup", Argument::none, onPlace, 3, 3},
    {"threads_per_grid", Argument::none, onPlace, 4, 3},
    {"threadgroups_per_grid", Argument::none, onPlace, 5, 3},
    {"thread_index_in_threadgroup", Argument::none, onPlace, 6, 1},
    {"thread_index_in_simdgroup", Argument::none, onPlace, 7, 1},
    {"simdgroup_index_in_threadgroup", Argument::none, onPlace, 8, 1},
    {"simdgroups_per_threadgroup", Argument::none, onPlace, 9, 1},
    {"threads_per_simdgroup", Argument::none, onPlace, 10, 1},
    {"thread_execution_width", Argument::none, onPlace, 10, 1},
    {"dispatch_threads_per_threadgroup", Argument::none, onPlace, 11, 3},
    {"thread_index_in_quadgroup", Argument::none, onPlace, 12, 1},
    {"quadgroup_index_in_threadgroup", Argument::none, onPlace, 13, 1},
    {"grid_origin", Argument::none, onPlace, 14, 3},
    {"quadgroups_per_threadgroup", Argument::none, onPlace, 15, 1},
    {"dispatch_simdgroups_per_threadgroup", Argument::none, onPlace, 16, 1},
    {"dispatch_quadgroups_per_threadgroup", Argument::none, onPlace, 17, 1},
    {"grid_size", Argument::none, onPlace, 18, 3},
    // Stages of the render pipeline.
    {"position", Argument::none, onValue},
    {"point_size", Argument::none, onValue},
    {"clip_distance", Argument::none, onValue},
    {"user", Argument::words, onValue},
    {"flat", Argument::none, onValue},
    {"center_perspective", Argument::none, onValue},
    {"center_no_perspective", Argument::none, onValue},
    {"centroid_perspective", Argument::none, onValue},
    {"centroid_no_perspective", Argument::none, onValue},
    {"sample_perspective", Argument::none, onValue},
    {"sample_no_perspective", Argument::none, onValue},
    {"invariant", Argument::none, onValue},
    {"shared", Argument::none, onValue},
    {"color", Argument::binding, onValue},
    {"depth", Argument::words, onValue},
    {"stencil", Argument::none, onValue},
    {"sample_mask", Argument::words, onValue},
    {"post_depth_coverage", Argument::none, onValue},
    {"sample_id", Argument::none, onValue},
    {"front_facing", Argument::none, onValue},
    {"point_coord", Argument::none, onValue},
    {"primitive_id", Argument::none, onValue},
    {"barycentric_coord", Argument::none, onValue},
    {"vertex_id", Argument::none, onValue},
    {"instance_id", Argument::none, onValue},
    {"base_vertex", Argument::none, onValue},
    {"base_instance", Argument::none, onValue},
    {"amplification_id", Argument::none, onValue},
    {"amplification_count", Argument::none, onValue},
    {"render_target_array_index", Argument::none, onValue},
    {"viewport_array_index", Argument::none, onValue},
    {"raster_order_group", Argument::binding, onValue},
    {"index", Argument::index, onValue},
    {"patch_id", Argument::none, onValue},
    {"position_in_patch", Argument::none, onValue},
    unsupported("mesh", meshShading),
    unsupported("object", meshShading),
    unsupported("payload", meshShading),
    unsupported("max_total_threadgroups_per_mesh_grid", meshShading),
    unsupported("primitive_culled", meshShading),
    unsupported("intersection", rayTracing),
    unsupported("distance", rayTracing),
    unsupported("origin", rayTracing),
    unsupported("direction", rayTracing),
    unsupported("min_distance", rayTracing),
    unsupported("max_distance", rayTracing),
    unsupported("accept_intersection", rayTracing),
    unsupported("continue_search", rayTracing),
    unsupported("world_space_origin", rayTracing),
    unsupported("world_space_direction", rayTracing),
    unsupported("geometry_id", rayTracing),
    unsupported("user_instance_id", rayTracing),
    unsupported("curve_parameter", rayTracing),
    unsupported("primitive_data", rayTracing),
    unsupported("geometry_intersection_function_table_offset", rayTracing),
    unsupported("opaque_primitive", rayTracing),
    unsupported("imageblock_data", tileShading),
    unsupported("alias_implicit_imageblock", tileShading),
    unsupported("threads_per_tile", tileShading),
    unsupported("pixel_position_in_tile", tileShading),
    unsupported("pixels_per_tile", tileShading),
    unsupported("tile_index", tileShading),
};

const Row* rowOf(llvm::StringRef name) {
    for (const Row& row : rows) {
        if (name == row.name) return &row;
    }
    return nullptr;
}

bool isSubject(const Decl* declaration, std::uint8_t subjects) {
    if (isa<ParmVarDecl>(declaration)) return subjects & onParameter;
    if (isa<FieldDecl>(declaration)) return subjects & onField;
    if (isa<FunctionDecl, FunctionTemplateDecl>(declaration)) return subjects & onFunction;
    return isa<VarDecl>(declaration) && (subjects & onVariable);
}

const char* describe(std::uint8_t subjects) {
    if (subjects == onFunction) return "functions";
    if (subjects == onParameter) return "parameters";
    if (subjects == onField) return "members";
    if (subjects == (onParameter | onField)) return "parameters and members";
    if (subjects & onVariable) return "variables, parameters and members";
    return "parameters, members and functions";
}

void report(Sema& sema, SourceLocation place, SourceRange range, const std::string& message) {
    DiagnosticsEngine& engine = sema.getDiagnostics();
    engine.Report(place, engine.getDiagnosticIDs()->getCustomDiagID(DiagnosticIDs::Error, message)) << range;
}

// An expression in the text of an annotation, which templates hand on unchanged; Clang would evaluate it.
std::string textOf(const protocol::ConstantExpression& expression) {
    std::string text;
    for (const protocol::ConstantStep& step : expression.steps) {
        text += std::to_string(static_cast<unsigned>(step.operation)) + "," + std::to_string(step.type) + "," +
                std::to_string(step.value) + ";";
    }
    return text;
}

protocol::ConstantExpression expressionIn(llvm::StringRef text) {
    protocol::ConstantExpression expression;
    while (!text.empty()) {
        const auto [step, rest] = text.split(';');
        const auto [operation, operands] = step.split(',');
        const auto [type, value] = operands.split(',');
        unsigned number = 0;
        protocol::ConstantStep read;
        if (operation.getAsInteger(10, number) || type.getAsInteger(10, read.type) ||
            value.getAsInteger(10, read.value))
            return {};
        read.operation = static_cast<protocol::ConstantOperation>(number);
        expression.steps.push_back(read);
        text = rest;
    }
    return expression;
}

void annotate(Sema& sema, Decl* declaration, const ParsedAttr& attribute, llvm::StringRef text,
              llvm::MutableArrayRef<Expr*> arguments = {}) {
    if (Attr* made = sema.CreateAnnotationAttr(attribute, text, arguments)) declaration->addAttr(made);
}

class MetalAttribute : public ParsedAttrInfo {
protected:
    explicit MetalAttribute(const Row& row) : row_(row) {
        spellings_[0] = {ParsedAttr::AS_CXX11, row.name};
        spellings_[1] = {ParsedAttr::AS_GNU, row.name};
        Spellings = spellings_;
        const bool takesNone =
            row.argument == Argument::none || row.argument == Argument::words || row.argument == Argument::unsupported;
        NumArgs = takesNone ? 0 : 1;
        OptArgs = row.argument == Argument::words ? 8 : row.argument == Argument::sizes ? 2 : 0;
    }

    bool diagAppertainsToDecl(Sema& sema, const ParsedAttr& attribute, const Decl* declaration) const override {
        if (isSubject(declaration, row_.subjects)) return true;
        report(sema, attribute.getLoc(), attribute.getRange(),
               std::string("'") + row_.name + "' attribute only applies to " + describe(row_.subjects));
        return false;
    }

    AttrHandling handleDeclAttribute(Sema& sema, Decl* declaration, const ParsedAttr& attribute) const override {
        if (auto* functionTemplate = dyn_cast<FunctionTemplateDecl>(declaration)) {
            declaration = functionTemplate->getTemplatedDecl();
        }
        const std::string text = (prefix + row_.name).str();
        if (!declareOnly(sema, declaration, attribute)) return AttributeNotApplied;
        switch (row_.argument) {
            case Argument::none:
                annotate(sema, declaration, attribute, text);
                return AttributeApplied;
            case Argument::words:
                return handleWords(sema, declaration, attribute, text);
            case Argument::unsupported:
                report(sema, attribute.getLoc(), attribute.getRange(),
                       std::string("'") + row_.name + "' attribute: " + row_.feature + " is not supported");
                return AttributeNotApplied;
            case Argument::text:
                return handleText(sema, declaration, attribute, text);
            case Argument::index:
            case Argument::binding:
                return handleIndex(sema, declaration, attribute, text);
            case Argument::sizes:
                return handleSizes(sema, declaration, attribute, text);
        }
        return AttributeNotApplied;
    }

private:
    // A variable of the program's scope that kernels find set; of a function none can be.
    bool declareOnly(Sema& sema, Decl* declaration, const ParsedAttr& attribute) const {
        auto* variable = dyn_cast<VarDecl>(declaration);
        if (variable == nullptr || isa<ParmVarDecl>(variable) || row_.subjects != onPlace) return true;
        if (!variable->hasGlobalStorage() || variable->isLocalVarDecl()) {
            report(sema, attribute.getLoc(), attribute.getRange(),
                   std::string("'") + row_.name +
                       "' attribute only applies to variables of the program's scope, "
                       "parameters and members");
            return false;
        }
        variable->setStorageClass(SC_Extern);
        return true;
    }

    // [[user(name)]], [[depth(less)]], [[patch(quad, 4)]]: the words, with commas between.
    static AttrHandling handleWords(Sema& sema, Decl* declaration, const ParsedAttr& attribute, std::string text) {
        for (unsigned i = 0; i < attribute.getNumArgs(); ++i) {
            text += i == 0 ? '=' : ',';
            if (attribute.isArgIdent(i)) {
                text += attribute.getArgAsIdent(i)->getIdentifierInfo()->getName().str();
            } else if (const Expr* value = attribute.isArgExpr(i) ? attribute.getArgAsExpr(i) : nullptr) {
                const auto number =
                    value->isValueDependent() ? std::nullopt : value->getIntegerConstantExpr(sema.Context);
                if (number) text += llvm::toString(*number, 10);
            }
        }
        annotate(sema, declaration, attribute, text);
        return AttributeApplied;
    }

    AttrHandling handleText(Sema& sema, Decl* declaration, const ParsedAttr& attribute, const std::string& text) const {
        const auto* literal =
            attribute.isArgExpr(0) ? dyn_cast<StringLiteral>(attribute.getArgAsExpr(0)->IgnoreParenCasts()) : nullptr;
        if (literal == nullptr) {
            report(sema, attribute.getLoc(), attribute.getRange(),
                   std::string("'") + row_.name + "' attribute requires a string");
            return AttributeNotApplied;
        }
        annotate(sema, declaration, attribute, text + "=" + literal->getString().str());
        return AttributeApplied;
    }

    AttrHandling handleIndex(Sema& sema, Decl* declaration, const ParsedAttr& attribute,
                             const std::string& text) const {
        Expr* argument = attribute.isArgExpr(0) ? attribute.getArgAsExpr(0) : nullptr;
        const bool isConstant = llvm::StringRef(row_.name) == "function_constant";
        if (isConstant && isa<ParmVarDecl, FieldDecl>(declaration)) {
            return handleCondition(sema, declaration, attribute, argument, text);
        }
        const bool isKnown = argument != nullptr && isIndex(sema, argument);
        const auto later = isKnown || argument == nullptr ? std::nullopt : valueLater(sema, declaration, argument);
        if (!isKnown && !later) return failIndex(sema, attribute, argument);
        if (hasAttribute(declaration, row_.name)) {
            report(sema, attribute.getLoc(), attribute.getRange(),
                   std::string("'") + row_.name + "' attribute is given twice");
            return AttributeNotApplied;
        }
        if (later) {
            annotate(sema, declaration, attribute, text + "=" + textOf(*later));
            return AttributeApplied;
        }
        if (isConstant) return handleFunctionConstant(sema, cast<VarDecl>(declaration), attribute, argument, text);
        annotate(sema, declaration, attribute, text, argument);
        return AttributeApplied;
    }

    AttrHandling failIndex(Sema& sema, const ParsedAttr& attribute, const Expr* argument) const {
        report(sema, attribute.getLoc(), argument != nullptr ? argument->getSourceRange() : attribute.getRange(),
               std::string("'") + row_.name + "' attribute requires a non-negative integral constant expression" +
                   (row_.argument == Argument::binding ? ", or one of function constants" : ""));
        return AttributeNotApplied;
    }

    // The index of an argument, of a colour attachment or a raster order group may be made of function constants.
    std::optional<protocol::ConstantExpression> valueLater(Sema& sema, const Decl* declaration,
                                                           const Expr* argument) const {
        const bool isVariable = isa<VarDecl>(declaration) && !isa<ParmVarDecl>(declaration);
        if (row_.argument != Argument::binding || isVariable || !argument->getType()->isIntegerType() ||
            argument->getType()->isBooleanType())
            return std::nullopt;
        auto value = constantExpressionOf(argument, sema.Context);
        const bool asksForConstants =
            value && std::any_of(value->steps.begin(), value->steps.end(), [](const protocol::ConstantStep& step) {
                return step.operation == protocol::ConstantOperation::constant ||
                       step.operation == protocol::ConstantOperation::isDefined;
            });
        return asksForConstants ? std::move(value) : std::nullopt;
    }

    AttrHandling handleSizes(Sema& sema, Decl* declaration, const ParsedAttr& attribute,
                             const std::string& text) const {
        llvm::SmallVector<Expr*, 3> sizes;
        for (unsigned i = 0; i < attribute.getNumArgs(); ++i) {
            Expr* size = attribute.isArgExpr(i) ? attribute.getArgAsExpr(i) : nullptr;
            const auto value =
                size == nullptr || size->isValueDependent() ? std::nullopt : size->getIntegerConstantExpr(sema.Context);
            if (size == nullptr || !isIndex(sema, size) || (value && value->isZero())) {
                report(sema, attribute.getLoc(), size != nullptr ? size->getSourceRange() : attribute.getRange(),
                       std::string("'") + row_.name + "' attribute requires a positive integral constant expression");
                return AttributeNotApplied;
            }
            sizes.push_back(size);
        }
        annotate(sema, declaration, attribute, text, sizes);
        return AttributeApplied;
    }

    static bool isIndex(Sema& sema, Expr* argument) {
        if (argument->isTypeDependent() || argument->isValueDependent()) return true;
        const auto value = argument->getIntegerConstantExpr(sema.Context);
        return value && !value->isNegative() && value->getActiveBits() <= 32;
    }

    // [[function_constant(name)]] of an argument: only the name matters, the value is not known yet. It is that of a
    // function constant, or of a constant computed from some.
    AttrHandling handleCondition(Sema& sema, Decl* declaration, const ParsedAttr& attribute, Expr* argument,
                                 const std::string& text) const {
        const auto* reference = argument != nullptr ? dyn_cast<DeclRefExpr>(argument->IgnoreParenImpCasts()) : nullptr;
        const auto* constant = reference != nullptr ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
        if (constant == nullptr || !constant->hasGlobalStorage() || constant->isLocalVarDecl() ||
            addressSpaceOf(constant->getType().getAddressSpace()) != AddressSpace::constant) {
            report(sema, attribute.getLoc(), attribute.getRange(),
                   "'function_constant' attribute of an argument requires the name of a function constant, or of a "
                   "constant computed from one");
            return AttributeNotApplied;
        }
        const auto value = constantExpressionOf(constant, sema.Context);
        annotate(sema, declaration, attribute,
                 text + "=" + constant->getName().str() + "?" + (value ? textOf(*value) : ""));
        return AttributeApplied;
    }

    // The value comes when the pipeline is made, so here the variable is only declared.
    AttrHandling handleFunctionConstant(Sema& sema, VarDecl* variable, const ParsedAttr& attribute, Expr* argument,
                                        const std::string& text) const {
        if (!variable->hasGlobalStorage() || variable->isLocalVarDecl() ||
            addressSpaceOf(variable->getType().getAddressSpace()) != AddressSpace::constant) {
            report(
                sema, attribute.getLoc(), attribute.getRange(),
                "'function_constant' attribute only applies to program-scope variables in the constant address space");
            return AttributeNotApplied;
        }
        variable->setStorageClass(SC_Extern);
        annotate(sema, variable, attribute, text, argument);
        return AttributeApplied;
    }

    const Row& row_;
    Spelling spellings_[2];
};

template <std::size_t I>
class RegisteredAttribute : public MetalAttribute {
public:
    RegisteredAttribute() : MetalAttribute(rows[I]) {}
};

// See threadgroupVariableAttribute. The type says whether the variable or only what it points at is the group's.
class ThreadgroupVariable : public ParsedAttrInfo {
public:
    ThreadgroupVariable() {
        static constexpr Spelling spelling[] = {{ParsedAttr::AS_GNU, "metal_threadgroup_variable"}};
        Spellings = spelling;
    }
    AttrHandling handleDeclAttribute(Sema&, Decl* declaration, const ParsedAttr&) const override {
        auto* variable = dyn_cast<VarDecl>(declaration);
        if (variable != nullptr && variable->isLocalVarDecl() && variable->getStorageClass() == SC_None &&
            addressSpaceOf(variable->getType().getAddressSpace()) == AddressSpace::threadgroup) {
            variable->setStorageClass(SC_Static);
        }
        return AttributeApplied;
    }
};

template <AddressSpace space>
class MethodSpace : public ParsedAttrInfo {
public:
    MethodSpace() {
        spelling_[0] = {ParsedAttr::AS_GNU, methodSpaceAttributeOf(space).data()};
        Spellings = spelling_;
    }
    AttrHandling handleDeclAttribute(Sema& sema, Decl* declaration, const ParsedAttr& attribute) const override {
        putMethodIntoSpace(sema, declaration, space, attribute.getLoc());
        return AttributeApplied;
    }

private:
    Spelling spelling_[1];
};

template <std::size_t... I>
void registerRows(std::index_sequence<I...>) {
    (
        [] {
            static ParsedAttrInfoRegistry::Add<RegisteredAttribute<I>> entry(rows[I].name, "");
            (void)entry;
        }(),
        ...);
}

// The last one: an explicit instantiation's own comes behind those of its template.
const AnnotateAttr* find(const Decl* declaration, llvm::StringRef attribute, llvm::StringRef* text = nullptr) {
    const AnnotateAttr* found = nullptr;
    for (const auto* annotation : declaration->specific_attrs<AnnotateAttr>()) {
        llvm::StringRef rest = annotation->getAnnotation();
        if (!rest.consume_front(prefix) || !rest.consume_front(attribute)) continue;
        if (!rest.empty() && !rest.consume_front("=")) continue;
        if (text != nullptr) *text = rest;
        found = annotation;
    }
    return found;
}

}  // namespace

llvm::StringRef methodSpaceAttributeOf(AddressSpace space) {
    switch (space) {
        case AddressSpace::thread:
            return "metal_method_thread";
        case AddressSpace::device:
            return "metal_method_device";
        case AddressSpace::constant:
            return "metal_method_constant";
        case AddressSpace::threadgroup:
            return "metal_method_threadgroup";
    }
    return {};
}

bool isMetalAttribute(llvm::StringRef attribute) {
    return rowOf(attribute) != nullptr;
}

bool takesIndex(llvm::StringRef attribute) {
    const Row* row = rowOf(attribute);
    return row != nullptr && (row->argument == Argument::index || row->argument == Argument::binding);
}

bool takesSizes(llvm::StringRef attribute) {
    const Row* row = rowOf(attribute);
    return row != nullptr && row->argument == Argument::sizes;
}

bool isUnsupported(llvm::StringRef attribute) {
    const Row* row = rowOf(attribute);
    return row != nullptr && row->argument == Argument::unsupported;
}

bool hasAttribute(const Decl* declaration, llvm::StringRef attribute) {
    return find(declaration, attribute) != nullptr;
}

SourceRange rangeOfAttribute(const Decl* declaration, llvm::StringRef attribute) {
    const AnnotateAttr* found = find(declaration, attribute);
    return found != nullptr ? found->getRange() : SourceRange();
}

const Expr* argumentOf(const Decl* declaration, llvm::StringRef attribute) {
    const AnnotateAttr* found = find(declaration, attribute);
    return found != nullptr && found->args_size() != 0 ? *found->args_begin() : nullptr;
}

std::optional<std::int64_t> indexOf(const Decl* declaration, llvm::StringRef attribute) {
    const Expr* argument = argumentOf(declaration, attribute);
    if (argument == nullptr || argument->isValueDependent()) return std::nullopt;
    const auto value = argument->getIntegerConstantExpr(declaration->getASTContext());
    if (!value) return std::nullopt;
    return value->getExtValue();
}

std::vector<std::uint64_t> sizesOf(const Decl* declaration, llvm::StringRef attribute) {
    std::vector<std::uint64_t> sizes;
    const AnnotateAttr* found = find(declaration, attribute);
    if (found == nullptr) return sizes;
    for (const Expr* size : found->args()) {
        const auto value =
            size->isValueDependent() ? std::nullopt : size->getIntegerConstantExpr(declaration->getASTContext());
        sizes.push_back(value ? value->getZExtValue() : 0);
    }
    return sizes;
}

protocol::ConstantExpression indexValueOf(const Decl* declaration, llvm::StringRef attribute) {
    return expressionIn(textOf(declaration, attribute).value_or(""));
}

std::optional<Condition> conditionOf(const Decl* declaration) {
    const auto text = textOf(declaration, "function_constant");
    if (!text) return std::nullopt;
    const auto [name, value] = text->split('?');
    return Condition{name.str(), expressionIn(value)};
}

std::optional<llvm::StringRef> textOf(const Decl* declaration, llvm::StringRef attribute) {
    llvm::StringRef text;
    if (find(declaration, attribute, &text) == nullptr) return std::nullopt;
    return text;
}

std::optional<IndexQuery> indexQueryOf(const Decl* parameter) {
    for (const Row& row : rows) {
        if (row.query >= 0 && hasAttribute(parameter, row.name)) {
            return IndexQuery{row.name, static_cast<unsigned>(row.query), row.dimensions};
        }
    }
    return std::nullopt;
}

std::vector<AttributeWord> attributeWords(AttributeSubject subject) {
    static constexpr std::uint8_t bits[] = {onParameter, onParameter, onField, onFunction, onVariable};
    const auto usageOf = [](const Row& row) -> std::string {
        switch (row.argument) {
            case Argument::index:
            case Argument::binding:
                return std::string(row.name) + "(index)";
            case Argument::sizes:
                return std::string(row.name) + "(x, y, z)";
            case Argument::text:
                return std::string(row.name) + "(\"name\")";
            case Argument::words:
                return std::string(row.name) + "(...)";
            case Argument::none:
            case Argument::unsupported:
                break;
        }
        return row.name;
    };
    std::vector<AttributeWord> words;
    for (const Row& row : rows) {
        if (row.argument == Argument::unsupported) continue;
        // What passes between the stages of the render pipeline is nothing to a kernel.
        if (row.subjects == onValue && subject == AttributeSubject::kernelParameter) continue;
        if (row.subjects & bits[static_cast<int>(subject)]) words.push_back({row.name, usageOf(row)});
    }
    return words;
}

void dropAttributes(Decl* declaration) {
    if (declaration->hasAttr<AnnotateAttr>()) declaration->dropAttr<AnnotateAttr>();
}

void registerAttributes() {
    registerRows(std::make_index_sequence<std::size(rows)>());
    static ParsedAttrInfoRegistry::Add<ThreadgroupVariable> variable("threadgroup variable", "");
    static ParsedAttrInfoRegistry::Add<MethodSpace<AddressSpace::thread>> thread("thread method", "");
    static ParsedAttrInfoRegistry::Add<MethodSpace<AddressSpace::device>> device("device method", "");
    static ParsedAttrInfoRegistry::Add<MethodSpace<AddressSpace::constant>> constant("constant method", "");
    static ParsedAttrInfoRegistry::Add<MethodSpace<AddressSpace::threadgroup>> threadgroup("threadgroup method", "");
}

}  // namespace metal_compiler
