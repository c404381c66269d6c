// SPDX-License-Identifier: MIT

#include "cache_key.hpp"

#include <sys/stat.h>

#include <cstdlib>
#include <memory>

#if defined(__x86_64__)
#include <cpuid.h>
#else
#include <sys/auxv.h>

#include <fstream>
#endif

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "../../executor/kernel_abi.h"

namespace metal_compiler_client {
namespace {

#if defined(__x86_64__)
std::string readProcessor() {
    std::string text;
    const auto add = [&](unsigned word) { text.append(reinterpret_cast<const char*>(&word), sizeof word); };
    const auto leaf = [&](unsigned number, unsigned part, bool withB) {
        unsigned a = 0, b = 0, c = 0, d = 0;
        if (!__get_cpuid_count(number, part, &a, &b, &c, &d)) return;
        add(number);
        add(a);
        if (withB) add(b);
        add(c);
        add(d);
    };
    leaf(0, 0, true);
    leaf(1, 0, false);  // B says which core this is
    for (unsigned part = 0; part < 3; ++part) leaf(7, part, true);
    leaf(0xd, 1, false);
    leaf(0x80000001, 0, true);
    unsigned a = 0, b = 0, c = 0, d = 0;
    constexpr unsigned osxsave = 1u << 27;
    if (__get_cpuid(1, &a, &b, &c, &d) && (c & osxsave)) {  // registers that the system saves
        asm volatile("xgetbv" : "=a"(a), "=d"(d) : "c"(0));
        add(a);
        add(d);
    }
    return text;
}
#else
std::string readProcessor() {
    std::string text = std::to_string(getauxval(AT_HWCAP)) + "," + std::to_string(getauxval(AT_HWCAP2));
    std::ifstream file("/sys/devices/system/cpu/cpu0/regs/identification/midr_el1");
    std::string model;
    std::getline(file, model);
    return text + "," + model;
}
#endif

}  // namespace

std::string CacheKey::hex() const {
    char text[33];
    std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(high),
                  static_cast<unsigned long long>(low));
    return text;
}

CacheKey cacheKey(protocol::RequestKind kind, std::span<const std::uint8_t> request, const std::string& compiler) {
    // A plain struct of everything that counts, each part with its length.
    struct Parts {
        std::uint32_t protocolVersion = protocol::version;
        std::uint32_t kernelVersion = metal_kernel_abi_version;
        protocol::RequestKind kind;
        std::string compiler, processor;
        wire::Bytes request;
        void fields(wire::Encoder& f) { f(protocolVersion, kernelVersion, kind, compiler, processor, request); }
    } parts{.kind = kind,
            .compiler = compiler,
            .processor = processorIdentity(),
            .request = wire::Bytes(request.begin(), request.end())};
    const wire::Bytes bytes = wire::encode(parts);
    const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
    return {hash.high64, hash.low64};
}

std::uint64_t contentHash(std::span<const std::uint8_t> bytes) {
    return XXH3_64bits(bytes.data(), bytes.size());
}

std::string compilerIdentity(const std::string& path) {
    struct stat facts{};
    if (path.empty() || stat(path.c_str(), &facts) != 0) return {};
    const std::unique_ptr<char, decltype(&std::free)> real(realpath(path.c_str(), nullptr), &std::free);
    return std::string(real ? real.get() : path.c_str()) + "|" + std::to_string(facts.st_size) + "|" +
           std::to_string(facts.st_mtim.tv_sec) + "." + std::to_string(facts.st_mtim.tv_nsec);
}

const std::string& processorIdentity() {
    static const std::string identity = readProcessor();
    return identity;
}

}  // namespace metal_compiler_client
