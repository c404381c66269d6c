// SPDX-License-Identifier: MIT

#include "cache_key.hpp"

#include <elf.h>
#include <link.h>
#include <sys/stat.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <string_view>

#if defined(__x86_64__)
#include <cpuid.h>
#else
#include <sys/auxv.h>
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

constexpr std::uint64_t mostNoteBytes = 1u << 16;

/// The description of the note that holds GNU's build ID; empty without.
std::string buildIdIn(std::string_view notes) {
    const auto padded = [](std::uint64_t size) { return (size + 3) & ~std::uint64_t{3}; };
    while (notes.size() >= sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) note{};
        std::memcpy(&note, notes.data(), sizeof note);
        notes.remove_prefix(sizeof note);
        const std::uint64_t nameBytes = padded(note.n_namesz), bytes = nameBytes + padded(note.n_descsz);
        if (bytes > notes.size()) break;
        if (note.n_type == NT_GNU_BUILD_ID && notes.starts_with(std::string_view("GNU\0", 4)))
            return std::string(notes.substr(nameBytes, note.n_descsz));
        notes.remove_prefix(bytes);
    }
    return {};
}

}  // namespace

std::string CacheKey::hex() const {
    char text[33];
    std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(high),
                  static_cast<unsigned long long>(low));
    return text;
}

CacheKey cacheKey(protocol::RequestKind kind, std::span<const std::uint8_t> request, const std::string& compiler) {
    // Everything that counts, each part with its length; the request, which may be large, where it lies.
    struct Parts {
        std::uint32_t protocolVersion = protocol::version;
        std::uint32_t kernelVersion = metal_kernel_abi_version;
        protocol::RequestKind kind;
        std::string compiler, processor;
        std::uint64_t requestBytes;
        void fields(wire::Encoder& f) { f(protocolVersion, kernelVersion, kind, compiler, processor, requestBytes); }
    } parts{.kind = kind, .compiler = compiler, .processor = processorIdentity(), .requestBytes = request.size()};
    const wire::Bytes bytes = wire::encode(parts);
    XXH3_state_t state;
    XXH3_128bits_reset(&state);
    XXH3_128bits_update(&state, bytes.data(), bytes.size());
    XXH3_128bits_update(&state, request.data(), request.size());
    const XXH128_hash_t hash = XXH3_128bits_digest(&state);
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

std::string compilerBuild(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    ElfW(Ehdr) header{};
    if (!file.read(reinterpret_cast<char*>(&header), sizeof header) ||
        std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_phentsize != sizeof(ElfW(Phdr)))
        return compilerIdentity(path);
    for (unsigned i = 0; i < header.e_phnum; ++i) {
        ElfW(Phdr) segment{};
        file.seekg(static_cast<std::streamoff>(header.e_phoff + i * sizeof segment));
        if (!file.read(reinterpret_cast<char*>(&segment), sizeof segment)) break;
        if (segment.p_type != PT_NOTE || segment.p_filesz > mostNoteBytes) continue;
        std::string notes(segment.p_filesz, '\0');
        file.seekg(static_cast<std::streamoff>(segment.p_offset));
        if (!file.read(notes.data(), static_cast<std::streamsize>(notes.size()))) break;
        const std::string id = buildIdIn(notes);
        if (!id.empty()) return "build " + id;
    }
    return compilerIdentity(path);
}

const std::string& processorIdentity() {
    // The compiler heeds the variable, too.
    static const std::string identity = [] {
        const char* older = std::getenv("MTLPY_PROCESSOR");
        return readProcessor() + (older ? older : "");
    }();
    return identity;
}

}  // namespace metal_compiler_client
