// SPDX-License-Identifier: MIT
//
// Functions of a library and the constants that specialise them.

#include "function.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <variant>

#include "bind.hpp"
#include "bytes.hpp"
#include "data_type.hpp"
#include "errors.hpp"
#include "portable.hpp"
#include "text.hpp"

namespace mtlpy {

namespace {

using namespace nb::literals;

/// A constant as the source declares it.
struct ConstantInfo {
    std::string name;
    std::uint64_t index = 0;
    MTL::DataType type = MTL::DataTypeNone;
    bool required = false;
};

/// An input with [[attribute(n)]].
struct AttributeInfo {
    std::string name;
    std::uint64_t index = 0;
    MTL::DataType type = MTL::DataTypeNone;
    bool isControlPoint = false;
};

using Constants = std::map<std::string, ConstantInfo>;

Constants readConstants(const MTL::Function* function) {
    Constants constants;
    const NS::Dictionary* declared = function->functionConstantsDictionary();
    if (!declared || declared->count() == 0) return constants;
    auto* names = declared->keyEnumerator<NS::String>();
    while (const NS::String* name = names->nextObject()) {
        const auto* constant = declared->object<MTL::FunctionConstant>(name);
        const std::string text = pythonText(name);
        constants[text] = {text, constant->index(), constant->type(), constant->required()};
    }
    return constants;
}

const ConstantInfo& findConstant(const Constants& constants, nb::handle key) {
    std::string name;
    std::uint64_t index = 0;
    if (nb::try_cast(key, name)) {
        const auto found = constants.find(name);
        if (found != constants.end()) return found->second;
    } else if (nb::try_cast(key, index)) {
        for (const auto& [_, constant] : constants)
            if (constant.index == index) return constant;
    } else {
        throw nb::type_error(
            concat("new_function: a constant is named by a str or an int, got ", nb::repr(key).c_str()).c_str());
    }
    std::string known;
    for (const auto& [other, _] : constants) known += (known.empty() ? "" : ", ") + other;
    fail(ErrorKind::validation, concat("new_function: no constant ", nb::repr(key).c_str(), "; the library declares ",
                                       known.empty() ? "none" : known));
}

/// The bytes of `value` as Metal lays out the constant's type. Python's struct module checks types and ranges.
nb::bytes packConstant(const ConstantInfo& constant, nb::handle value) {
    const DataTypeFacts facts = dataTypeFacts(constant.type);
    if (facts.scalar == 0)
        fail(ErrorKind::validation,
             concat("new_function: constant ", constant.name, " has a type that takes no value from Python"));
    nb::list parts;
    if (facts.components == 1)
        parts.append(value);
    else
        parts.extend(nb::list(nb::borrow(value)));
    try {
        const std::string format = "<" + std::to_string(facts.components) + facts.scalar;
        nb::object packed = nb::module_::import_("struct").attr("pack")(format, *nb::tuple(parts));
        return nb::borrow<nb::bytes>(packed.attr("ljust")(facts.size, nb::bytes("\0", 1)));
    } catch (nb::python_error& error) {
        fail(ErrorKind::validation, concat("new_function: constant ", constant.name, " is a ", facts.name, ", got ",
                                           nb::repr(value).c_str(), ": ", nb::str(error.value()).c_str()));
    }
}

void bindConstants(nb::module_& module) {
    nb::class_<ConstantInfo>(module, "FunctionConstant", "A function constant that a library declares.")
        .def_ro("name", &ConstantInfo::name, "Its name in the source.")
        .def_ro("index", &ConstantInfo::index, "n of [[function_constant(n)]].")
        .def_ro("type", &ConstantInfo::type, "Type of its value.")
        .def_ro("required", &ConstantInfo::required,
                "Whether a function that uses it cannot be made without a value for it.")
        .def("__repr__", [](const ConstantInfo& self) {
            return "<FunctionConstant " + dataTypeFacts(self.type).name + " " + self.name + " [[function_constant(" +
                   std::to_string(self.index) + ")]]>";
        });

    nb::class_<MTL::FunctionConstantValues>(module, "FunctionConstantValues",
                                            "Values for function constants, by index or name.",
                                            nb::is_weak_referenceable())
        .def(nb::new_([] { return owned(MTL::FunctionConstantValues::alloc()->init()); }), pooled)
        .def(
            "set_constant_value",
            [](MTL::FunctionConstantValues& self, BytesLike value, MTL::DataType type,
               const std::variant<std::int64_t, std::string>& index) {
                const ByteView bytes(value, ByteView::Access::read, "set_constant_value", "value");
                const DataTypeFacts facts = dataTypeFacts(type);
                if (facts.scalar == 0 || bytes.size() < facts.size)
                    fail(ErrorKind::validation, concat("set_constant_value: value has ", bytes.size(), " bytes, a ",
                                                       facts.name, " takes ", facts.size));
                if (const auto* name = std::get_if<std::string>(&index))
                    self.setConstantValue(bytes.data(), type, metalString(*name));
                else
                    self.setConstantValue(
                        bytes.data(), type,
                        checkedIndex("set_constant_value", "index", std::get<std::int64_t>(index), 65536));
            },
            "value"_a, "type"_a, "index"_a, pooled, "Set the constant of that index or name to the bytes of `value`.")
        .def("reset", &MTL::FunctionConstantValues::reset, pooled, "Forget all values.");
}

}  // namespace

NS::SharedPtr<MTL::FunctionConstantValues> constantValues(const MTL::Function* function, const nb::dict& values) {
    const Constants constants = readConstants(function);
    auto result = owned(MTL::FunctionConstantValues::alloc()->init());
    for (const auto& [key, value] : values) {
        const ConstantInfo& constant = findConstant(constants, key);
        result->setConstantValue(packConstant(constant, value).c_str(), constant.type, constant.index);
    }
    return result;
}

void bindFunction(nb::module_& module) {
    bindConstants(module);
    nb::class_<AttributeInfo>(module, "Attribute", "An input with [[attribute(n)]].")
        .def_ro("name", &AttributeInfo::name, "Name of the member.")
        .def_ro("index", &AttributeInfo::index, "n of [[attribute(n)]].")
        .def_ro("type", &AttributeInfo::type, "Type of the member in the function.")
        .def_ro("is_patch_control_point_data", &AttributeInfo::isControlPoint,
                "Whether it belongs to a control point of a patch.")
        .def("__repr__", [](const AttributeInfo& self) {
            return "<Attribute " + dataTypeFacts(self.type).name + " " + self.name + " [[attribute(" +
                   std::to_string(self.index) + ")]]>";
        });
    nb::class_<MTL::Function>(module, "Function", "A function of a library.", nb::is_weak_referenceable())
        .def_prop_ro(
            "name", [](const MTL::Function& self) { return pythonText(self.name()); }, pooled,
            "Its name in the source, or the one that [[host_name]] gave it.")
        .def_prop_rw(
            "label", [](const MTL::Function& self) { return pythonText(self.label()); },
            [](MTL::Function& self, const std::string& label) { self.setLabel(metalString(label)); }, pooled,
            "A name, for messages and captures; empty unless set.")
        .def_prop_ro(
            "device", [](const MTL::Function& self) { return shared(self.device()); }, pooled,
            "The device that made it.")
        .def_prop_ro("function_type", &MTL::Function::functionType, pooled,
                     "Vertex, Fragment, Kernel, Visible or Intersection.")
        .def_prop_ro(
            "stage_input_attributes",
            [](const MTL::Function& self) {
                std::vector<AttributeInfo> attributes;
                const NS::Array* array = self.stageInputAttributes();
                for (NS::UInteger i = 0; array && i < array->count(); ++i) {
                    const auto* attribute = array->object<MTL::Attribute>(i);
                    attributes.push_back({pythonText(attribute->name()), attribute->attributeIndex(),
                                          attribute->attributeType(), attribute->isPatchControlPointData()});
                }
                return attributes;
            },
            pooled, "Inputs with [[attribute(n)]], of a vertex function or a kernel.")
        .def(
            "new_argument_encoder",
            [](MTL::Function& self, std::int64_t index) {
                auto encoder =
                    owned(self.newArgumentEncoder(checkedIndex("new_argument_encoder", "buffer_index", index, 31)));
                if (!encoder.get())
                    fail(ErrorKind::validation, concat("new_argument_encoder: function ", pythonText(self.name()),
                                                       " has no struct in a buffer of index ", index));
                return encoder;
            },
            "buffer_index"_a, pooled, nb::sig("def new_argument_encoder(self, buffer_index: int) -> ArgumentEncoder"),
            "An encoder of the struct that the buffer at this index points at.")
        .def_prop_ro(
            "function_constants", [](const MTL::Function& self) { return readConstants(&self); }, pooled,
            "The function constants it may be specialised by, by name.")
        .def_prop_ro(
            "info", [](MTL::Function& self) { return portable::functionInfo(&self); }, pooled,
            nb::sig("def info(self) -> FunctionInfo | None"), "What its source says of it; None on a Mac.")
        .def(
            "__repr__", [](const MTL::Function& self) { return "<Function " + pythonText(self.name()) + ">"; }, pooled);
}

}  // namespace mtlpy
