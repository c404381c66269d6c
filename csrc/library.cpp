// SPDX-License-Identifier: MIT
//
// Compiling source to a library, with the options that Metal has for it.

#include "library.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <map>

#include "bind.hpp"
#include "errors.hpp"
#include "function.hpp"
#include "portable.hpp"
#include "text.hpp"

namespace mtlpy {

namespace {

using namespace nb::literals;

using Macros = std::map<std::string, std::variant<bool, std::int64_t, double, std::string>>;

/// Metal takes macros as strings and numbers.
NS::Object* macroValue(const std::variant<bool, std::int64_t, double, std::string>& value) {
    if (const auto* flag = std::get_if<bool>(&value)) return NS::Number::number(*flag ? 1 : 0);
    if (const auto* integer = std::get_if<std::int64_t>(&value))
        return NS::Number::number(static_cast<long long>(*integer));
    if (const auto* real = std::get_if<double>(&value)) return NS::Number::number(*real);
    return metalString(std::get<std::string>(value));
}

void setMacros(MTL::CompileOptions& options, const Macros& macros) {
    std::vector<const NS::Object*> keys, values;
    for (const auto& [name, value] : macros) {
        keys.push_back(metalString(name));
        values.push_back(macroValue(value));
    }
    options.setPreprocessorMacros(NS::Dictionary::dictionary(values.data(), keys.data(), keys.size()));
}

/// Metal keeps strings and numbers; numbers read back as their text.
std::map<std::string, std::string> macros(const MTL::CompileOptions& options) {
    std::map<std::string, std::string> result;
    const NS::Dictionary* dictionary = options.preprocessorMacros();
    if (!dictionary || dictionary->count() == 0) return result;
    auto* names = dictionary->keyEnumerator<NS::String>();
    while (const NS::String* name = names->nextObject())
        result[pythonText(name)] = pythonText(dictionary->object<NS::Object>(name)->description());
    return result;
}

void bindCompileOptions(nb::module_& module) {
    using Options = MTL::CompileOptions;
    nb::class_<Options>(module, "CompileOptions", "How source is compiled.", nb::is_weak_referenceable())
        .def(nb::new_([] { return owned(Options::alloc()->init()); }), pooled)
        .def_prop_rw(
            "fast_math_enabled", &Options::fastMathEnabled, &Options::setFastMathEnabled, pooled,
            "The older form of `math_mode`: whether results may differ in the last bits to be faster. True unless set.")
        .def_prop_rw("math_mode", &Options::mathMode, &Options::setMathMode, pooled,
                     "How exactly floating-point arithmetic follows IEEE 754: Safe, Relaxed (unless set) or Fast.")
        .def_prop_rw("math_floating_point_functions", &Options::mathFloatingPointFunctions,
                     &Options::setMathFloatingPointFunctions, pooled,
                     "Which of the functions of the library `sin(x)` and its kin are: Fast (unless set) or Precise.")
        .def_prop_rw("language_version", &Options::languageVersion, &Options::setLanguageVersion, pooled,
                     "Which version of the Metal shading language the source is in; the newest unless set.")
        .def_prop_rw(
            "preserve_invariance", &Options::preserveInvariance, &Options::setPreserveInvariance, pooled,
            "Whether positions marked [[invariant]] come out the same in all functions that compute them alike.")
        .def_prop_rw("optimization_level", &Options::optimizationLevel, &Options::setOptimizationLevel, pooled,
                     "Default: for speed; Size: for short code.")
        .def_prop_rw("library_type", &Options::libraryType, &Options::setLibraryType, pooled,
                     "Executable: its functions are for pipelines; Dynamic: for other libraries to link.")
        .def_prop_rw(
            "max_total_threads_per_threadgroup", &Options::maxTotalThreadsPerThreadgroup,
            [](Options& self, std::int64_t count) {
                self.setMaxTotalThreadsPerThreadgroup(
                    checkedCount("CompileOptions", "max_total_threads_per_threadgroup", count, 0, 1024));
            },
            pooled, "The largest threadgroup its kernels are to run with; 0: no limit of its own.")
        .def_prop_rw("preprocessor_macros", &macros, &setMacros, pooled, "Names and values of macros.",
                     nb::for_setter(nb::sig("def preprocessor_macros(self, value: collections.abc.Mapping[str, str | "
                                            "int | float | bool], /) -> None")))
        .def(
            "set_headers",
            [](Options& self, const std::map<std::string, std::string>& headers,
               const std::vector<std::string>& directories) { portable::setHeaders(&self, headers, directories); },
            "headers"_a, "directories"_a = std::vector<std::string>(), pooled,
            "Serve `#include` from these texts, then from these folders. Software device only.")
        .def(
            "set_kept_on_disk", [](Options& self, bool isKept) { portable::setKeptOnDisk(&self, isKept); }, "is_kept"_a,
            pooled,
            "Whether the library and its kernels come from and go to the folder of compiled code. Elsewhere than on "
            "the software device Metal decides.");
}

NS::SharedPtr<MTL::Function> newFunction(Library& library, const std::string& name, nb::handle constants) {
    auto plain = owned(library.metal->newFunction(metalString(name)));
    if (!plain.get() || constants.is_none()) return plain;
    NS::SharedPtr<MTL::FunctionConstantValues> values;
    MTL::FunctionConstantValues* given = nullptr;
    if (nb::try_cast(constants, given))
        values = shared(given);
    else if (PyDict_Check(constants.ptr()))
        values = constantValues(plain.get(), nb::borrow<nb::dict>(constants));
    else
        throw nb::type_error("new_function: constants must be a FunctionConstantValues, a dict or None");
    NS::Error* error = nullptr;
    NS::String* text = metalString(name);
    const auto function =
        portable::interruptible([&] { return owned(library.metal->newFunction(text, values.get(), &error)); });
    if (!function.get())
        throw Failure(ErrorKind::pipeline, concat("new_function: ", name, ": ", errorText(error)), errorText(error));
    return function;
}

}  // namespace

std::shared_ptr<Library> compileLibrary(MTL::Device& device, const std::string& source, MTL::CompileOptions* options) {
    portable::checkProcess(&device);
    NS::String* text = metalString(source);
    NS::Error* error = nullptr;
    auto library = std::make_shared<Library>();
    library->metal = portable::interruptible([&] { return owned(device.newLibrary(text, options, &error)); });
    if (!library->metal.get())
        throw Failure(ErrorKind::compile, "Metal shader compilation failed: " + errorText(error), errorText(error));
    if (error) library->diagnostics = errorText(error);
    return library;
}

void bindLibrary(nb::module_& module) {
    bindCompileOptions(module);
    nb::class_<Library>(module, "Library", "Compiled functions.", nb::is_weak_referenceable())
        .def_prop_ro(
            "device", [](Library& self) { return shared(self.metal->device()); }, pooled, "The device that made it.")
        .def_prop_rw(
            "label", [](Library& self) { return pythonText(self.metal->label()); },
            [](Library& self, const std::string& label) { self.metal->setLabel(metalString(label)); }, pooled,
            "A name, for messages and captures; empty unless set.")
        .def_prop_ro(
            "function_names",
            [](Library& self) {
                std::vector<std::string> names;
                const NS::Array* array = self.metal->functionNames();
                for (NS::UInteger i = 0; array && i < array->count(); ++i)
                    names.push_back(pythonText(array->object<NS::String>(i)));
                return names;
            },
            pooled, "Names of the functions that `new_function` finds.")
        .def_ro("diagnostics", &Library::diagnostics,
                "The compiler's warnings in Apple's format; empty when it had none.")
        .def_prop_ro(
            "functions", [](Library& self) { return portable::functions(self.metal.get()); }, pooled,
            "What the source says of each function; empty on a Mac.")
        .def("new_function", &newFunction, "name"_a, "constants"_a = nb::none(), pooled,
             nb::sig("def new_function(self, name: str, constants: FunctionConstantValues | dict[str | int, object] | "
                     "None = None) -> Function | None"),
             "The function of that name, or None. A dict's values are converted by the constants' declared types.")
        .def(
            "__repr__",
            [](Library& self) { return concat("<Library of ", self.metal->functionNames()->count(), " functions>"); },
            pooled);
}

}  // namespace mtlpy
