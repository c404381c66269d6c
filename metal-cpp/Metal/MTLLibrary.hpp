// SPDX-License-Identifier: MIT

#pragma once

#include <functional>

#include "../Foundation/Foundation.hpp"
#include "MTLDataType.hpp"
#include "MTLTypes.hpp"

namespace MTL {

class ArgumentEncoder;
class CompileOptions;
class Device;
class Function;
class FunctionConstant;
class FunctionConstantValues;

enum PatchType : NS::UInteger {
    PatchTypeNone = 0,
    PatchTypeTriangle = 1,
    PatchTypeQuad = 2,
};

enum FunctionType : NS::UInteger {
    FunctionTypeVertex = 1,
    FunctionTypeFragment = 2,
    FunctionTypeKernel = 3,
    FunctionTypeVisible = 5,
    FunctionTypeIntersection = 6,
    FunctionTypeMesh = 7,
    FunctionTypeObject = 8,
};

enum LanguageVersion : NS::UInteger {
    LanguageVersion1_0 = 65536,
    LanguageVersion1_1 = 65537,
    LanguageVersion1_2 = 65538,
    LanguageVersion2_0 = 131072,
    LanguageVersion2_1 = 131073,
    LanguageVersion2_2 = 131074,
    LanguageVersion2_3 = 131075,
    LanguageVersion2_4 = 131076,
    LanguageVersion3_0 = 196608,
    LanguageVersion3_1 = 196609,
    LanguageVersion3_2 = 196610,
    LanguageVersion4_0 = 262144,
};

enum LibraryType : NS::Integer {
    LibraryTypeExecutable = 0,
    LibraryTypeDynamic = 1,
};

enum LibraryOptimizationLevel : NS::Integer {
    LibraryOptimizationLevelDefault = 0,
    LibraryOptimizationLevelSize = 1,
};

enum CompileSymbolVisibility : NS::Integer {
    CompileSymbolVisibilityDefault = 0,
    CompileSymbolVisibilityHidden = 1,
};

enum MathMode : NS::Integer {
    MathModeSafe = 0,
    MathModeRelaxed = 1,
    MathModeFast = 2,
};

enum MathFloatingPointFunctions : NS::Integer {
    MathFloatingPointFunctionsFast = 0,
    MathFloatingPointFunctionsPrecise = 1,
};

enum LibraryError : NS::UInteger {
    LibraryErrorUnsupported = 1,
    LibraryErrorInternal = 2,
    LibraryErrorCompileFailure = 3,
    LibraryErrorCompileWarning = 4,
    LibraryErrorFunctionNotFound = 5,
    LibraryErrorFileNotFound = 6,
};

using FunctionCompletionHandlerFunction = std::function<void(Function* pFunction, NS::Error* pError)>;

/// A `[[function_constant(n)]]` that a function uses.
class FunctionConstant : public NS::Referencing<FunctionConstant> {
public:
    static FunctionConstant* alloc();
    NS::UInteger index() const;
    FunctionConstant* init();
    NS::String* name() const;
    bool required() const;
    DataType type() const;
};

/// An input of a vertex function: a member of its `[[stage_in]]` struct with `[[attribute(n)]]`.
class VertexAttribute : public NS::Referencing<VertexAttribute> {
public:
    NS::UInteger attributeIndex() const;
    DataType attributeType() const;
    bool isActive() const;
    bool isPatchControlPointData() const;
    bool isPatchData() const;
    NS::String* name() const;
};

/// The same of a kernel or any other function.
class Attribute : public NS::Referencing<Attribute> {
public:
    NS::UInteger attributeIndex() const;
    DataType attributeType() const;
    bool isActive() const;
    bool isPatchControlPointData() const;
    bool isPatchData() const;
    NS::String* name() const;
};

/// An entry point of a library.
class Function : public NS::Referencing<Function> {
public:
    Device* device() const;

    /// FunctionConstant by name, of the constants this function uses.
    NS::Dictionary* functionConstantsDictionary() const;

    FunctionType functionType() const;
    NS::String* label() const;
    NS::String* name() const;

    /// Caller owns the result (+1). For the struct that the buffer at this index points at.
    ArgumentEncoder* newArgumentEncoder(NS::UInteger bufferIndex);

    /// Of a post-tessellation vertex function; else -1.
    NS::Integer patchControlPointCount() const;

    PatchType patchType() const;
    void setLabel(const NS::String* label);

    /// Of Attribute.
    NS::Array* stageInputAttributes() const;

    /// Of VertexAttribute; empty for other functions.
    NS::Array* vertexAttributes() const;
};

/// How source is compiled.
class CompileOptions : public NS::Copying<CompileOptions> {
public:
    static CompileOptions* alloc();
    bool fastMathEnabled() const;
    CompileOptions* init();
    LanguageVersion languageVersion() const;
    LibraryType libraryType() const;
    MathFloatingPointFunctions mathFloatingPointFunctions() const;
    MathMode mathMode() const;
    NS::UInteger maxTotalThreadsPerThreadgroup() const;
    LibraryOptimizationLevel optimizationLevel() const;
    NS::Dictionary* preprocessorMacros() const;
    bool preserveInvariance() const;

    /// True is MathModeRelaxed, false MathModeSafe.
    void setFastMathEnabled(bool fastMathEnabled);

    void setLanguageVersion(LanguageVersion languageVersion);

    /// Only LibraryTypeExecutable compiles.
    void setLibraryType(LibraryType libraryType);

    void setMathFloatingPointFunctions(MathFloatingPointFunctions mathFloatingPointFunctions);
    void setMathMode(MathMode mathMode);
    void setMaxTotalThreadsPerThreadgroup(NS::UInteger maxTotalThreadsPerThreadgroup);
    void setOptimizationLevel(LibraryOptimizationLevel optimizationLevel);

    /// Names to values, NS::String or NS::Number.
    void setPreprocessorMacros(const NS::Dictionary* preprocessorMacros);

    void setPreserveInvariance(bool preserveInvariance);
};

/// Compiled source.
class Library : public NS::Referencing<Library> {
public:
    Device* device() const;
    NS::Array* functionNames() const;

    /// Null: only dynamic libraries have one.
    NS::String* installName() const;

    NS::String* label() const;

    /// Caller owns the result (+1). Null when the library has no function of that name.
    Function* newFunction(const NS::String* functionName);

    /// Caller owns the result (+1). Null, and `error`, when the function is not there or a value has no constant.
    Function* newFunction(const NS::String* name, const FunctionConstantValues* constantValues, NS::Error** error);

    /// Calls the handler from another thread; what it is given is its own to keep only by retain().
    void newFunction(const NS::String* pFunctionName, const FunctionConstantValues* pConstantValues,
                     const FunctionCompletionHandlerFunction& completionHandler);

    void setLabel(const NS::String* label);
    LibraryType type() const;
};

}  // namespace MTL
