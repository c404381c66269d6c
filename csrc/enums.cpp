// SPDX-License-Identifier: MIT

#include "enums.hpp"

namespace mtlpy {

void bindOptions(nb::module_& module, const char* name, const char* doc, Names<NS::UInteger> members) {
    nb::dict values;
    for (const auto& [member, value] : members) values[member] = value;
    nb::object type =
        nb::module_::import_("enum").attr("IntFlag")(name, values, nb::arg("module") = module.attr("__name__"));
    type.attr("__doc__") = doc;
    if (nb::hasattr(type, "None_")) nb::setattr(type, "None", type.attr("None_"));
    module.attr(name) = type;
}

}  // namespace mtlpy
