// SPDX-License-Identifier: MIT
#include "frontend/entries.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/AST/Stmt.h>
#include <clang/Sema/Sema.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Support/raw_ostream.h>

#include <map>

#include "frontend/place_rules.hpp"
#include "frontend/recording_consumer.hpp"
#include "frontend/report.hpp"
#include "frontend/session.hpp"
#include "frontend/stage_rules.hpp"

namespace metal_compiler {
namespace {

using namespace clang;

class EntryFinder : public RecursiveASTVisitor<EntryFinder> {
public:
    bool shouldVisitTemplateInstantiations() const { return true; }
    bool TraverseStmt(Stmt*, void* = nullptr) { return true; }  // functions hold no entry points

    bool VisitFunctionDecl(FunctionDecl* function) {
        if (function->isDependentContext() || !stageOf(function)) return true;
        // What is only named, as in decltype(f<int>), is no function of the library.
        if (function->getTemplateSpecializationKind() == TSK_ImplicitInstantiation) return true;
        // The attributes of its parameters are where its body is.
        FunctionDecl* definition = function->getDefinition();
        found.insert(definition != nullptr ? definition : function);
        return true;
    }
    llvm::SetVector<FunctionDecl*> found;  // declarations and explicit instantiations are met again
};

class EntryBuilder {
public:
    explicit EntryBuilder(Session& session)
        : sema_(session.sema()),
          context_(session.context()),
          linkage_(LinkageSpecDecl::Create(context_, context_.getTranslationUnitDecl(), {}, {},
                                           LinkageSpecLanguageIDs::C,
                                           /*HasBraces=*/true)),
          argument_(declare("__metal_argument", context_.VoidPtrTy, {context_.IntTy})),
          threadgroupArgument_(declare("__metal_threadgroup_argument",
                                       pointerTo(AddressSpace::threadgroup, context_.VoidTy), {context_.IntTy})),
          index_(declare("__metal_index", context_.UnsignedIntTy, {context_.IntTy, context_.IntTy})),
          stageInput_(
              declare("__metal_stage_input", context_.VoidTy, {context_.VoidPtrTy, context_.IntTy, context_.IntTy})),
          stageOutput_(
              declare("__metal_stage_output", context_.VoidTy, {context_.VoidPtrTy, context_.IntTy, context_.IntTy})) {}

    FunctionDecl* build(const EntryPoint& point) {
        place_ = point.function->getLocation();
        const bool isVisible = point.kind == protocol::FunctionKind::visible;
        entry_ = isVisible ? declareLike(point.function, point.entry) : declare(point.entry, context_.VoidTy, {});
        entry_->setImplicit();
        entry_->addAttr(SYCLExternalAttr::CreateImplicit(context_));
        Sema::SynthesizedFunctionScope scope(sema_, entry_);
        statements_.clear();
        if (!(isVisible ? forward(point) : run(point))) return nullptr;
        entry_->setBody(CompoundStmt::Create(context_, statements_, FPOptionsOverride(), place_, place_));
        return entry_;
    }

private:
    // return function(parameters...);
    bool forward(const EntryPoint& point) {
        llvm::SmallVector<Expr*, 8> values;
        for (ParmVarDecl* parameter : entry_->parameters()) {
            values.push_back(
                sema_.BuildDeclRefExpr(parameter, parameter->getType().getNonReferenceType(), VK_LValue, place_));
        }
        const ExprResult result = call(const_cast<FunctionDecl*>(point.function), values);
        if (result.isInvalid()) return false;
        if (point.function->getReturnType()->isVoidType()) return append(result);
        const StmtResult statement = sema_.BuildReturnStmt(place_, result.get());
        if (statement.isInvalid()) return false;
        statements_.push_back(statement.get());
        return true;
    }

    bool run(const EntryPoint& point) {
        llvm::SmallVector<Expr*, 8> values;
        for (llvm::ArrayRef<KernelArgument> rest = point.arguments; !rest.empty();) {
            // The members of one parameter follow one another.
            std::size_t count = 1;
            while (rest[0].isMember && count < rest.size() && rest[count].parameter == rest[0].parameter) ++count;
            const ExprResult value = rest[0].isMember ? structOf(rest.take_front(count)) : valueOf(rest[0]);
            rest = rest.drop_front(count);
            if (value.isInvalid()) return false;
            values.push_back(value.get());
        }
        const ExprResult result = call(const_cast<FunctionDecl*>(point.function), values);
        if (result.isInvalid()) return false;
        if (point.results.empty()) return append(result);
        VarDecl* variable = declareLocal(point.function->getReturnType().getUnqualifiedType(), "result");
        sema_.AddInitializerToDecl(variable, result.get(), /*DirectInit=*/false);
        if (variable->isInvalidDecl()) return false;
        define(variable);
        const ExprResult address = sema_.CreateBuiltinUnaryOp(place_, UO_AddrOf, reference(variable));
        if (address.isInvalid()) return false;
        Expr* bytes = cast(address.get(), context_.getPointerType(context_.UnsignedCharTy), CK_BitCast);
        return transfer(stageOutput_, bytes, point.results);
    }

    bool append(ExprResult value) {
        value = sema_.ActOnFinishFullExpr(value.get(), place_, /*DiscardedValue=*/true);
        if (value.isInvalid()) return false;
        statements_.push_back(value.get());
        return true;
    }

    VarDecl* declareLocal(QualType type, llvm::StringRef name) {
        VarDecl* variable = VarDecl::Create(context_, entry_, place_, place_, &context_.Idents.get(name), type,
                                            context_.getTrivialTypeSourceInfo(type, place_), SC_None);
        variable->setImplicit();
        return variable;
    }
    void define(VarDecl* variable) {
        statements_.push_back(new (context_) DeclStmt(DeclGroupRef(variable), place_, place_));
    }
    Expr* reference(VarDecl* variable) {
        return sema_.BuildDeclRefExpr(variable, variable->getType(), VK_LValue, place_);
    }

    // For each scalar: intrinsic(bytes + offset, column, type).
    bool transfer(FunctionDecl* intrinsic, Expr* bytes, const std::vector<StageScalar>& scalars) {
        for (const StageScalar& scalar : scalars) {
            const ExprResult place =
                sema_.CreateBuiltinBinOp(place_, BO_Add, bytes, number(static_cast<unsigned>(scalar.offset)));
            if (place.isInvalid()) return false;
            Expr* values[] = {cast(place.get(), context_.VoidPtrTy, CK_BitCast), number(scalar.column),
                              number(static_cast<unsigned>(scalar.type))};
            if (!append(call(intrinsic, values))) return false;
        }
        return true;
    }

    // Room for a value of the type, which needs no constructor of its own then.
    VarDecl* declareBytes(QualType type, llvm::StringRef name) {
        const std::uint64_t size = context_.getTypeSizeInChars(type).getQuantity();
        const QualType bytes = context_.getConstantArrayType(context_.UnsignedCharTy, llvm::APInt(64, size), nullptr,
                                                             ArraySizeModifier::Normal, 0);
        VarDecl* variable = declareLocal(bytes, name);
        const std::uint64_t alignment = context_.getTypeAlignInChars(type).getQuantity();
        variable->addAttr(
            AlignedAttr::CreateImplicit(context_, /*IsAlignmentExpr=*/true, number(static_cast<unsigned>(alignment))));
        define(variable);
        return variable;
    }
    Expr* addressOfBytes(VarDecl* variable) {
        return cast(reference(variable), context_.getPointerType(context_.UnsignedCharTy), CK_ArrayToPointerDecay);
    }
    // The bytes seen as what they are.
    ExprResult valueOfBytes(VarDecl* variable, QualType type) {
        return dereference(cast(addressOfBytes(variable), context_.getPointerType(type.withConst()), CK_BitCast));
    }

    ExprResult stageValueOf(const KernelArgument& argument) {
        VarDecl* variable = declareBytes(argument.type, argument.parameter->getName());
        if (!transfer(stageInput_, addressOfBytes(variable), argument.scalars)) return ExprError();
        return valueOfBytes(variable, argument.type);
    }

    // A parameter that is a struct of arguments.
    ExprResult structOf(llvm::ArrayRef<KernelArgument> members) {
        const ParmVarDecl* parameter = members[0].parameter;
        const QualType type = parameter->getType().getUnqualifiedType();
        VarDecl* variable = declareBytes(type, parameter->getName());
        for (const KernelArgument& member : members) {
            if (!fill(variable, member)) return ExprError();
        }
        return valueOfBytes(variable, type);
    }

    bool fill(VarDecl* variable, const KernelArgument& member) {
        QualType type = member.declaration->getType().getUnqualifiedType();
        if (type->isReferenceType()) type = context_.getPointerType(type->getPointeeType());
        const ExprResult place = sema_.CreateBuiltinBinOp(place_, BO_Add, addressOfBytes(variable),
                                                          number(static_cast<unsigned>(member.offset)));
        const ExprResult value = valueOf(member, /*isAddress=*/member.isReference);
        if (place.isInvalid() || value.isInvalid()) return false;
        const ExprResult target = dereference(cast(place.get(), context_.getPointerType(type), CK_BitCast));
        return !target.isInvalid() && assign(target.get(), value.get());
    }
    // Arrays element by element.
    bool assign(Expr* target, Expr* value) {
        const auto* array = context_.getAsConstantArrayType(target->getType());
        if (array == nullptr) {
            return append(sema_.BuildBinOp(nullptr, place_, BO_Assign, target, value));
        }
        for (unsigned i = 0; i < array->getSize().getZExtValue(); ++i) {
            const ExprResult to = sema_.CreateBuiltinArraySubscriptExpr(target, place_, number(i), place_);
            const ExprResult from = sema_.CreateBuiltinArraySubscriptExpr(value, place_, number(i), place_);
            if (to.isInvalid() || from.isInvalid() || !assign(to.get(), from.get())) return false;
        }
        return true;
    }

    QualType pointerTo(AddressSpace space, QualType pointee) const {
        pointee = context_.removeAddrSpaceQualType(pointee);
        if (space != AddressSpace::thread) pointee = context_.getAddrSpaceQualType(pointee, languageSpaceOf(space));
        return context_.getPointerType(pointee);
    }

    FunctionDecl* declare(llvm::StringRef name, QualType result, llvm::ArrayRef<QualType> parameters) {
        const QualType type = context_.getFunctionType(result, parameters, FunctionProtoType::ExtProtoInfo());
        FunctionDecl* function = FunctionDecl::Create(context_, linkage_, place_, place_, &context_.Idents.get(name),
                                                      type, context_.getTrivialTypeSourceInfo(type), SC_None);
        llvm::SmallVector<ParmVarDecl*, 2> declared;
        for (const QualType parameter : parameters) {
            declared.push_back(
                ParmVarDecl::Create(context_, function, place_, place_, nullptr, parameter, nullptr, SC_None, nullptr));
        }
        function->setParams(declared);
        return function;
    }

    FunctionDecl* declareLike(const FunctionDecl* pattern, llvm::StringRef name) {
        llvm::SmallVector<QualType, 8> parameters;
        for (const ParmVarDecl* parameter : pattern->parameters()) parameters.push_back(parameter->getType());
        return declare(name, pattern->getReturnType(), parameters);
    }

    ExprResult call(FunctionDecl* function, llvm::MutableArrayRef<Expr*> values) {
        Expr* callee = sema_.BuildDeclRefExpr(function, function->getType(), VK_LValue, place_);
        return sema_.BuildCallExpr(nullptr, callee, place_, values, place_);
    }
    Expr* number(unsigned value) {
        return IntegerLiteral::Create(context_, llvm::APInt(32, value), context_.IntTy, place_);
    }
    Expr* cast(Expr* value, QualType type, CastKind kind) {
        return ImplicitCastExpr::Create(context_, type, kind, value, nullptr, VK_PRValue, FPOptionsOverride());
    }
    ExprResult dereference(Expr* pointer) { return sema_.CreateBuiltinUnaryOp(place_, UO_Deref, pointer); }

    // A buffer's address; what lies there when the parameter is a reference, unless `isAddress`.
    ExprResult valueOf(const KernelArgument& argument, bool isAddress = false) {
        if (argument.kind == KernelArgument::Kind::place) return placeOf(argument);
        if (argument.kind == KernelArgument::Kind::stage) return stageValueOf(argument);
        Expr* slot[] = {number(argument.slot)};
        const bool isShared = argument.kind == KernelArgument::Kind::threadgroupMemory;
        const ExprResult fetched = call(isShared ? threadgroupArgument_ : argument_, slot);
        if (fetched.isInvalid()) return ExprError();
        const bool isValue = argument.kind == KernelArgument::Kind::texture ||
                             argument.kind == KernelArgument::Kind::sampler ||
                             argument.kind == KernelArgument::Kind::functionTable;
        const QualType pointer =
            isValue ? context_.getPointerType(argument.type.withConst()) : context_.getPointerType(argument.type);
        const bool changesSpace = !isShared && !isValue;
        Expr* address = cast(fetched.get(), pointer, changesSpace ? CK_AddressSpaceConversion : CK_BitCast);
        return isValue || (argument.isReference && !isAddress) ? dereference(address) : ExprResult(address);
    }

    // uint3(__metal_index(kind, 0), __metal_index(kind, 1), __metal_index(kind, 2))
    ExprResult placeOf(const KernelArgument& argument) {
        unsigned count = 1;
        const QualType type = argument.type;
        QualType element = type;
        if (standardClassName(type) == "vec") {
            count = static_cast<unsigned>(templateArgumentsOf(type)[1].getAsIntegral().getZExtValue());
            element = templateArgumentsOf(type)[0].getAsType();
        }
        llvm::SmallVector<Expr*, 3> parts;
        for (unsigned dimension = 0; dimension < count; ++dimension) {
            Expr* query[] = {number(argument.query.kind), number(dimension)};
            const ExprResult fetched = call(index_, query);
            if (fetched.isInvalid()) return ExprError();
            Expr* part[] = {fetched.get()};
            const ExprResult converted = construct(element, part);
            if (converted.isInvalid()) return ExprError();
            parts.push_back(converted.get());
        }
        return count == 1 && element == type ? ExprResult(parts[0]) : construct(type, parts);
    }
    ExprResult construct(QualType type, llvm::MutableArrayRef<Expr*> parts) {
        return sema_.BuildCXXTypeConstructExpr(context_.getTrivialTypeSourceInfo(type, place_), place_, parts, place_,
                                               false);
    }

    Sema& sema_;
    ASTContext& context_;
    SourceLocation place_;
    LinkageSpecDecl* linkage_;
    FunctionDecl* argument_;
    FunctionDecl* threadgroupArgument_;
    FunctionDecl* index_;
    FunctionDecl* stageInput_;
    FunctionDecl* stageOutput_;
    FunctionDecl* entry_ = nullptr;  // being built, of these statements
    llvm::SmallVector<Stmt*, 16> statements_;
};

bool checkKernel(const FunctionDecl* function, Sema& sema) {
    if (function->getReturnType()->isVoidType()) return true;
    report(sema, DiagnosticIDs::Error, function->getLocation(),
           "kernel must have a void return type; write the result to a buffer", function->getReturnTypeSourceRange());
    return false;
}

// Reports what is wrong with its parameters and result.
bool describe(EntryPoint& point, Sema& sema) {
    if (point.kind == protocol::FunctionKind::visible) return true;
    if (point.kind == protocol::FunctionKind::kernel && !checkKernel(point.function, sema)) return false;
    StageReader reader(point.function, point.kind, sema);
    auto arguments = argumentsOf(point.function, reader, sema);
    point.results = reader.readOutput();
    if (!arguments || reader.failed || !checkStageValues(point.function, reader, sema)) return false;
    if (point.kind == protocol::FunctionKind::kernel && !checkPlaces(*arguments, sema)) return false;
    point.arguments = std::move(*arguments);
    point.inputs = std::move(reader.inputs);
    point.outputs = std::move(reader.outputs);
    point.patchControlPoints = reader.patchControlPoints;
    point.patchType = reader.patchType;
    return true;
}

// A library's functions are found by name, so each has its own.
class Names {
public:
    explicit Names(Sema& sema) : sema_(sema) {}

    bool add(const FunctionDecl* function) {
        const std::string name = hostNameOf(function);
        const auto [known, isNew] = known_.emplace(name, function);
        if (isNew) return true;
        report(sema_, DiagnosticIDs::Error, function->getLocation(),
               "two functions of the library have the name '" + name + "'");
        report(sema_, DiagnosticIDs::Note, known->second->getLocation(), "the other is here");
        return false;
    }

private:
    Sema& sema_;
    std::map<std::string, const FunctionDecl*> known_;
};

}  // namespace

std::string hostNameOf(const FunctionDecl* function) {
    if (const auto name = textOf(function, "host_name")) return name->str();
    std::string name;
    llvm::raw_string_ostream stream(name);
    function->getNameForDiagnostic(stream, function->getASTContext().getPrintingPolicy(), /*Qualified=*/true);
    return name;
}

std::vector<EntryPoint> addEntries(Session& session) {
    EntryFinder finder;
    for (Decl* declaration : session.declarations()) finder.TraverseDecl(declaration);
    std::vector<EntryPoint> points;
    EntryBuilder builder(session);
    Names names(session.sema());
    RecordingConsumer& consumer = session.consumer();
    for (FunctionDecl* function : finder.found) {
        EntryPoint point;
        point.function = function;
        point.kind = *stageOf(function);
        if (!describe(point, session.sema())) continue;
        const FunctionDecl* definition = nullptr;
        const bool isDefined =
            function->isDefined(definition) || function->getTemplateInstantiationPattern() != nullptr;
        if (!isDefined || !names.add(function)) continue;
        point.entry = "__metal_entry_" + std::to_string(points.size());
        FunctionDecl* entry = builder.build(point);
        if (entry == nullptr) continue;
        consumer.HandleTopLevelDecl(DeclGroupRef(entry));
        points.push_back(std::move(point));
    }
    return points;
}

}  // namespace metal_compiler
