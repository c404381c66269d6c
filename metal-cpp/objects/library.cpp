// SPDX-License-Identifier: MIT

#include "library.hpp"

#include <algorithm>
#include <sstream>

#include "collections.hpp"
#include "compiling.hpp"
#include "constant_expression.hpp"
#include "descriptors.hpp"
#include "string.hpp"

namespace metal_objects {

namespace {

/// "" and a value's text for a macro; numbers as they are written, everything else as its description.
protocol::NamedText macro(NS::Object* key, NS::Object* value) {
    return {std::string(view(key->description())), std::string(view(value->description()))};
}

}  // namespace

protocol::CompileOptions compileOptions(const CompileValues& values) {
    protocol::CompileOptions options;
    options.languageVersion = static_cast<std::uint32_t>(values.languageVersion);
    options.mathMode = static_cast<protocol::MathMode>(values.mathMode);
    options.preserveInvariance = values.preserveInvariance;
    if (values.macros) {
        for (const auto& [key, value] : entries(values.macros.get())) {
            options.macros.push_back(macro(key.get(), value.get()));
        }
    }
    if (values.headers) {
        for (const auto& [name, text] : entries(values.headers.get())) {
            options.headers.push_back(macro(name.get(), text.get()));
        }
    }
    const NS::Array* folders = values.includeDirectories.get();
    for (NS::UInteger i = 0; folders != nullptr && i < folders->count(); ++i) {
        options.includeDirectories.emplace_back(view(folders->object(i)->description()));
    }
    return options;
}

namespace {

class FunctionConstantObject final : public Implements<MTL::FunctionConstant> {
public:
    NS::SharedPtr<NS::String> name;
    NS::UInteger index = 0;
    MTL::DataType type = MTL::DataTypeNone;
    bool isRequired = false;
};

MTL::Library* compile(const MTL::Device* device, const NS::String* source, const CompileValues& values,
                      NS::Error** error) {
    if (values.libraryType != MTL::LibraryTypeExecutable) {
        report(error, makeError(libraryErrorDomain, MTL::LibraryErrorUnsupported,
                                "dynamic libraries are not supported by this device"));
        return nullptr;
    }
    auto request = std::make_shared<protocol::LibraryRequest>(std::string(view(source)), compileOptions(values));
    const auto answer = metal_compiler_client::Client::shared().library(protocol::LibraryRequest(*request),
                                                                        requestOptions("library", values.isKeptOnDisk));
    const Reply reply = answered(answer, libraryErrorDomain, error);
    if (reply == nullptr) return nullptr;
    if (!reply->ok) {
        report(error, makeError(libraryErrorDomain, MTL::LibraryErrorCompileFailure, reply->log));
        return nullptr;
    }
    if (!reply->log.empty()) {
        report(error, makeError(libraryErrorDomain, MTL::LibraryErrorCompileWarning, reply->log));
    }
    auto* library = new LibraryObject(device, reply);
    library->request = std::move(request);
    library->mathMode = static_cast<protocol::MathMode>(values.mathMode);
    library->maxTotalThreads = values.maxTotalThreads;
    library->isKeptOnDisk = values.isKeptOnDisk;
    if (answer.source == metal_compiler_client::Source::compiler) library->compileSeconds = reply->seconds;
    return library;
}

FunctionObject* findFunction(const LibraryObject* library, const NS::String* name) {
    const auto& functions = library->reply->functions;
    const auto found = std::find_if(functions.begin(), functions.end(),
                                    [&](const protocol::Function& function) { return function.name == view(name); });
    if (found == functions.end()) return nullptr;
    return new FunctionObject(library, static_cast<std::size_t>(found - functions.begin()));
}

/// The value set for a constant, by its index or else by its name.
const ConstantBytes* valueOf(const ConstantValuesObject* values, const protocol::FunctionConstant& constant) {
    if (values == nullptr) return nullptr;
    const auto byIndex = values->byIndex.find(constant.index);
    if (byIndex != values->byIndex.end()) return &byIndex->second;
    const auto byName = values->byName.find(constant.name);
    return byName != values->byName.end() ? &byName->second : nullptr;
}

/// Empty, or why the function cannot have these values.
std::string specialize(FunctionObject* function, const ConstantValuesObject* values) {
    const protocol::LibraryReply& reply = *function->library->reply;
    std::ostringstream why;
    for (const protocol::FunctionConstant& constant : reply.constants) {
        const ConstantBytes* value = valueOf(values, constant);
        if (value == nullptr) continue;
        const protocol::Type& type = reply.types.at(constant.type);
        if (static_cast<std::uint32_t>(value->type) != type.dataType) {
            why << "function constant '" << constant.name << "' (index " << constant.index << ") is of type "
                << type.name << ", but the value given is of MTLDataType " << value->type;
            return why.str();
        }
        function->constants.push_back({constant.index, value->bytes});
    }
    std::sort(function->constants.begin(), function->constants.end(),
              [](const auto& a, const auto& b) { return a.index < b.index; });
    if (const std::string* name = function->missingConstant()) {
        why << "function constant '" << *name << "', which function '" << function->name() << "' needs, has no value";
        return why.str();
    }
    function->place();
    return function->mistake;
}

void store(ConstantBytes& constant, const void* value, MTL::DataType type) {
    constant.type = type;
    const auto* bytes = static_cast<const std::uint8_t*>(value);
    constant.bytes.assign(bytes, bytes + sizeOfDataType(type));
}

/// The constant declared `[[function_constant(index)]]`.
const protocol::FunctionConstant* constantOfIndex(const protocol::LibraryReply& reply, std::uint32_t index) {
    const auto found = std::find_if(reply.constants.begin(), reply.constants.end(),
                                    [&](const auto& constant) { return constant.index == index; });
    return found != reply.constants.end() ? &*found : nullptr;
}

NS::Dictionary* constantsOf(const FunctionObject* function) {
    const protocol::LibraryReply& reply = *function->library->reply;
    std::vector<const NS::Object*> names, objects;
    std::vector<NS::SharedPtr<NS::Object>> kept;
    for (const std::uint32_t index : function->facts().constants) {
        const protocol::FunctionConstant* found = constantOfIndex(reply, index);
        if (found == nullptr) continue;
        const protocol::FunctionConstant& facts = *found;
        auto* constant = new FunctionConstantObject;
        kept.push_back(NS::TransferPtr<NS::Object>(constant));
        constant->name = NS::TransferPtr(makeString(facts.name));
        constant->index = facts.index;
        constant->type = static_cast<MTL::DataType>(reply.types.at(facts.type).dataType);
        constant->isRequired = facts.isRequired;
        names.push_back(constant->name.get());
        objects.push_back(constant);
    }
    return NS::Dictionary::dictionary(objects.data(), names.data(), names.size());
}

/// An input with [[attribute(n)]]: all that VertexAttribute and Attribute have in common.
class StageInputPart {
public:
    StageInputPart(const FunctionObject* function, std::size_t at)
        : function(NS::RetainPtr(const_cast<FunctionObject*>(function))), at(at) {}
    virtual ~StageInputPart() = default;

    const protocol::StageValue& facts() const { return function->facts().inputs[at]; }
    bool isOfPatch() const { return function->facts().patchType != 0; }
    bool isControlPoint() const { return facts().isControlPoint; }

    const NS::SharedPtr<FunctionObject> function;
    const std::size_t at;
};

template <class Public>
class AttributeOf final : public Implements<Public>, public StageInputPart {
public:
    using StageInputPart::StageInputPart;

private:
    NS::String* describe() const override { return autoreleasedString(facts().name); }
};

MTL::DataType typeOfAttribute(const StageInputPart* input) {
    const std::uint32_t type = input->facts().type;
    if (type == protocol::noType) return MTL::DataTypeNone;
    return static_cast<MTL::DataType>(input->function->library->reply->types[type].dataType);
}

template <class Public>
NS::Array* attributesOf(const FunctionObject* function) {
    std::vector<NS::SharedPtr<NS::Object>> attributes;
    for (std::size_t i = 0; i < function->facts().inputs.size(); ++i) {
        if (function->facts().inputs[i].kind != protocol::StageValueKind::attribute) continue;
        attributes.push_back(NS::TransferPtr<NS::Object>(new AttributeOf<Public>(function, i)));
    }
    return makeArray(attributes)->autorelease();
}

}  // namespace

NS::Object* ConstantValuesObject::duplicate() const {
    auto* copy = new ConstantValuesObject;
    copy->byIndex = byIndex;
    copy->byName = byName;
    return copy;
}

const std::string* FunctionObject::missingConstant() const {
    for (const std::uint32_t index : facts().constants) {
        const protocol::FunctionConstant* constant = constantOfIndex(*library->reply, index);
        const bool isGiven =
            std::any_of(constants.begin(), constants.end(), [&](const auto& value) { return value.index == index; });
        if (constant != nullptr && constant->isRequired && !isGiven) return &constant->name;
    }
    return nullptr;
}

bool FunctionObject::isPresent(const std::string& condition, const protocol::ConstantExpression& value,
                               bool isUsed) const {
    if (condition.empty()) return true;
    if (!value.steps.empty()) return valueOf(value, constants) != 0;
    // Made of more than scalars: only the compiler knows. Such an argument is asked for if it is used.
    return isUsed;
}

std::string FunctionObject::placeArguments(protocol::Function& function) const {
    struct Group {
        const char* attribute;
        std::int64_t limit;
    };
    const auto groupOf = [](protocol::ArgumentKind kind) -> Group {
        switch (kind) {
            case protocol::ArgumentKind::texture:
                return {"texture", 128};
            case protocol::ArgumentKind::sampler:
                return {"sampler", 16};
            case protocol::ArgumentKind::threadgroupMemory:
                return {"threadgroup", 31};
            default:
                return {"buffer", 31};
        }
    };
    std::ostringstream why;
    for (protocol::Argument& argument : function.arguments) {
        if (argument.indexValue.steps.empty()) continue;
        const Group group = groupOf(argument.kind);
        const std::int64_t at = valueOf(argument.indexValue, constants);
        const auto length = static_cast<std::int64_t>(argument.arrayLength);
        argument.index = static_cast<std::uint32_t>(at);
        if (!isPresent(argument)) continue;
        if (at < 0 || at > group.limit - length) {
            why << "argument '" << argument.name << "' of function '" << function.name << "': [[" << group.attribute
                << "(" << at << ")]] is out of bounds: must be between 0 and " << group.limit - length;
            return why.str();
        }
        for (const protocol::Argument& other : function.arguments) {
            const bool isBefore = &other < &argument || other.indexValue.steps.empty();
            if (&other == &argument || !isBefore || !isPresent(other) ||
                std::string_view(groupOf(other.kind).attribute) != group.attribute)
                continue;
            if (other.index >= at + length || other.index + other.arrayLength <= argument.index) continue;
            why << "arguments '" << other.name << "' and '" << argument.name << "' of function '" << function.name
                << "' have the same index: [[" << group.attribute << "(" << std::max<std::int64_t>(at, other.index)
                << ")]]";
            return why.str();
        }
    }
    return {};
}

std::string FunctionObject::placeValues(std::vector<protocol::StageValue>& values) const {
    constexpr std::int64_t colors = 8;
    for (protocol::StageValue& value : values) {
        if (!value.rasterOrderGroupValue.steps.empty())
            value.rasterOrderGroup = static_cast<std::uint32_t>(valueOf(value.rasterOrderGroupValue, constants));
        if (value.indexValue.steps.empty()) continue;
        const std::int64_t at = valueOf(value.indexValue, constants);
        value.index = static_cast<std::uint32_t>(at);
        std::ostringstream why;
        if (at < 0 || at >= colors) {
            why << "'" << value.name << "': [[color(" << at << ")]] is out of bounds: must be between 0 and "
                << colors - 1;
            return why.str();
        }
        for (const protocol::StageValue& other : values) {
            const bool isBefore = &other < &value || other.indexValue.steps.empty();
            if (&other == &value || !isBefore || other.kind != value.kind || other.index != value.index ||
                other.sourceIndex != value.sourceIndex || !isPresent(other) || !isPresent(value))
                continue;
            why << "'" << other.name << "' and '" << value.name << "' have the same index: [[color(" << at << ")]]";
            return why.str();
        }
    }
    return {};
}

void FunctionObject::place() {
    const protocol::Function& written = library->reply->functions[index];
    const auto isOpen = [](const auto& facts) { return !facts.indexValue.steps.empty(); };
    const auto isOpenValue = [&](const protocol::StageValue& value) {
        return isOpen(value) || !value.rasterOrderGroupValue.steps.empty();
    };
    if (std::none_of(written.arguments.begin(), written.arguments.end(), isOpen) &&
        std::none_of(written.inputs.begin(), written.inputs.end(), isOpenValue) &&
        std::none_of(written.outputs.begin(), written.outputs.end(), isOpenValue)) {
        return;
    }
    auto function = std::make_unique<protocol::Function>(written);
    mistake = placeArguments(*function);
    if (mistake.empty()) mistake = placeValues(function->inputs);
    if (mistake.empty()) mistake = placeValues(function->outputs);
    placed_ = std::move(function);
}

std::size_t sizeOfDataType(MTL::DataType type) {
    struct Run {
        MTL::DataType first;
        std::size_t size;
    };
    // Scalar, then vectors of 2, 3 and 4, of which 3 takes the room of 4.
    static constexpr Run runs[] = {{MTL::DataTypeFloat, 4}, {MTL::DataTypeHalf, 2},  {MTL::DataTypeInt, 4},
                                   {MTL::DataTypeUInt, 4},  {MTL::DataTypeShort, 2}, {MTL::DataTypeUShort, 2},
                                   {MTL::DataTypeChar, 1},  {MTL::DataTypeUChar, 1}, {MTL::DataTypeBool, 1},
                                   {MTL::DataTypeLong, 8},  {MTL::DataTypeULong, 8}, {MTL::DataTypeBFloat, 2}};
    static constexpr std::size_t lanes[] = {1, 2, 4, 4};
    for (const Run& run : runs) {
        if (type >= run.first && type < run.first + 4) return run.size * lanes[type - run.first];
    }
    return 0;
}

}  // namespace metal_objects

using metal_objects::as;
using metal_objects::CompileValues;
using metal_objects::ConstantValuesObject;
using metal_objects::FunctionConstantObject;
using metal_objects::FunctionObject;
using metal_objects::LibraryObject;
using metal_objects::makeError;
using metal_objects::report;
using metal_objects::StageInputPart;

namespace MTL {

namespace {

template <class Public>
const protocol::StageValue& attributeOf(const Public* attribute) {
    return metal_objects::part<StageInputPart>(attribute)->facts();
}

}  // namespace

// ---- Compiling ----

Library* Device::newLibrary(const NS::String* source, const CompileOptions* options, NS::Error** error) {
    report(error, nullptr);
    const auto values = options != nullptr ? as<metal_objects::CompileOptionsObject>(options)->values : CompileValues{};
    return metal_objects::compile(this, source, values, error);
}

void Device::newLibrary(const NS::String* pSource, const CompileOptions* pOptions,
                        const NewLibraryCompletionHandlerFunction& completionHandler) {
    const auto values =
        pOptions != nullptr ? as<metal_objects::CompileOptionsObject>(pOptions)->values : CompileValues{};
    auto device = NS::RetainPtr(this);
    auto source = NS::RetainPtr(const_cast<NS::String*>(pSource));
    metal_objects::inBackground([=] {
        NS::Error* error = nullptr;
        auto library = NS::TransferPtr(metal_objects::compile(device.get(), source.get(), values, &error));
        completionHandler(library.get(), error);
    });
}

// ---- Library ----

Device* Library::device() const {
    return as<LibraryObject>(this)->device.get();
}
NS::String* Library::installName() const {
    return nullptr;
}
NS::String* Library::label() const {
    return as<LibraryObject>(this)->label.get();
}
void Library::setLabel(const NS::String* label) {
    as<LibraryObject>(this)->label.set(label);
}
LibraryType Library::type() const {
    return LibraryTypeExecutable;
}

NS::Array* Library::functionNames() const {
    std::vector<NS::SharedPtr<NS::String>> names;
    for (const auto& function : as<LibraryObject>(this)->reply->functions) {
        names.push_back(NS::TransferPtr(metal_objects::makeString(function.name)));
    }
    return metal_objects::makeArray(names)->autorelease();
}

Function* Library::newFunction(const NS::String* functionName) {
    FunctionObject* function = metal_objects::findFunction(as<LibraryObject>(this), functionName);
    if (function != nullptr && function->missingConstant() == nullptr) function->place();
    return function;
}

Function* Library::newFunction(const NS::String* name, const FunctionConstantValues* constantValues,
                               NS::Error** error) {
    report(error, nullptr);
    auto function = NS::TransferPtr(metal_objects::findFunction(as<LibraryObject>(this), name));
    if (!function) {
        report(error,
               makeError(
                   metal_objects::libraryErrorDomain, LibraryErrorFunctionNotFound,
                   std::string("the library has no function named '").append(metal_objects::view(name)).append("'")));
        return nullptr;
    }
    const std::string why = metal_objects::specialize(function.get(), as<ConstantValuesObject>(constantValues));
    if (!why.empty()) {
        report(error, makeError(metal_objects::libraryErrorDomain, LibraryErrorCompileFailure, why));
        return nullptr;
    }
    return function->retain();
}

void Library::newFunction(const NS::String* pFunctionName, const FunctionConstantValues* pConstantValues,
                          const FunctionCompletionHandlerFunction& completionHandler) {
    auto library = NS::RetainPtr(this);
    auto name = NS::RetainPtr(const_cast<NS::String*>(pFunctionName));
    auto values = NS::TransferPtr(pConstantValues != nullptr ? pConstantValues->copy() : nullptr);
    metal_objects::inBackground([=] {
        NS::Error* error = nullptr;
        auto function = NS::TransferPtr(library->newFunction(name.get(), values.get(), &error));
        completionHandler(function.get(), error);
    });
}

// ---- Function ----

Device* Function::device() const {
    return as<FunctionObject>(this)->library->device.get();
}
NS::String* Function::label() const {
    return as<FunctionObject>(this)->label.get();
}
void Function::setLabel(const NS::String* label) {
    as<FunctionObject>(this)->label.set(label);
}
NS::String* Function::name() const {
    return metal_objects::autoreleasedString(as<FunctionObject>(this)->name());
}

// ---- VertexAttribute, Attribute ----

NS::UInteger VertexAttribute::attributeIndex() const {
    return attributeOf(this).index;
}
DataType VertexAttribute::attributeType() const {
    return metal_objects::typeOfAttribute(metal_objects::part<StageInputPart>(this));
}
bool VertexAttribute::isActive() const {
    return true;
}
bool VertexAttribute::isPatchControlPointData() const {
    return metal_objects::part<StageInputPart>(this)->isControlPoint();
}
bool VertexAttribute::isPatchData() const {
    return metal_objects::part<StageInputPart>(this)->isOfPatch() && !isPatchControlPointData();
}
NS::String* VertexAttribute::name() const {
    return metal_objects::autoreleasedString(attributeOf(this).name);
}

NS::UInteger Attribute::attributeIndex() const {
    return attributeOf(this).index;
}
DataType Attribute::attributeType() const {
    return metal_objects::typeOfAttribute(metal_objects::part<StageInputPart>(this));
}
bool Attribute::isActive() const {
    return true;
}
bool Attribute::isPatchControlPointData() const {
    return metal_objects::part<StageInputPart>(this)->isControlPoint();
}
bool Attribute::isPatchData() const {
    return metal_objects::part<StageInputPart>(this)->isOfPatch() && !isPatchControlPointData();
}
NS::String* Attribute::name() const {
    return metal_objects::autoreleasedString(attributeOf(this).name);
}

NS::Array* Function::stageInputAttributes() const {
    return metal_objects::attributesOf<Attribute>(as<FunctionObject>(this));
}
NS::Array* Function::vertexAttributes() const {
    if (functionType() != FunctionTypeVertex) return NS::Array::array();
    return metal_objects::attributesOf<VertexAttribute>(as<FunctionObject>(this));
}
PatchType Function::patchType() const {
    return static_cast<PatchType>(as<FunctionObject>(this)->facts().patchType);
}
NS::Integer Function::patchControlPointCount() const {
    const auto& facts = as<FunctionObject>(this)->facts();
    return facts.patchType != 0 ? static_cast<NS::Integer>(facts.patchControlPoints) : -1;
}

FunctionType Function::functionType() const {
    return static_cast<FunctionType>(as<FunctionObject>(this)->facts().kind);
}

NS::Dictionary* Function::functionConstantsDictionary() const {
    return metal_objects::constantsOf(as<FunctionObject>(this));
}

FunctionConstant* FunctionConstant::alloc() {
    return new FunctionConstantObject;
}
FunctionConstant* FunctionConstant::init() {
    return this;
}
NS::UInteger FunctionConstant::index() const {
    return as<FunctionConstantObject>(this)->index;
}
NS::String* FunctionConstant::name() const {
    return as<FunctionConstantObject>(this)->name.get();
}
bool FunctionConstant::required() const {
    return as<FunctionConstantObject>(this)->isRequired;
}
DataType FunctionConstant::type() const {
    return as<FunctionConstantObject>(this)->type;
}

// ---- FunctionConstantValues ----

FunctionConstantValues* FunctionConstantValues::alloc() {
    return new ConstantValuesObject;
}
FunctionConstantValues* FunctionConstantValues::init() {
    return this;
}

void FunctionConstantValues::reset() {
    as<ConstantValuesObject>(this)->byIndex.clear();
    as<ConstantValuesObject>(this)->byName.clear();
}

void FunctionConstantValues::setConstantValue(const void* value, DataType type, NS::UInteger index) {
    if (metal_objects::sizeOfDataType(type) == 0) {
        return metal_objects::reportMistake("setConstantValue: MTLDataType " + std::to_string(type) +
                                            " is not a scalar or vector");
    }
    metal_objects::store(as<ConstantValuesObject>(this)->byIndex[index], value, type);
}

void FunctionConstantValues::setConstantValue(const void* value, DataType type, const NS::String* name) {
    if (metal_objects::sizeOfDataType(type) == 0) {
        return metal_objects::reportMistake("setConstantValue: MTLDataType " + std::to_string(type) +
                                            " is not a scalar or vector");
    }
    metal_objects::store(as<ConstantValuesObject>(this)->byName[std::string(metal_objects::view(name))], value, type);
}

void FunctionConstantValues::setConstantValues(const void* values, DataType type, NS::Range range) {
    const auto* bytes = static_cast<const std::uint8_t*>(values);
    for (NS::UInteger i = 0; i < range.length; ++i) {
        setConstantValue(bytes + i * metal_objects::sizeOfDataType(type), type, range.location + i);
    }
}

}  // namespace MTL
