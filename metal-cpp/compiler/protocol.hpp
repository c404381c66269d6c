// SPDX-License-Identifier: MIT
//
// What a Metal device asks of `metal-compiler` and what it answers. Included by both ends; carried by wire.hpp.
//
// Transport: the device starts `metal-compiler --serve FD` once, FD being one end of a Unix socket pair. For each
// request it makes another socket pair and passes one end over FD (one byte with SCM_RIGHTS). The service forks a child
// for it; device and child exchange frames on that socket: uint64 length, then that many bytes. The device sends one
// Request frame, the child one Reply frame. The socket's end without a Reply means that the child died; closing it from
// the device's side ends the child; the end of FD ends the service.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "wire.hpp"

namespace protocol {

/// Raised with every change of a struct here; part of every cache key.
inline constexpr std::uint32_t version = 9;

enum class Severity : std::uint8_t { note, warning, error };

struct FixIt {
    std::uint32_t line = 0, column = 0, endLine = 0, endColumn = 0;  // 1-based; end exclusive
    std::string text;
    template <class F>
    void fields(F& f) {
        f(line, column, endLine, endColumn, text);
    }
};

struct Diagnostic {
    Severity severity = Severity::error;
    std::string file;  // "program_source" for the text of the request
    std::uint32_t line = 0, column = 0, endLine = 0, endColumn = 0;
    std::string message;
    std::vector<FixIt> fixIts;
    std::vector<Diagnostic> notes;
    template <class F>
    void fields(F& f) {
        f(severity, file, line, column, endLine, endColumn, message, fixIts, notes);
    }
};

enum class MathMode : std::uint8_t { safe, relaxed, fast };

struct NamedText {
    std::string name, text;
    template <class F>
    void fields(F& f) {
        f(name, text);
    }
};

struct CompileOptions {
    std::uint32_t languageVersion = 0;  // MTL::LanguageVersion; 0: newest
    MathMode mathMode = MathMode::relaxed;
    bool preserveInvariance = false;
    std::vector<NamedText> macros;  // -D name=text
    std::vector<std::string> includeDirectories;
    std::vector<NamedText> headers;  // served from memory, before the directories
    bool keepsLines = false;         // the bitcode says which line of the source each instruction is of
    template <class F>
    void fields(F& f) {
        f(languageVersion, mathMode, preserveInvariance, macros, includeDirectories, headers, keepsLines);
    }
};

// ---- Reflection ----

inline constexpr std::uint32_t noType = 0xffffffff;

struct Member {
    std::string name;
    std::uint32_t type = noType;  // index into LibraryReply::types
    std::uint64_t offset = 0;
    std::uint32_t argumentIndex = noType;  // [[id(n)]]
    template <class F>
    void fields(F& f) {
        f(name, type, offset, argumentIndex);
    }
};

struct Type {
    std::string name;  // as written in Metal: "float4", "texture2d<float, access::write>", "Params"
    std::uint32_t dataType =
        0;  // MTL::DataType: Struct = 1, Array = 2, Float = 3, ..., Texture = 58, Sampler = 59, Pointer = 60
    std::uint64_t size = 0, alignment = 0;  // bytes
    // Array, pointer:
    std::uint32_t element = noType;
    std::uint64_t arrayLength = 0, stride = 0;
    // Pointer:
    std::uint32_t access = 0;       // MTL::BindingAccess
    std::uint8_t addressSpace = 0;  // 0 thread, 1 device, 2 constant, 3 threadgroup
    // Texture:
    std::uint32_t textureType = 0;  // MTL::TextureType
    std::uint32_t textureDataType = 0;
    bool isDepthTexture = false;
    // Struct:
    std::vector<Member> members;
    template <class F>
    void fields(F& f) {
        f(name, dataType, size, alignment, element, arrayLength, stride, access, addressSpace, textureType,
          textureDataType, isDepthTexture, members);
    }
};

/// A value made of function constants, which the host computes once it knows them: steps for a stack machine.
enum class ConstantOperation : std::uint8_t {
    number,     // pushes `value`: an integer's bits, or those of a double
    constant,   // pushes the function constant of index `value`
    isDefined,  // whether the function constant of index `value` has a value
    convert,    // to `type`
    negate,
    complement,
    logicalNot,
    add,
    subtract,
    multiply,
    divide,
    remainder,
    shiftLeft,
    shiftRight,
    bitAnd,
    bitOr,
    bitXor,
    equal,
    notEqual,
    less,
    lessOrEqual,
    greater,
    greaterOrEqual,
    logicalAnd,
    logicalOr,
    select,  // of condition, value if true, value if false
};

struct ConstantStep {
    ConstantOperation operation = ConstantOperation::number;
    std::uint32_t type = 0;  // MTL::DataType of the operands; of `number` and `convert`, of the result
    std::uint64_t value = 0;
    template <class F>
    void fields(F& f) {
        f(operation, type, value);
    }
};

/// No steps: there is no such value.
struct ConstantExpression {
    std::vector<ConstantStep> steps;
    template <class F>
    void fields(F& f) {
        f(steps);
    }
};

enum class ArgumentKind : std::uint8_t { buffer, texture, sampler, threadgroupMemory, functionTable };

struct Argument {
    std::string name;
    ArgumentKind kind = ArgumentKind::buffer;
    std::uint32_t index = 0;   // n of [[buffer(n)]]; noType where function constants say it
    std::uint32_t slot = 0;    // place in metal_launch::arguments
    std::uint32_t access = 0;  // MTL::BindingAccess: ReadOnly = 0, ReadWrite = 1, WriteOnly = 2
    std::uint64_t arrayLength = 1;
    std::uint32_t type =
        noType;                // of what a buffer points at; of a texture or sampler; of threadgroup memory's elements
    bool isReference = false;  // `constant T&` rather than `constant T*`
    bool isUsed = true;
    std::string typeText;               // the parameter's type as written
    std::string condition;              // name of the constant in [[function_constant(name)]], or empty
    ConstantExpression conditionValue;  // of that constant
    ConstantExpression indexValue;      // of n, where it is made of function constants
    template <class F>
    void fields(F& f) {
        f(name, kind, index, slot, access, arrayLength, type, isReference, isUsed, typeText, condition, conditionValue,
          indexValue);
    }
};

enum class FunctionKind : std::uint32_t { vertex = 1, fragment = 2, kernel = 3, visible = 5 };  // MTL::FunctionType

/// What a value is that a stage of the pipeline gets or gives, by its attribute.
enum class StageValueKind : std::uint8_t {
    attribute,  // [[attribute(n)]]: fetched from a buffer as the pipeline's descriptor says
    varying,    // from a vertex function to a fragment function; matched by `link`
    position,
    pointSize,
    clipDistance,
    vertexId,
    instanceId,
    baseVertex,
    baseInstance,
    amplificationId,
    amplificationCount,
    patchId,
    positionInPatch,
    frontFacing,
    pointCoord,
    primitiveId,
    sampleId,
    sampleMask,
    barycentricCoord,
    renderTargetArrayIndex,
    viewportArrayIndex,
    color,
    depth,
    stencil,
};

/// How a fragment function's input comes from the values at the primitive's vertices.
enum class Interpolation : std::uint8_t {
    centerPerspective,
    centerNoPerspective,
    centroidPerspective,
    centroidNoPerspective,
    samplePerspective,
    sampleNoPerspective,
    flat,
};

enum class DepthQualifier : std::uint8_t { any, greater, less };  // than what the rasteriser found

/// The elements of a column, see metal_stage in kernel_abi.h: floating-point numbers, integers and bool.
enum class ColumnType : std::uint8_t { float32, int32, uint32 };

/// An input or output of a vertex or fragment function, or of a kernel with `[[stage_in]]`.
struct StageValue {
    std::string name;  // of the member or parameter; empty for a returned scalar or vector
    std::string link;  // varying: "uv" of a member without an attribute, "user(uv)" of one with [[user(uv)]]
    StageValueKind kind = StageValueKind::varying;
    std::uint32_t index = 0;        // n of [[attribute(n)]], [[color(n)]]
    std::uint32_t sourceIndex = 0;  // n of [[color(m), index(n)]]: the second source of blending
    std::uint32_t type = noType;
    ColumnType columnType = ColumnType::float32;
    std::uint32_t column = 0, columnCount = 0;  // one a scalar; matrices by columns, arrays by elements
    Interpolation interpolation = Interpolation::centerPerspective;
    DepthQualifier depth = DepthQualifier::any;
    bool isInvariant = false;
    bool hasRasterOrderGroup = false;
    std::uint32_t rasterOrderGroup = 0;
    std::string condition;        // name of the constant in [[function_constant(name)]], or empty
    bool isControlPoint = false;  // of each control point of a patch; their columns follow one another
    bool isInterpolant = false;   // interpolated by the function itself: see docs/stages.md for its columns
    ConstantExpression conditionValue, indexValue, rasterOrderGroupValue;  // as of an Argument
    template <class F>
    void fields(F& f) {
        f(name, link, kind, index, sourceIndex, type, columnType, column, columnCount, interpolation, depth,
          isInvariant, hasRasterOrderGroup, rasterOrderGroup, condition, isControlPoint, isInterpolant, conditionValue,
          indexValue, rasterOrderGroupValue);
    }
};

struct Function {
    std::string name;   // the host name
    std::string entry;  // symbol in the bitcode
    FunctionKind kind = FunctionKind::kernel;
    std::vector<Argument> arguments;
    std::uint32_t maxTotalThreads = 0;      // [[max_total_threads_per_threadgroup(n)]]; 0: not given
    std::uint32_t requiredThreads[3] = {};  // [[required_threads_per_threadgroup(x, y, z)]]; 0: not given
    std::string userAnnotation;             // [[user_annotation("text")]]
    std::uint32_t line = 0;
    std::string signature;                 // as written, from the return type to the closing parenthesis
    std::string comment;                   // the comment above it
    std::vector<std::uint32_t> constants;  // indices of the function constants it uses
    std::vector<StageValue> inputs, outputs;
    bool earlyFragmentTests = false;
    std::uint32_t patchControlPoints = 0;  // n of [[patch(quad, n)]]; 0: no post-tessellation function
    std::uint8_t patchType = 0;            // MTL::PatchType
    template <class F>
    void fields(F& f) {
        f(name, entry, kind, arguments, maxTotalThreads, line, signature, comment, constants, inputs, outputs,
          earlyFragmentTests, patchControlPoints, patchType, requiredThreads[0], requiredThreads[1], requiredThreads[2],
          userAnnotation);
    }
};

struct FunctionConstant {
    std::string name;
    std::uint32_t index = 0;
    std::uint32_t type = noType;
    bool isRequired = true;
    template <class F>
    void fields(F& f) {
        f(name, index, type, isRequired);
    }
};

struct Dependency {
    std::string path;
    std::uint64_t contentHash = 0;  // XXH3 (llvm::xxh3_64bits, XXH3_64bits) of the file's bytes
    template <class F>
    void fields(F& f) {
        f(path, contentHash);
    }
};

// ---- Requests ----

enum class RequestKind : std::uint8_t { library, pipeline, information, completion };

struct LibraryRequest {
    std::string source;
    CompileOptions options;
    template <class F>
    void fields(F& f) {
        f(source, options);
    }
};

struct LibraryReply {
    bool ok = false;
    std::string log;  // as Apple's driver prints it: program_source:LINE:COLUMN: error: ...
    std::vector<Diagnostic> diagnostics;
    std::vector<Type> types;
    std::vector<Function> functions;
    std::vector<FunctionConstant> constants;
    std::vector<Dependency> dependencies;  // files read from includeDirectories
    wire::Bytes bitcode;
    double seconds = 0;
    template <class F>
    void fields(F& f) {
        f(ok, log, diagnostics, types, functions, constants, dependencies, bitcode, seconds);
    }
};

struct ConstantValue {
    std::uint32_t index = 0;
    wire::Bytes bytes;  // the value as Metal lays it in memory
    template <class F>
    void fields(F& f) {
        f(index, bytes);
    }
};

enum class Output : std::uint8_t { object, ir, assembly };

/// Whether a pipeline's reply says what costs its kernel time. For lines, the bitcode must have kept them.
enum class Explain : std::uint8_t {
    no,
    facts,   // what the compiler knows
    counts,  // and the code counts, while it runs, what only a run can tell: METAL_KERNEL_COUNTERS_SYMBOL
};

enum class FindingKind : std::uint8_t {
    gather,   // the threads' addresses do not follow one another
    scatter,  // the same of writing
    scalar,   // one thread after the other; `reason`: "atomic", "texture", "narrow", "division", "table" or
              // "call" (of functions, through a table or not inlined)
    loop,     // goes round until the last of the threads that run together has left
    barrier,  // `reason`: "pieces", "states", "apart"
    spill,    // values for which there are not enough registers
    reload,   // read again in each round of a loop, since a store in it may have changed it
    texture,  // `reason`: "general" where the code decides by the texture's format, else "specialised"
};

inline constexpr std::uint32_t noNumber = 0xffffffff;

struct Finding {
    FindingKind kind = FindingKind::scalar;
    std::string file;
    std::uint32_t line = 0, column = 0;  // 0: not known
    std::string subject;                 // the operation, function or memory that it is about
    std::string reason;
    std::uint32_t slot = noNumber;     // gather, scatter: the argument's, where it is one
    std::int64_t stride = 0;           // gather, scatter: bytes from one thread's place to the next's; 0: any
    std::uint64_t size = 0;            // gather, scatter: bytes of an element; barrier: bytes that a thread keeps
    std::uint64_t reads = 0;           // spill: instructions that read; barrier: values that a thread keeps
    std::uint64_t writes = 0;          // spill: instructions that write
    std::uint32_t causeLine = 0;       // loop: where threads leave; barrier: what they part at; 0: nowhere
    std::uint32_t counter = noNumber;  // the first of two: how often, and how many threads in all
    template <class F>
    void fields(F& f) {
        f(kind, file, line, column, subject, reason, slot, stride, size, reads, writes, causeLine, counter);
    }
};

/// Instructions of one line, as they are after widening.
struct LineCode {
    std::string file;
    std::uint32_t line = 0;
    std::uint32_t vector = 0, uniform = 0, scalar = 0;  // uniform: once for all threads of a strip
    template <class F>
    void fields(F& f) {
        f(file, line, vector, uniform, scalar);
    }
};

struct Explanation {
    std::uint32_t laneWidth = 0;     // threads in one vector; 0: there is no explanation
    std::uint32_t registerBits = 0;  // of the processor's vectors
    std::uint32_t counterCount = 0;
    std::vector<Finding> findings;
    std::vector<LineCode> lines;
    template <class F>
    void fields(F& f) {
        f(laneWidth, registerBits, counterCount, findings, lines);
    }
};

/// A visible function that a kernel can call through a table. The n-th of a request is the symbol
/// `metal_function_n` of the object (METAL_FUNCTION_SYMBOL in kernel_abi.h).
struct LinkedFunction {
    wire::Bytes bitcode;  // of its library
    std::string entry;
    std::string name;  // for messages
    std::vector<ConstantValue> constants;
    template <class F>
    void fields(F& f) {
        f(bitcode, entry, name, constants);
    }
};

/// What is known of all textures in an argument: code for these alone need not ask.
struct BoundTexture {
    std::uint32_t slot = 0;
    std::uint32_t pixelFormat = 0;  // as of metal_texture, with the swizzle
    std::uint32_t bytesPerPixel = 0;
    bool operator==(const BoundTexture&) const = default;
    template <class F>
    void fields(F& f) {
        f(slot, pixelFormat, bytesPerPixel);
    }
};

/// The same of samplers.
struct BoundSampler {
    std::uint32_t slot = 0;
    std::uint64_t state = 0;  // metal_sampler
    bool operator==(const BoundSampler&) const = default;
    template <class F>
    void fields(F& f) {
        f(slot, state);
    }
};

struct PipelineRequest {
    wire::Bytes bitcode;
    std::string entry;
    std::string name;  // for symbols and messages
    std::vector<ConstantValue> constants;
    std::uint32_t maxTotalThreads = 0;
    std::uint32_t laneMapping = 0;  // enum metal_lane_mapping
    std::uint32_t laneWidth = 0;    // 0: the target chooses
    MathMode mathMode = MathMode::relaxed;
    Output output = Output::object;
    std::vector<LinkedFunction> functions;
    Explain explain = Explain::no;
    std::vector<BoundTexture> textures;  // these and the samplers in the order of slots; empty: code for any
    std::vector<BoundSampler> samplers;
    template <class F>
    void fields(F& f) {
        f(bitcode, entry, name, constants, maxTotalThreads, laneMapping, laneWidth, mathMode, output, functions,
          explain, textures, samplers);
    }
};

struct PipelineReply {
    bool ok = false;
    std::string log;
    wire::Bytes object;  // an ELF shared object, see kernel_abi.h
    std::string text;    // Output::ir, Output::assembly
    Explanation explanation;
    double seconds = 0;
    template <class F>
    void fields(F& f) {
        f(ok, log, object, text, explanation, seconds);
    }
};

struct InformationReply {
    std::string compilerVersion, llvmVersion, cpu, features;
    template <class F>
    void fields(F& f) {
        f(compilerVersion, llvmVersion, cpu, features);
    }
};

struct CompletionRequest {
    std::string source;
    CompileOptions options;
    std::uint32_t line = 1, column = 1;  // in `source` itself, whatever #line says; 1-based, the column in bytes
    template <class F>
    void fields(F& f) {
        f(source, options, line, column);
    }
};

enum class CompletionKind : std::uint8_t {
    function,
    variable,
    field,
    type,
    enumerator,
    scope,  // a namespace
    keyword,
    attribute,
    macro,
    header,
};

struct Completion {
    std::string text;
    CompletionKind kind = CompletionKind::variable;
    std::string signature;  // the declaration, as far as it helps: "float dot(float2 x, float2 y) (+5)"
    template <class F>
    void fields(F& f) {
        f(text, kind, signature);
    }
};

struct TextRange {
    std::uint32_t begin = 0, end = 0;  // in bytes of UTF-8; end exclusive
    template <class F>
    void fields(F& f) {
        f(begin, end);
    }
};

/// One way to call what a place is among the arguments of.
struct Signature {
    std::string text;                   // "float mix(float x, float y, float a)"
    std::vector<TextRange> parameters;  // where they stand in it
    std::string comment;                // the comment above the program's own function
    template <class F>
    void fields(F& f) {
        f(text, parameters, comment);
    }
};

struct CompletionReply {
    std::vector<Completion> items;      // best first
    std::vector<Signature> signatures;  // of the call whose arguments the place is among, best first
    std::uint32_t argument = 0;         // which of them, from 0
    std::uint32_t column = 1;           // where the word begins that an item replaces
    double seconds = 0;
    template <class F>
    void fields(F& f) {
        f(items, signatures, argument, column, seconds);
    }
};

/// One frame from device to child: which request, then its bytes.
struct Request {
    std::uint32_t version = protocol::version;
    RequestKind kind = RequestKind::library;
    wire::Bytes body;
    template <class F>
    void fields(F& f) {
        f(version, kind, body);
    }
};

}  // namespace protocol
