// SPDX-License-Identifier: MIT
#include "frontend/invocation.hpp"

#include <clang/Basic/Diagnostic.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>

#include <stdexcept>
#include <vector>

#include "frontend/standard_headers.hpp"

namespace metal_compiler {
namespace {

constexpr std::uint32_t newestLanguageVersion = (3u << 16) | 2;  // MTL::LanguageVersion3_2

const std::vector<const char*>& languageArguments() {
    static const std::vector<const char*> arguments = {
        "-x",
        "c++",
        "-std=c++17",
        // Address spaces are types, and each converts to the default one.
        "-fsycl-is-device",
        "-fdeclspec",  // properties: swizzles
        "-fno-rtti",
        "-fno-threadsafe-statics",
        "-fwrapv",
        "-fno-finite-loops",  // an endless loop would become `unreachable` and run off the function's end
        "-fno-strict-float-cast-overflow",
        "-ffloat16-excess-precision=none",
        "-fbfloat16-excess-precision=none",
        "-fno-builtin",  // there is no C library to call
        "-cl-single-precision-constant",
        // Full information for the optimiser; the target runs the passes.
        "-O2",
        "-disable-llvm-passes",
        "-nostdsysteminc",
        "-nobuiltininc",
        "-internal-isystem",
        standardHeaderFolder,
        "-fbracket-depth",
        "1024",
        "-ftemplate-depth=512",
        "-fconstexpr-depth=512",
        "-ferror-limit",
        "20",
        "-fno-diagnostics-show-line-numbers",
        "-fno-elide-type",
        "-fshow-overloads=best",
        "-fparse-all-comments",  // for reflection: a kernel's comment
        "-Wunused-variable",
        "-Wuninitialized",
        "-Werror=unknown-attributes",
        "-Werror=ignored-attributes",
        "-Werror=return-type",
        "-Wno-duplicate-decl-specifier",  // `constant` is `const` already
        "-Wno-vla-cxx-extension",         // an error of ours
        "-Wno-unused-const-variable",
        "-Wno-undefined-internal",
        "-Wno-undefined-inline",
        "-Wno-c++20-extensions",
        "-Wno-c++23-extensions",
        "-Wno-gcc-compat",
        "-Wno-unknown-pragmas",
        "-Wno-elaborated-enum-base",  // `NS_ENUM` as headers shared with Objective-C define it for Metal
    };
    return arguments;
}

std::vector<const char*> mathArguments(const Mode& mode) {
    switch (mode.mathMode) {
        case protocol::MathMode::safe:
            return {"-ffp-contract=on"};
        case protocol::MathMode::relaxed:
            return {"-ffp-contract=fast", "-fapprox-func", "-mreassociate", "-freciprocal-math", "-fno-signed-zeros"};
        case protocol::MathMode::fast:
            return {"-ffp-contract=fast", "-fapprox-func",    "-mreassociate",   "-freciprocal-math",
                    "-fno-signed-zeros",  "-menable-no-infs", "-menable-no-nans"};
    }
    return {};
}

unsigned metalVersion(std::uint32_t languageVersion) {
    if (languageVersion == 0) languageVersion = newestLanguageVersion;
    return (languageVersion >> 16) * 100 + (languageVersion & 0xffff) * 10;
}

}  // namespace

Mode modeOf(const protocol::CompileOptions& options) {
    return {options.mathMode, options.preserveInvariance, options.keepsLines};
}

std::shared_ptr<clang::CompilerInvocation> makeInvocation(const Mode& mode, const TargetDescription& target,
                                                          clang::DiagnosticsEngine& diagnostics) {
    // SYCL's mangling asks a second, host target how it names types such as `bfloat`.
    std::vector<const char*> arguments = {"-triple", target.triple.c_str(), "-aux-triple", target.triple.c_str()};
    if (!target.cpu.empty()) arguments.insert(arguments.end(), {"-target-cpu", target.cpu.c_str()});
    std::vector<std::string> features;
    llvm::SmallVector<llvm::StringRef, 128> parts;
    llvm::StringRef(target.features).split(parts, ',', -1, false);
    for (const llvm::StringRef part : parts) features.push_back(part.str());
    for (const std::string& feature : features) arguments.insert(arguments.end(), {"-target-feature", feature.c_str()});
    const auto& language = languageArguments();
    arguments.insert(arguments.end(), language.begin(), language.end());
    const auto math = mathArguments(mode);
    arguments.insert(arguments.end(), math.begin(), math.end());
    if (mode.keepsLines) arguments.push_back("-debug-info-kind=line-tables-only");
    arguments.push_back("program_source");

    auto invocation = std::make_shared<clang::CompilerInvocation>();
    if (!clang::CompilerInvocation::CreateFromArgs(*invocation, arguments, diagnostics)) {
        throw std::logic_error("Clang does not take the arguments that this program was written for");
    }
    invocation->getLangOpts().SinglePrecisionConstants = true;  // the argument is OpenCL's alone
    // Where variables begin and end to live says nothing once threads are widened.
    invocation->getCodeGenOpts().DisableLifetimeMarkers = true;
    return invocation;
}

llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> makeStandardHeaders() {
    auto files = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
    for (const StandardHeader& header : standardHeaders()) {
        files->addFile(
            std::string(standardHeaderFolder) + "/" + header.name, 0,
            llvm::MemoryBuffer::getMemBuffer(llvm::StringRef(header.text.data(), header.text.size()), header.name));
    }
    return files;
}

std::string preludeText(const Mode& mode) {
    std::string text = R"(
#undef SYCL_LANGUAGE_VERSION
#undef __SYCL_DEVICE_ONLY__
#undef __linux__
#undef __linux
#undef linux
#undef __gnu_linux__
#undef __unix__
#undef __unix
#undef unix
#undef __x86_64__
#undef __x86_64
#undef __amd64__
#undef __amd64
#define __METAL__ 1
#define __METAL_MACOS__ 1
#define __HAVE_BFLOAT__ 1
typedef __SIZE_TYPE__ size_t;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef _Float16 half;
typedef __bf16 bfloat;
struct __metal_operand {};
template <bool> struct __metal_if {};
template <> struct __metal_if<true> { typedef int type; };
template <typename T, typename __metal_if<(__is_class(T) || __is_union(T)) && __is_constructible(T, const T&)>::type = 0>
constexpr const T operator,(__metal_operand, T value) { return value; }
template <typename T> struct __metal_to {};
template <typename T, typename __metal_if<__is_same(T, half)>::type = 0>
constexpr float operator,(__metal_to<bfloat>, T value) { return value; }
template <typename T, typename __metal_if<__is_same(T, bfloat)>::type = 0>
constexpr float operator,(__metal_to<half>, T value) { return value; }
extern "C" bool __metal_is_function_constant_defined(const __attribute__((opencl_global_host)) void*);
)";
    switch (mode.mathMode) {
        case protocol::MathMode::safe:
            text += "#define __METAL_MATH_SAFE__ 1\n";
            break;
        case protocol::MathMode::relaxed:
            text += "#define __METAL_MATH_RELAXED__ 1\n";
            break;
        case protocol::MathMode::fast:
            text += "#define __METAL_MATH_FAST__ 1\n#define __FAST_MATH__ 1\n";
            break;
    }
    // Vectors, matrices and sized integers are there before any header.
    return text + "#include <metal_types>\n";
}

std::string macroText(const protocol::CompileOptions& options) {
    std::string text = "#define __METAL_VERSION__ " + std::to_string(metalVersion(options.languageVersion)) + "\n";
    for (const protocol::NamedText& macro : options.macros) {
        // A macro's text is one line; what follows a line break would be a directive.
        std::string value = macro.text;
        for (char& letter : value) {
            if (letter == '\n' || letter == '\r') letter = ' ';
        }
        text += "#define " + macro.name + " " + value + "\n";
    }
    return text;
}

}  // namespace metal_compiler
