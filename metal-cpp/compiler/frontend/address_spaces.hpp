// SPDX-License-Identifier: MIT
//
// Metal's address spaces as Clang's language spaces. In SYCL device mode spaces are part of types, so that overloads on
// them work and a mismatch is an error, while each of them converts to the default space, which is Metal's `thread`.

#pragma once

#include <clang/Basic/AddressSpaces.h>
#include <llvm/ADT/StringRef.h>

#include <cstdint>
#include <optional>

namespace clang {
class TargetInfo;
}

namespace metal_compiler {

enum class AddressSpace : std::uint8_t { thread = 0, device = 1, constant = 2, threadgroup = 3 };  // protocol::Type

/// The space that a keyword names, or nothing.
std::optional<AddressSpace> addressSpaceOfKeyword(llvm::StringRef keyword);

llvm::StringRef keywordOf(AddressSpace space);

/// The GNU attribute that puts a type into the space; empty for `thread`.
llvm::StringRef typeAttributeOf(AddressSpace space);

/// Of methods qualified with `thread`. To Clang this space and the default one contain each other, const or not, and
/// neither it nor one of the other three contains the other.
inline constexpr clang::LangAS threadMethodSpace = clang::LangAS::ptr64;

/// Of an object or a pointee; threadMethodSpace is `thread` as well.
AddressSpace addressSpaceOf(clang::LangAS space);
clang::LangAS languageSpaceOf(AddressSpace space);

// Their numbers in the IR.
inline constexpr unsigned irThreadgroupSpace = 3;
inline constexpr unsigned irDeviceSpace = 5;
inline constexpr unsigned irConstantSpace = 6;

/// Puts the spaces into the IR of targets that have none, for the passes' use.
void useAddressSpaces(clang::TargetInfo& target);

}  // namespace metal_compiler
