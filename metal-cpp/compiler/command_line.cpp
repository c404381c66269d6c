// SPDX-License-Identifier: MIT
#include "command_line.hpp"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/raw_ostream.h>
#include <pthread.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../executor/texel_formats.hpp"
#include "frontend/completion.hpp"
#include "frontend/library.hpp"
#include "frontend/pipeline.hpp"
#include "frontend/preprocess.hpp"
#include "reflection_text.hpp"
#include "service/child.hpp"
#include "service/service.hpp"
#include "version.hpp"

namespace metal_compiler {
namespace {

constexpr const char* usage = R"(usage: metal-compiler FILE.metal [options]
  -o FILE             write the kernel as a shared object
  --kernel NAME       which kernel, when the file has several
  -D NAME[=TEXT]      define a macro
  -I FOLDER           look there for included files
  --math MODE         safe, relaxed (default) or fast
  --constant N=VALUE  a function constant's value: an integer, a number with a point (float), true or false
  --texture N=FORMAT  code for textures of this MTLPixelFormat (its number) alone at [[texture(N)]]
  --sampler N=STATE   code for samplers of this state (metal_sampler's bits) alone at [[sampler(N)]]
  --lanes N           code for N lanes
  --mapping NAME      row (default) or linear: how threads are laid on lanes
  --emit-library      with --show ir: the library's IR, before any optimisation
  --show WHAT         print ir, asm or reflection
  --complete L:C      print what may be written at line L, column C, best first
  --preprocess        print the text with files included, parts chosen and macros replaced; FILE may be -
  --version           print the version
  --serve FD          answer requests over a socket (see protocol.hpp)
)";

struct Command {
    std::string file, output, kernel, show;
    bool emitLibrary = false;
    protocol::CompileOptions options;
    std::vector<protocol::ConstantValue> constants;
    std::vector<std::pair<std::uint32_t, std::uint64_t>> textures, samplers;  // by index, what is bound there
    std::uint32_t lanes = 0, mapping = 0;
    std::uint32_t line = 0, column = 0;  // of --complete
    int descriptor = -1;
    bool preprocess = false, version = false, help = false;
};

struct UsageError {
    std::string message;
};

template <class T>
wire::Bytes bytesOf(T value) {
    wire::Bytes bytes(sizeof value);
    std::memcpy(bytes.data(), &value, sizeof value);
    return bytes;
}

template <class T>
T numberFrom(const std::string& text, const std::string& what) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        throw UsageError{what + ": '" + text + "' is not a number"};
    return value;
}

std::pair<std::uint32_t, std::uint64_t> boundFrom(const std::string& text, const std::string& option) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) throw UsageError{option + ": expected N=NUMBER, got '" + text + "'"};
    return {numberFrom<std::uint32_t>(text.substr(0, equals), option),
            numberFrom<std::uint64_t>(text.substr(equals + 1), option)};
}

protocol::ConstantValue constantFrom(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) throw UsageError{"--constant: expected N=VALUE, got '" + text + "'"};
    protocol::ConstantValue constant;
    constant.index = numberFrom<std::uint32_t>(text.substr(0, equals), "--constant");
    const std::string value = text.substr(equals + 1);
    if (value == "true" || value == "false") {
        constant.bytes = bytesOf<std::int64_t>(value == "true");
    } else if (value.find('.') != std::string::npos) {
        constant.bytes = bytesOf(numberFrom<float>(value, "--constant"));
    } else {
        constant.bytes = bytesOf(numberFrom<std::int64_t>(value, "--constant"));
    }
    return constant;
}

protocol::NamedText macroFrom(const std::string& text) {
    const std::size_t equals = text.find('=');
    return equals == std::string::npos ? protocol::NamedText{text, "1"}
                                       : protocol::NamedText{text.substr(0, equals), text.substr(equals + 1)};
}

protocol::MathMode mathModeFrom(const std::string& text) {
    if (text == "safe") return protocol::MathMode::safe;
    if (text == "relaxed") return protocol::MathMode::relaxed;
    if (text == "fast") return protocol::MathMode::fast;
    throw UsageError{"--math: expected safe, relaxed or fast, got '" + text + "'"};
}

void readPlace(const std::string& text, Command& command) {
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos) throw UsageError{"--complete: expected LINE:COLUMN, got '" + text + "'"};
    command.line = numberFrom<std::uint32_t>(text.substr(0, colon), "--complete");
    command.column = numberFrom<std::uint32_t>(text.substr(colon + 1), "--complete");
    if (command.line == 0 || command.column == 0) throw UsageError{"--complete: lines and columns count from 1"};
}

Command parse(int count, char** arguments) {
    Command command;
    for (int i = 1; i < count; ++i) {
        std::string option = arguments[i], attached;
        if (option.size() > 2 && (option.starts_with("-D") || option.starts_with("-I") || option.starts_with("-o"))) {
            attached = option.substr(2);
            option.resize(2);
        }
        const auto value = [&] {
            if (!attached.empty()) return attached;
            if (++i == count) throw UsageError{option + ": expected a value"};
            return std::string(arguments[i]);
        };
        if (option == "-o")
            command.output = value();
        else if (option == "--kernel")
            command.kernel = value();
        else if (option == "-D")
            command.options.macros.push_back(macroFrom(value()));
        else if (option == "-I")
            command.options.includeDirectories.push_back(value());
        else if (option == "--math")
            command.options.mathMode = mathModeFrom(value());
        else if (option == "--constant")
            command.constants.push_back(constantFrom(value()));
        else if (option == "--texture")
            command.textures.push_back(boundFrom(value(), option));
        else if (option == "--sampler")
            command.samplers.push_back(boundFrom(value(), option));
        else if (option == "--lanes")
            command.lanes = numberFrom<std::uint32_t>(value(), option);
        else if (option == "--mapping")
            command.mapping = value() == "linear" ? 1 : 0;
        else if (option == "--emit-library")
            command.emitLibrary = true;
        else if (option == "--show")
            command.show = value();
        else if (option == "--serve")
            command.descriptor = numberFrom<int>(value(), option);
        else if (option == "--complete")
            readPlace(value(), command);
        else if (option == "--preprocess")
            command.preprocess = true;
        else if (option == "--version")
            command.version = true;
        else if (option == "--help" || option == "-h")
            command.help = true;
        else if (option.size() > 1 && option.starts_with("-"))
            throw UsageError{"unknown option '" + option + "'"};
        else if (command.file.empty())
            command.file = option;
        else
            throw UsageError{"more than one file: '" + command.file + "' and '" + option + "'"};
    }
    if (!command.show.empty() && command.show != "ir" && command.show != "asm" && command.show != "reflection") {
        throw UsageError{"--show: expected ir, asm or reflection, got '" + command.show + "'"};
    }
    return command;
}

std::optional<std::string> readFile(const std::string& path) {
    if (path == "-") return std::string(std::istreambuf_iterator<char>(std::cin), {});
    std::ifstream stream(path, std::ios::binary);
    if (!stream) return std::nullopt;
    return std::string(std::istreambuf_iterator<char>(stream), {});
}

int fail(const std::string& message) {
    std::fprintf(stderr, "metal-compiler: %s\n", message.c_str());
    return 1;
}

int printLibraryIr(const wire::Bytes& bitcode) {
    llvm::LLVMContext context;
    const llvm::StringRef bytes(reinterpret_cast<const char*>(bitcode.data()), bitcode.size());
    auto module = llvm::parseBitcodeFile(llvm::MemoryBufferRef(bytes, "library"), context);
    if (!module) return fail(llvm::toString(module.takeError()));
    (*module)->print(llvm::outs(), nullptr);
    return 0;
}

const protocol::Function* chooseKernel(const protocol::LibraryReply& library, const std::string& name) {
    if (name.empty()) return library.functions.size() == 1 ? &library.functions.front() : nullptr;
    for (const protocol::Function& function : library.functions) {
        if (function.name == name) return &function;
    }
    return nullptr;
}

std::string kernelNames(const protocol::LibraryReply& library) {
    std::string names;
    for (const protocol::Function& function : library.functions) names += (names.empty() ? "" : ", ") + function.name;
    return names.empty() ? "none" : names;
}

int compilePipelineOf(const Command& command, const protocol::LibraryReply& library, Target& target) {
    const protocol::Function* kernel = chooseKernel(library, command.kernel);
    if (kernel == nullptr) {
        return fail((command.kernel.empty() ? "choose one of its kernels with --kernel"
                                            : "no kernel '" + command.kernel + "'") +
                    "; the file has: " + kernelNames(library));
    }
    protocol::PipelineRequest request;
    request.bitcode = library.bitcode;
    if (kernel->kind == protocol::FunctionKind::visible) {
        return fail("'" + kernel->name +
                    "' is a visible function, which has no code of its own: kernels call it through a " +
                    "visible_function_table");
    }
    request.entry = kernel->entry;
    request.name = kernel->name;
    request.constants = command.constants;
    request.maxTotalThreads = kernel->maxTotalThreads;
    request.laneWidth = command.lanes;
    request.laneMapping = command.mapping;
    request.mathMode = command.options.mathMode;
    for (const protocol::Argument& argument : kernel->arguments) {
        const auto forArgument = [&](const auto& bound) { return bound.first == argument.index; };
        if (argument.kind == protocol::ArgumentKind::texture) {
            const auto found = std::ranges::find_if(command.textures, forArgument);
            if (found == command.textures.end()) continue;
            const auto format = std::uint32_t(found->second);
            const std::uint32_t bytes = metal_texels::layoutOf(format & metal_texels::formatBits).bytes;
            request.textures.push_back({argument.slot, format, bytes});
        } else if (argument.kind == protocol::ArgumentKind::sampler) {
            const auto found = std::ranges::find_if(command.samplers, forArgument);
            if (found != command.samplers.end()) request.samplers.push_back({argument.slot, found->second});
        }
    }
    if (command.show == "ir") request.output = protocol::Output::ir;
    if (command.show == "asm") request.output = protocol::Output::assembly;
    const protocol::PipelineReply reply = compilePipeline(request, target);
    std::fputs(reply.log.c_str(), stderr);
    if (!reply.ok) return 1;
    std::fputs(reply.text.c_str(), stdout);
    if (command.output.empty() || request.output != protocol::Output::object) return 0;
    std::ofstream stream(command.output, std::ios::binary);
    stream.write(reinterpret_cast<const char*>(reply.object.data()), static_cast<std::streamsize>(reply.object.size()));
    stream.close();
    return stream ? 0 : fail("cannot write '" + command.output + "'");
}

int printCompletions(const Command& command, const protocol::LibraryRequest& program, Target& target) {
    const protocol::CompletionRequest request{program.source, program.options, command.line, command.column};
    const protocol::CompletionReply reply = complete(request, describe(target));
    for (const protocol::Signature& signature : reply.signatures) {
        std::string text = signature.text;
        if (reply.argument < signature.parameters.size()) {
            const auto& [begin, end] = signature.parameters[reply.argument];
            text.insert(end, "<<").insert(begin, ">>");
        }
        std::printf("( %s\n", text.c_str());
        for (const llvm::StringRef line : llvm::split(signature.comment, '\n')) {
            if (!signature.comment.empty()) std::printf("// %s\n", line.str().c_str());
        }
    }
    for (const protocol::Completion& item : reply.items) {
        std::printf("%s\t%s\n", item.text.c_str(), item.signature.c_str());
    }
    return 0;
}

int printPreprocessed(const protocol::LibraryRequest& program, Target& target) {
    const PreprocessedText text = preprocessText(program, describe(target));
    std::fputs(text.log.c_str(), stderr);
    if (text.ok) std::fputs(text.text.c_str(), stdout);
    return text.ok ? 0 : 1;
}

int compileFile(const Command& command) {
    const auto source = readFile(command.file);
    if (!source) return fail("cannot read '" + command.file + "'");
    initialiseFrontend();
    const std::unique_ptr<Target> target = makeHostTarget();
    protocol::LibraryRequest request;
    request.source = *source;
    request.options = command.options;
    const std::filesystem::path folder = std::filesystem::path(command.file).parent_path();
    if (command.file != "-") {
        request.options.includeDirectories.insert(request.options.includeDirectories.begin(),
                                                  folder.empty() ? "." : folder.string());
    }
    if (command.preprocess) return printPreprocessed(request, *target);
    if (command.line != 0) return printCompletions(command, request, *target);
    const protocol::LibraryReply library = compileLibrary(request, describe(*target), nullptr, command.file);
    std::fputs(library.log.c_str(), stderr);
    if (!library.ok) return 1;
    if (command.show == "reflection") {
        std::fputs(reflectionText(library).c_str(), stdout);
        return 0;
    }
    if (command.show == "ir" && command.emitLibrary) return printLibraryIr(library.bitcode);
    return command.output.empty() && command.show.empty() ? 0 : compilePipelineOf(command, library, *target);
}

// Deep sources need a deep stack, here as in the service's children.
int onDeepStack(const Command& command) {
    struct Call {
        const Command* command;
        int status;
    } call{&command, 1};
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, std::size_t{256} << 20);
    pthread_t thread;
    const auto start = [](void* data) -> void* {
        auto* work = static_cast<Call*>(data);
        work->status = compileFile(*work->command);
        return nullptr;
    };
    if (pthread_create(&thread, &attributes, start, &call) != 0) return compileFile(command);
    pthread_join(thread, nullptr);
    return call.status;
}

}  // namespace

int runCommand(int argumentCount, char** arguments) {
    Command command;
    try {
        command = parse(argumentCount, arguments);
        if (!command.version && !command.help && command.descriptor < 0 && command.file.empty()) {
            throw UsageError{"no file given"};
        }
    } catch (const UsageError& error) {
        std::fprintf(stderr, "metal-compiler: %s\n%s", error.message.c_str(), usage);
        return 2;
    }
    if (command.help) {
        std::fputs(usage, stdout);
        return 0;
    }
    if (command.version) {
        std::printf("metal-compiler %s (LLVM %s)\n", compilerVersion, LLVM_VERSION_STRING);
        return 0;
    }
    return command.descriptor >= 0 ? serve(command.descriptor) : onDeepStack(command);
}

}  // namespace metal_compiler
