// SPDX-License-Identifier: MIT
//
// Metal's enumerations as IntEnum, its option sets as IntFlag, with Metal's values.

#pragma once

#include <initializer_list>
#include <utility>

#include "handle.hpp"

namespace mtlpy {

template <class Enum>
using Names = std::initializer_list<std::pair<const char*, Enum>>;

/// An IntEnum. A member called `None_` answers to `None` too, by getattr.
template <class Enum>
void bindEnum(nb::module_& module, const char* name, const char* doc, Names<Enum> members) {
    nb::enum_<Enum> type(module, name, nb::is_arithmetic(), doc);
    for (const auto& [member, value] : members) type.value(member, value);
    if (nb::hasattr(type, "None_")) nb::setattr(type, "None", type.attr("None_"));
}

/// An IntFlag. Metal's option sets are plain integers in C++, so functions take them as such.
void bindOptions(nb::module_& module, const char* name, const char* doc, Names<NS::UInteger> members);

}  // namespace mtlpy
