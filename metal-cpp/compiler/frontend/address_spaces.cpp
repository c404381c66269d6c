// SPDX-License-Identifier: MIT
#include "frontend/address_spaces.hpp"

#include <clang/Basic/TargetInfo.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/Support/ErrorHandling.h>

namespace metal_compiler {
namespace {

// Clang's own map for targets without spaces would tell methods' `this` from other pointers to local objects.
struct SpaceMap {
    clang::LangASMap numbers = {};
    SpaceMap() {
        numbers[static_cast<unsigned>(languageSpaceOf(AddressSpace::device))] = irDeviceSpace;
        numbers[static_cast<unsigned>(languageSpaceOf(AddressSpace::constant))] = irConstantSpace;
        numbers[static_cast<unsigned>(languageSpaceOf(AddressSpace::threadgroup))] = irThreadgroupSpace;
    }
};

// The map is a protected member without a setter.
struct OpenTarget : clang::TargetInfo {
    static constexpr auto map = &OpenTarget::AddrSpaceMap;
};

}  // namespace

void useAddressSpaces(clang::TargetInfo& target) {
    static const SpaceMap map;
    target.*OpenTarget::map = &map.numbers;
}

std::optional<AddressSpace> addressSpaceOfKeyword(llvm::StringRef keyword) {
    return llvm::StringSwitch<std::optional<AddressSpace>>(keyword)
        .Case("thread", AddressSpace::thread)
        .Case("device", AddressSpace::device)
        .Case("constant", AddressSpace::constant)
        .Case("threadgroup", AddressSpace::threadgroup)
        .Default(std::nullopt);
}

llvm::StringRef keywordOf(AddressSpace space) {
    switch (space) {
        case AddressSpace::thread:
            return "thread";
        case AddressSpace::device:
            return "device";
        case AddressSpace::constant:
            return "constant";
        case AddressSpace::threadgroup:
            return "threadgroup";
    }
    llvm_unreachable("no such address space");
}

llvm::StringRef typeAttributeOf(AddressSpace space) {
    switch (space) {
        case AddressSpace::thread:
            return "";
        // Not opencl_global, which is a superset of opencl_global_host: `constant` would convert to it silently.
        case AddressSpace::device:
            return "opencl_global_device";
        case AddressSpace::constant:
            return "opencl_global_host";
        case AddressSpace::threadgroup:
            return "opencl_local";
    }
    llvm_unreachable("no such address space");
}

AddressSpace addressSpaceOf(clang::LangAS space) {
    switch (space) {
        case clang::LangAS::sycl_global_device:
            return AddressSpace::device;
        case clang::LangAS::sycl_global_host:
            return AddressSpace::constant;
        case clang::LangAS::sycl_local:
            return AddressSpace::threadgroup;
        default:
            return AddressSpace::thread;
    }
}

clang::LangAS languageSpaceOf(AddressSpace space) {
    switch (space) {
        case AddressSpace::thread:
            return clang::LangAS::Default;
        case AddressSpace::device:
            return clang::LangAS::sycl_global_device;
        case AddressSpace::constant:
            return clang::LangAS::sycl_global_host;
        case AddressSpace::threadgroup:
            return clang::LangAS::sycl_local;
    }
    llvm_unreachable("no such address space");
}

}  // namespace metal_compiler
