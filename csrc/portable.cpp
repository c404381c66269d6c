// SPDX-License-Identifier: MIT
//
// With portable_*.cpp the only files that use what only the software device has.

#include "portable.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstring>

#include "bind.hpp"
#include "command_buffer.hpp"
#include "compute_pipeline.hpp"
#include "errors.hpp"
#include "library.hpp"
#include "portable_committing.hpp"
#include "text.hpp"

#if __has_include(<MetalPortable/MetalPortable.hpp>)
#include <MetalPortable/Committing.hpp>
#include <MetalPortable/MetalPortable.hpp>
#define MTLPY_SOFTWARE 1
#else
#define MTLPY_SOFTWARE 0
#endif

namespace mtlpy {

namespace portable {

#if MTLPY_SOFTWARE

namespace {

namespace software = MTL::Portable;

/// How deep types may nest; a struct whose pointer points at itself would go on for ever.
constexpr int maximumDepth = 16;

std::shared_ptr<TypeInfo> readType(const MTL::Type* type, int depth) {
    if (!type || depth >= maximumDepth) return nullptr;
    auto info = std::make_shared<TypeInfo>();
    info->dataType = type->dataType();
    info->name = pythonText(software::name(type));
    info->size = software::size(type);
    info->alignment = software::alignment(type);
    if (info->dataType == MTL::DataTypeStruct) {
        const NS::Array* members = static_cast<const MTL::StructType*>(type)->members();
        for (NS::UInteger i = 0; members && i < members->count(); ++i) {
            const auto* member = members->object<MTL::StructMember>(i);
            MemberInfo entry{pythonText(member->name()), member->offset(), std::nullopt,
                             readType(software::memberType(member), depth + 1)};
            if (entry.type &&
                (entry.type->dataType == MTL::DataTypePointer || entry.type->dataType == MTL::DataTypeTexture ||
                 entry.type->dataType == MTL::DataTypeSampler ||
                 entry.type->dataType == MTL::DataTypeIndirectCommandBuffer ||
                 entry.type->dataType == MTL::DataTypeComputePipeline))
                entry.argumentIndex = member->argumentIndex();
            info->members.push_back(std::move(entry));
        }
    } else if (info->dataType == MTL::DataTypeArray) {
        const auto* array = static_cast<const MTL::ArrayType*>(type);
        info->arrayLength = array->arrayLength();
        info->stride = array->stride();
        info->element = readType(software::elementType(type), depth + 1);
    } else if (info->dataType == MTL::DataTypePointer) {
        info->access = static_cast<const MTL::PointerType*>(type)->access();
        info->element = readType(software::elementType(type), depth + 1);
    } else if (info->dataType == MTL::DataTypeTexture) {
        info->access = static_cast<const MTL::TextureReferenceType*>(type)->access();
    }
    return info;
}

std::string checkedText(const NS::String* text, const NS::Error* error) {
    if (!text) throw Failure(ErrorKind::pipeline, errorText(error), errorText(error));
    return pythonText(text);
}

}  // namespace

void enterThread() {
    thread_local bool entered = false;
    if (entered) return;
    software::setValidationHandler([](const char* message) { fail(ErrorKind::validation, message); });
    entered = true;
}

bool isSoftware(const MTL::Device* device) {
    return software::isSoftware(device);
}

void checkProcess(const MTL::Device* device) {
    if (software::isInherited(device))
        fail(ErrorKind::resource,
             "the device was created before fork and cannot be used in the child process; create a new device there");
}

void stop(MTL::CommandBuffer* commandBuffer, double seconds) {
    software::stop(commandBuffer, seconds);
}

bool waitForRoom(MTL::CommandQueue* queue, std::chrono::nanoseconds time) {
    return software::waitForRoom(queue, std::chrono::duration<double>(time).count());
}

void copyMemory(const MTL::Device* device, void* to, const void* from, std::size_t size) {
    software::copyMemory(device, to, from, size);
}

void commitAndRun(MTL::CommandBuffer* commandBuffer) {
    software::commitAndRun(commandBuffer);
}

void atEnd(MTL::CommandBuffer* commandBuffer, std::function<void()> function) {
    software::atEnd(commandBuffer, std::move(function));
}

const bool canWait = true;

bool wait(MTL::CommandBuffer* commandBuffer, std::chrono::nanoseconds time) {
    return software::wait(commandBuffer, std::chrono::duration<double>(time).count());
}

Interruptible::Interruptible() {
    software::setInterrupted([] {
        nb::gil_scoped_acquire acquire;
        return PyErr_Occurred() || PyErr_CheckSignals() != 0;
    });
}

Interruptible::~Interruptible() {
    software::setInterrupted(nullptr);
}

void describe(const MTL::Binding* binding, ArgumentInfo& info) {
    if (auto type = readType(software::type(binding), 0)) info.type = std::move(type);
    info.arrayLength = software::arrayLength(binding);
    info.isReference = software::isReference(binding);
    info.typeText = pythonText(software::typeText(binding));
    const std::string space = pythonText(software::addressSpace(binding));
    if (!space.empty()) info.addressSpace = space;
    info.condition = pythonText(software::condition(binding));
}

std::shared_ptr<FunctionInfo> functionInfo(MTL::Function* function) {
    auto info = std::make_shared<FunctionInfo>();
    info->name = pythonText(function->name());
    info->functionType = function->functionType();
    info->signature = pythonText(software::signature(function));
    info->comment = pythonText(software::comment(function));
    info->line = software::line(function);
    info->maxTotalThreads = software::maxTotalThreads(function);
    info->userAnnotation = pythonText(software::userAnnotation(function));
    info->arguments = readArguments(software::bindings(function));
    const NS::Dictionary* constants = function->functionConstantsDictionary();
    if (constants && constants->count() > 0) {
        auto* names = constants->keyEnumerator<NS::String>();
        while (const NS::String* name = names->nextObject()) info->constants.push_back(pythonText(name));
    }
    return info;
}

std::vector<std::shared_ptr<FunctionInfo>> functions(MTL::Library* library) {
    std::vector<std::shared_ptr<FunctionInfo>> result;
    const NS::Array* names = library->functionNames();
    for (NS::UInteger i = 0; names && i < names->count(); ++i) {
        const auto function = owned(library->newFunction(names->object<NS::String>(i)));
        if (function.get()) result.push_back(functionInfo(function.get()));
    }
    return result;
}

void setKeptOnDisk(MTL::CompileOptions* options, bool isKept) {
    software::setKeptOnDisk(options, isKept);
}

void setHeaders(MTL::CompileOptions* options, const std::map<std::string, std::string>& headers,
                const std::vector<std::string>& directories) {
    std::vector<const NS::Object*> names, texts, folders;
    for (const auto& [name, text] : headers) {
        names.push_back(metalString(name));
        texts.push_back(metalString(text));
    }
    for (const std::string& directory : directories) folders.push_back(metalString(directory));
    software::setHeaders(options, NS::Dictionary::dictionary(texts.data(), names.data(), names.size()));
    software::setIncludeDirectories(options, NS::Array::array(folders.data(), folders.size()));
}

namespace {

NS::UInteger threadCount() {
    return software::threadCount();
}

void setLogHandler(nb::object handler) {
    // Kernels write bytes; a message is shown whatever they are.
    const auto decoded = [](const std::string& bytes) {
        return nb::steal(PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "replace"));
    };
    if (handler.is_none()) return software::setLogHandler({});
    auto call = [decoded, handler = reference(handler)](const std::string& message, unsigned level,
                                                        const std::string& subsystem, const std::string& category) {
        if (!PythonGate::enter()) return;
        {
            nb::gil_scoped_acquire acquire;
            try {
                nb::handle(handler.get())(decoded(message), level, decoded(subsystem), decoded(category));
            } catch (nb::python_error& error) {
                error.discard_as_unraisable("a log handler");
            }
        }
        PythonGate::leave();
    };
    ReleasedGil release;
    software::setLogHandler(std::move(call));
}

void setThreadCount(std::int64_t count) {
    software::setThreadCount(checkedCount("set_thread_count", "count", count, 1, 65536));
}

std::string intermediateText(ComputePipeline& pipeline) {
    NS::Error* error = nullptr;
    const NS::String* text = software::intermediateText(pipeline.metal.get(), &error);
    return checkedText(text, error);
}

std::string assemblyText(ComputePipeline& pipeline) {
    NS::Error* error = nullptr;
    const NS::String* text = software::assemblyText(pipeline.metal.get(), &error);
    return checkedText(text, error);
}

std::shared_ptr<ComputePipeline> explainedPipeline(ComputePipeline& pipeline, bool counts) {
    checkProcess(pipeline.metal->device());
    auto explained = std::make_shared<ComputePipeline>();
    explained->name = pipeline.name;
    explained->arguments = pipeline.arguments;
    explained->maxTotalThreads = pipeline.maxTotalThreads;
    explained->requiredThreads = pipeline.requiredThreads;
    explained->maxThreads = pipeline.maxThreads;
    explained->threadgroupMemory = pipeline.threadgroupMemory;
    explained->maxThreadgroupMemory = pipeline.maxThreadgroupMemory;
    NS::Error* error = nullptr;
    explained->metal =
        interruptible([&] { return owned(software::newExplainedPipeline(pipeline.metal.get(), counts, &error)); });
    if (!explained->metal.get()) throw Failure(ErrorKind::pipeline, errorText(error), errorText(error));
    return explained;
}

nb::object explanation(ComputePipeline& pipeline) {
    software::Explanation found;
    if (!software::explanation(pipeline.metal.get(), found)) return nb::none();
    nb::list findings, lines;
    for (const software::Finding& finding : found.findings) {
        nb::dict made;
        made["kind"] = finding.kind;
        made["file"] = finding.file;
        made["line"] = finding.line;
        made["column"] = finding.column;
        made["subject"] = finding.subject;
        made["reason"] = finding.reason;
        made["argument"] = finding.argument;
        made["stride"] = finding.stride;
        made["size"] = finding.size;
        made["reads"] = finding.reads;
        made["writes"] = finding.writes;
        made["cause_line"] = finding.causeLine;
        made["times"] = finding.isCounted ? nb::cast(finding.times) : nb::none();
        made["threads"] = finding.isCounted ? nb::cast(finding.threads) : nb::none();
        findings.append(std::move(made));
    }
    for (const software::LineCode& line : found.lines)
        lines.append(nb::make_tuple(line.file, line.line, line.vector, line.uniform, line.scalar));
    nb::dict result;
    result["lane_width"] = found.laneWidth;
    result["register_bits"] = found.registerBits;
    result["findings"] = findings;
    result["lines"] = lines;
    return nb::object(std::move(result));
}

double libraryCompileSeconds(Library& library) {
    return software::compileSeconds(library.metal.get());
}

double pipelineCompileSeconds(ComputePipeline& pipeline) {
    return software::compileSeconds(pipeline.metal.get());
}

std::map<std::string, std::string> compilerInformation() {
    software::CompilerInformation information;
    if (!software::compilerInformation(information))
        fail(ErrorKind::metal, concat("the compiler doesn't answer: ", software::compilerPath()));
    return {{"path", software::compilerPath()},
            {"compiler_version", information.compilerVersion},
            {"llvm_version", information.llvmVersion},
            {"cpu", information.cpu},
            {"features", information.features}};
}

nb::object complete(const std::string& source, MTL::CompileOptions& options, std::int64_t line, std::int64_t column,
                    const std::map<std::string, std::string>& headers, const std::vector<std::string>& directories) {
    constexpr std::int64_t last = 0x7fffffff;
    const auto theLine = checkedCount("complete", "line", line, 1, last);
    const auto theColumn = checkedCount("complete", "column", column, 1, last);
    NS::String* text = metalString(source);
    if (!headers.empty() || !directories.empty()) setHeaders(&options, headers, directories);
    software::Completions found;
    if (!interruptible([&] { return software::complete(text, &options, theLine, theColumn, found); }))
        return nb::none();
    nb::list items;
    for (const software::Completion& item : found.items)
        items.append(nb::make_tuple(item.text, item.kind, item.signature));
    nb::list signatures;
    for (const software::Signature& signature : found.signatures) {
        nb::list parameters;
        for (const auto& [begin, end] : signature.parameters) parameters.append(nb::make_tuple(begin, end));
        signatures.append(nb::make_tuple(signature.text, parameters, signature.comment));
    }
    return nb::make_tuple(items, signatures, found.argument, found.column);
}

std::string cachePath() {
    return software::cachePath();
}

void setCachePath(const std::string& path) {
    software::setCachePath(path);
}

std::uint64_t cacheSize() {
    return software::cacheSize();
}

void clearCache() {
    software::clearCache();
}

void keepDispatchTimes(CommandBuffer& commandBuffer) {
    software::keepDispatchTimes(commandBuffer.metal.get());
}

std::vector<std::pair<double, double>> dispatchTimes(CommandBuffer& commandBuffer) {
    return software::dispatchTimes(commandBuffer.metal.get());
}

nb::object fault(CommandBuffer& commandBuffer) {
    software::Fault fault;
    if (!software::fault(commandBuffer.metal.get(), fault)) return nb::none();
    nb::dict result;
    result["kernel"] = fault.kernel;
    result["address"] = fault.address;
    result["is_write"] = fault.isWrite;
    result["nearest_buffer"] = fault.nearestBuffer;
    result["distance"] = fault.distance;
    result["buffer_length"] = fault.bufferLength;
    return nb::object(std::move(result));
}

}  // namespace

#else

namespace {

[[noreturn]] void unavailable() {
    fail(ErrorKind::metal, "not available on this device");
}

}  // namespace

void enterThread() {}

bool isSoftware(const MTL::Device*) {
    return false;
}

void checkProcess(const MTL::Device*) {}

void stop(MTL::CommandBuffer*, double) {}

bool waitForRoom(MTL::CommandQueue*, std::chrono::nanoseconds) {
    return true;
}

void copyMemory(const MTL::Device*, void* to, const void* from, std::size_t size) {
    std::memmove(to, from, size);
}

void commitAndRun(MTL::CommandBuffer* commandBuffer) {
    commandBuffer->commit();
}

void atEnd(MTL::CommandBuffer*, std::function<void()>) {
    unavailable();
}

const bool canWait = false;

bool wait(MTL::CommandBuffer*, std::chrono::nanoseconds) {
    unavailable();
}

Interruptible::Interruptible() = default;

Interruptible::~Interruptible() = default;

void describe(const MTL::Binding*, ArgumentInfo&) {}

std::shared_ptr<FunctionInfo> functionInfo(MTL::Function*) {
    return nullptr;
}

std::vector<std::shared_ptr<FunctionInfo>> functions(MTL::Library*) {
    return {};
}

void setKeptOnDisk(MTL::CompileOptions*, bool) {}

void setHeaders(MTL::CompileOptions*, const std::map<std::string, std::string>&, const std::vector<std::string>&) {
    unavailable();
}

namespace {

NS::UInteger threadCount() {
    unavailable();
}

void setLogHandler(const nb::object&) {}

void setThreadCount(std::int64_t) {
    unavailable();
}

std::string intermediateText(ComputePipeline&) {
    unavailable();
}

std::string assemblyText(ComputePipeline&) {
    unavailable();
}

std::shared_ptr<ComputePipeline> explainedPipeline(ComputePipeline&, bool) {
    unavailable();
}

nb::object explanation(ComputePipeline&) {
    return nb::none();
}

double libraryCompileSeconds(Library&) {
    return 0;
}

double pipelineCompileSeconds(ComputePipeline&) {
    return 0;
}

std::map<std::string, std::string> compilerInformation() {
    unavailable();
}

nb::object complete(const std::string&, MTL::CompileOptions&, std::int64_t, std::int64_t,
                    const std::map<std::string, std::string>&, const std::vector<std::string>&) {
    return nb::none();
}

std::string cachePath() {
    return {};
}

void setCachePath(const std::string&) {
    unavailable();
}

std::uint64_t cacheSize() {
    return 0;
}

void clearCache() {
    unavailable();
}

void keepDispatchTimes(CommandBuffer&) {}

std::vector<std::pair<double, double>> dispatchTimes(CommandBuffer&) {
    return {};
}

nb::object fault(CommandBuffer&) {
    return nb::none();
}

}  // namespace

#endif

}  // namespace portable

void bindPortable(nb::module_& module) {
    using namespace nb::literals;
    module.def(
        "is_software", [](MTL::Device& device) { return portable::isSoftware(&device); }, "device"_a, pooled,
        "Whether the device runs kernels on the processor.");
    module.def("thread_count", &portable::threadCount, pooled, "Threads that run kernels.");
    module.def("set_log_handler", &portable::setLogHandler, "handler"_a.none(),
               nb::sig("def set_log_handler(handler: Callable[[str, int, str, str], object] | None) -> None"),
               "Call `handler(message, level, subsystem, category)` with what kernels write with os_log, before their "
               "command buffer's callbacks; None: a line on the process's standard error stream. Nothing on a Mac.");
    module.def("set_thread_count", &portable::setThreadCount, "count"_a, pooled,
               "Threads that run kernels from the next dispatch on.");
    module.def(
        "stop", [](CommandBuffer& commandBuffer) { portable::stop(commandBuffer.metal.get()); }, "command_buffer"_a,
        pooled, "End what the command buffer runs, as Ctrl-C does.");
    module.def("keep_dispatch_times", &portable::keepDispatchTimes, "command_buffer"_a, pooled,
               "Have the command buffer keep when each of its dispatches runs; before it is committed. Nothing on a "
               "Mac.");
    module.def("dispatch_times", &portable::dispatchTimes, "command_buffer"_a, pooled,
               "Start and end of each dispatch that began, in seconds as `gpu_start_time`; empty before the command "
               "buffer has ended, where they were not kept, and on a Mac.");
    module.def("fault", &portable::fault, "command_buffer"_a, pooled,
               nb::sig("def fault(command_buffer: CommandBuffer) -> dict[str, object] | None"),
               "How a kernel of the command buffer failed: kernel, address, is_write, nearest_buffer, distance, "
               "buffer_length.");
    module.def("intermediate_text", &portable::intermediateText, "pipeline"_a, unlocked,
               "LLVM's intermediate representation of the kernel.");
    module.def("assembly_text", &portable::assemblyText, "pipeline"_a, unlocked,
               "The processor's instructions of the kernel.");
    module.def("explained_pipeline", &portable::explainedPipeline, "pipeline"_a, "counts"_a, pooled,
               "The same kernel compiled anew, so that `explanation` can tell why it is slow; with `counts`, its code "
               "counts while it runs.");
    module.def("explanation", &portable::explanation, "pipeline"_a, pooled,
               nb::sig("def explanation(pipeline: ComputePipelineState) -> dict[str, object] | None"),
               "What the compiler knows of the code that an explained pipeline's last dispatch ran, and what that code "
               "counted so far: lane_width, register_bits, findings, lines. None for other pipelines.");
    module.def("compile_seconds", &portable::libraryCompileSeconds, "library"_a, pooled,
               "Seconds the compiler took; 0 from a cache.");
    module.def("compile_seconds", &portable::pipelineCompileSeconds, "pipeline"_a, pooled);
    module.def("compiler_information", &portable::compilerInformation, unlocked,
               "path, compiler_version, llvm_version, cpu, features.");
    module.def(
        "complete", &portable::complete, "source"_a, "options"_a, "line"_a, "column"_a,
        "headers"_a = std::map<std::string, std::string>(), "directories"_a = std::vector<std::string>(), pooled,
        nb::sig("def complete(source: str, options: CompileOptions, line: int, column: int, "
                "headers: collections.abc.Mapping[str, str] = {}, "
                "directories: collections.abc.Sequence[str] = []) -> "
                "tuple[list[tuple[str, str, str]], list[tuple[str, list[tuple[int, int]], str]], int, int] | None"),
        "What may be written at a place of the source, counted from 1, the column in bytes of UTF-8: text, kind "
        "and declaration of each, best first; the signatures of the call around it, each with the places of its "
        "parameters and the comment above it, and which argument; the column where the word begins. None where the "
        "compiler cannot tell, as on a Mac.");
    module.def("cache_path", &portable::cachePath, pooled, "Folder of compiled code; empty when nothing is kept.");
    module.def("set_cache_path", &portable::setCachePath, "path"_a, pooled,
               "Keep compiled code in this folder; an empty path keeps nothing.");
    module.def("cache_size", &portable::cacheSize, unlocked, "Bytes of compiled code on disk.");
    module.def("clear_cache", &portable::clearCache, unlocked, "Forget all compiled code.");
}

}  // namespace mtlpy
