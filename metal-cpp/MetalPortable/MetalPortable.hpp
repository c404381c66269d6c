// SPDX-License-Identifier: MIT
//
// What Apple's Metal has no word for: facts and controls of the software device, and what its compiler knows.
// Include it under __has_include, since it is not there on a Mac. Functions that return an NS:: object do not give the
// caller ownership.

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "../Metal/Metal.hpp"
#include "../QuartzCore/QuartzCore.hpp"

namespace MTL::Portable {

// ---- Device ----

bool isSoftware(const Device* device);

/// Whether the device is a parent process's, so that nothing can be run on it here.
bool isInherited(const Device* device);

/// Threads that run kernels: what affinity and cgroup allow, or MTLPY_NUM_THREADS. MTLPY_SOFTWARE_DEVICES splits them
/// between so many devices.
NS::UInteger threadCount();

/// A device's share.
NS::UInteger threadCount(const Device* device);

/// Of all devices, from the next dispatch on. At least one; values above what the pool has threads for count as that
/// many.
void setThreadCount(NS::UInteger count);

/// Called with what Metal's validation would say and then stop the program, by calls that have no other way to report
/// a mistake (replaceRegion, setLabel of an ended object, ...), and by encoders, whose mistakes are otherwise told by
/// the command buffer's error alone: what a handler throws comes out of the call, which has then changed nothing. The
/// default writes a line to the standard error stream, for calls of the first kind. An empty function brings the
/// default back. Returns the handler before. Of the calling thread only.
using ValidationHandler = std::function<void(const char* message)>;
ValidationHandler setValidationHandler(ValidationHandler handler);

// ---- Running ----

/// Waits for the end of a committed command buffer and of its handlers, without running any of its work; false when
/// `seconds` pass first. To be called in slices by threads that must react to something else meanwhile.
bool wait(CommandBuffer* commandBuffer, double seconds);

/// Ends the kernel that the command buffer runs, and all that it would run after; its status becomes
/// CommandBufferStatusError with CommandBufferErrorTimeout. Nothing happens when it has completed or is not committed.
/// Returns when it has ended or `seconds` have passed; one that is held up by another in front of it ends when its turn
/// comes.
void stop(CommandBuffer* commandBuffer, double seconds);

/// Whether commandBuffer() would return at once rather than wait for one of the queue's to end; waits for that at most
/// `seconds`.
bool waitForRoom(CommandQueue* queue, double seconds);

/// Copies memory of the processor's as fast as it goes: much, with the device's threads. The ranges may overlap.
void copyMemory(const Device* device, void* to, const void* from, NS::UInteger length);

/// Called with each message that a kernel wrote (os_log), from another thread, when its command buffer has ended and
/// before its completed handlers. `level`: 1 debug, 2 info, 3 notice, 4 error, 5 fault. The default writes a line to
/// the standard error stream; an empty function brings it back.
using LogHandler = std::function<void(const std::string& message, unsigned level, const std::string& subsystem,
                                      const std::string& category)>;
void setLogHandler(LogHandler handler);

/// How a kernel failed.
struct Fault {
    std::string kernel;
    std::uint64_t address = 0;
    bool isWrite = false;
    std::string nearestBuffer;  // label, or argument's name, of the buffer next to `address`; may be empty
    std::int64_t distance = 0;  // of `address` from that buffer's start
    std::uint64_t bufferLength = 0;
};

/// False when the command buffer has not failed by a fault of a kernel.
bool fault(const CommandBuffer* commandBuffer, Fault& fault);

// ---- Times ----

/// Has the command buffer keep when each of its dispatches runs; before it is committed.
void keepDispatchTimes(CommandBuffer* commandBuffer);

/// Start and end of each dispatch that began, in the order in which they were encoded, in seconds as GPUStartTime().
/// Empty before the command buffer has ended, and where they were not kept. A dispatch's time contains what other
/// queues ran in between; those that an indirect command buffer makes are not listed.
std::vector<std::pair<double, double>> dispatchTimes(const CommandBuffer* commandBuffer);

// ---- Captures ----

/// Begins the end of the capture: command buffers committed from now on are not in it. Waits until those that are have
/// ended, but for those that wait for an event which nothing that runs can signal; false when `seconds` pass first.
/// True without a capture.
bool waitForCapture(double seconds);

/// What CaptureManager::stopCapture() does not say.
struct CaptureEnd {
    std::string path;         // of the file; empty when there was no capture
    std::string error;        // why there is no file; empty when there is
    unsigned unfinished = 0;  // command buffers that had not ended
    std::uint64_t bytes = 0;  // of the file, nearly
};

/// CaptureManager::stopCapture() without the waiting: what has not ended then is not whole in the file.
CaptureEnd stopCapture();

// ---- Showing ----

/// A further drawable with the texture that the layer's display shows now, which keeps it as it is; null before the
/// first was shown. Not owned by the caller.
CA::MetalDrawable* shownDrawable(CA::MetalLayer* layer);

/// Waits until nextDrawable() would not wait; false when `seconds` pass first. To be called in slices by threads that
/// must react to something else meanwhile.
bool waitForDrawable(CA::MetalLayer* layer, double seconds);

// ---- Shared events of several processes ----

/// A file that stands for the event as long as the handle lives. Another process on this machine has the event that
/// inherits the descriptor or gets it over a socket. -1, and `error`, when the system had no memory for it.
int fileDescriptor(const SharedEventHandle* handle, NS::Error** error);

/// The same in words, for another process of this user while this one has the handle or the event.
NS::String* name(const SharedEventHandle* handle, NS::Error** error);

/// The caller owns the result (+1). Null, and `error`, when the file or name does not stand for an event any more. The
/// descriptor stays the caller's.
SharedEventHandle* newSharedEventHandle(int fileDescriptor, NS::Error** error);
SharedEventHandle* newSharedEventHandle(const NS::String* name, NS::Error** error);

// ---- Binary archives ----

/// Writes the archive together with what the file at `path` holds already and this archive does not, so that of two
/// processes that write to one file neither loses what it compiled.
bool serializeTogether(BinaryArchive* archive, const std::string& path, NS::Error** error);

// ---- What was compiled ----

/// Warnings, in the format of the errors; empty without any.
NS::String* diagnostics(const Library* library);

/// From the return type to the closing parenthesis, as written.
NS::String* signature(const Function* function);

/// The comment above the function; empty without one.
NS::String* comment(const Function* function);

/// 1-based line of the function in its source.
NS::UInteger line(const Function* function);

/// `[[max_total_threads_per_threadgroup(n)]]`; zero where the source does not say.
NS::UInteger maxTotalThreads(const Function* function);

/// `[[user_annotation("text")]]`; empty without one.
NS::String* userAnnotation(const Function* function);

/// Of Binding, as a pipeline's reflection has them, without making a pipeline.
NS::Array* bindings(const Function* function);

/// The code of a kernel: LLVM's intermediate representation after all passes, and the machine's instructions. Null, and
/// `error`, when it cannot be compiled.
NS::String* intermediateText(const ComputePipelineState* pipeline, NS::Error** error);
NS::String* assemblyText(const ComputePipelineState* pipeline, NS::Error** error);
NS::String* intermediateText(const Function* function, NS::Error** error);
NS::String* assemblyText(const Function* function, NS::Error** error);

/// Seconds the compiler took; zero when the result came from a cache.
double compileSeconds(const Library* library);
double compileSeconds(const ComputePipelineState* pipeline);

// ---- Why a kernel is slow ----

/// What costs a kernel time. What the fields mean depends on `kind`, see protocol::Finding.
struct Finding {
    std::string kind;  // "gather", "scatter", "scalar", "loop", "barrier", "spill", "reload", "texture"
    std::string file;  // "program_source" for the text itself
    NS::UInteger line = 0, column = 0;
    std::string subject, reason;
    std::string argument;     // the kernel's, where it is one
    std::int64_t stride = 0;  // bytes from one thread's place in memory to the next's; 0: any
    std::uint64_t size = 0, reads = 0, writes = 0;
    NS::UInteger causeLine = 0;
    bool isCounted = false;
    std::uint64_t times = 0, threads = 0;  // counted: how often, and by how many threads in all
};

/// Instructions of a line: in vector code, once for all threads that run together, one thread after the other.
struct LineCode {
    std::string file;
    NS::UInteger line = 0;
    NS::UInteger vector = 0, uniform = 0, scalar = 0;
};

struct Explanation {
    NS::UInteger laneWidth = 0;     // threads that run together
    NS::UInteger registerBits = 0;  // of the processor's vectors
    std::vector<Finding> findings;
    std::vector<LineCode> lines;
};

/// The same kernel compiled anew, so that it can be explained. `counts`: its code counts while it runs, which is slow.
/// The caller owns the result (+1). Null, and `error`, when it cannot be compiled.
ComputePipelineState* newExplainedPipeline(const ComputePipelineState* pipeline, bool counts, NS::Error** error);

/// Of the code that such a pipeline's last dispatch ran, and what it counted in all runs so far; before any, of the
/// code that most dispatches run. False for other pipelines.
bool explanation(const ComputePipelineState* pipeline, Explanation& explanation);

// ---- Arguments ----

/// The parameter's type as written: "device const float*".
NS::String* typeText(const Binding* binding);

/// "device", "constant", "threadgroup"; empty for textures and samplers.
NS::String* addressSpace(const Binding* binding);

/// `constant T&` rather than `constant T*`.
bool isReference(const Binding* binding);

/// The name in `[[function_constant(name)]]`, or empty.
NS::String* condition(const Binding* binding);

/// How many follow one another: of `array<texture2d<float>, 4>`, 4. Otherwise 1.
NS::UInteger arrayLength(const Binding* binding);

/// What a buffer points at, threadgroup memory consists of, or the texture is. A StructType, ArrayType, PointerType or
/// TextureReferenceType by its dataType(), else a Type. Null for samplers.
Type* type(const Binding* binding);

/// The types of an array's or pointer's elements, and of a struct's member, of every kind.
Type* elementType(const Type* type);
Type* memberType(const StructMember* member);

/// "float4", the struct's name, "texture2d<float, access::write>".
NS::String* name(const Type* type);

/// Bytes in memory, as Metal lays it out; zero for textures and samplers.
NS::UInteger size(const Type* type);
NS::UInteger alignment(const Type* type);

// ---- Compiler ----

/// Asked now and then by newLibrary, newFunction and newComputePipelineState while the compiler works: true ends the
/// compilation, and the call returns null and an error. Empty: can't be interrupted. Returns the function before. Of
/// the calling thread only.
using Interrupted = std::function<bool()>;
Interrupted setInterrupted(Interrupted interrupted);

/// Whether answers for this library and for its kernels are looked for and kept in the folder of compiled code; else in
/// memory only. True unless set.
void setKeptOnDisk(CompileOptions* options, bool isKeptOnDisk);

/// Headers for `#include`: names and texts served from memory, then folders to search.
void setHeaders(CompileOptions* options, const NS::Dictionary* headers);
void setIncludeDirectories(CompileOptions* options, const NS::Array* directories);

/// The program that compiles; empty when it is not found.
std::string compilerPath();

/// Versions of compiler and LLVM, the processor compiled for and its features. False when the compiler cannot be asked.
struct CompilerInformation {
    std::string compilerVersion, llvmVersion, cpu, features;
};
bool compilerInformation(CompilerInformation& information);

/// What may be written at a place of a program.
struct Completion {
    std::string text;
    std::string kind;       // "function", "variable", "field", "type", "enumerator", "namespace", "keyword", ...
    std::string signature;  // its declaration, "float dot(float2 x, float2 y) (+5)"; may be empty
};
struct Signature {
    std::string text;                                               // "float mix(float x, float y, float a)"
    std::vector<std::pair<NS::UInteger, NS::UInteger>> parameters;  // where they begin and end in it, in bytes
    std::string comment;                                            // above the program's own function
};
struct Completions {
    std::vector<Completion> items;      // best first
    std::vector<Signature> signatures;  // of the call whose arguments the place is among, best first
    NS::UInteger argument = 0;          // which of them, from 0
    NS::UInteger column = 1;            // where the word begins that an item replaces
};

/// Line and column count from 1, the column in bytes of UTF-8. Options may be null. False when the compiler cannot
/// answer: a program may be anything.
bool complete(const NS::String* source, const CompileOptions* options, NS::UInteger line, NS::UInteger column,
              Completions& completions);

// ---- Cache of compiled code ----

/// The folder; empty where nothing is kept on disk.
std::string cachePath();

/// An empty path turns the cache on disk off.
void setCachePath(const std::string& path);

/// Bytes of the files in the folder.
std::uint64_t cacheSize();

/// Forgets what is kept in memory and on disk.
void clearCache();

}  // namespace MTL::Portable
