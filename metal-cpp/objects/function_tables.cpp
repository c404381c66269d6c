// SPDX-License-Identifier: MIT

#include "function_tables.hpp"

#include <sstream>

#include "collections.hpp"
#include "device.hpp"
#include "error.hpp"
#include "live_resources.hpp"

namespace metal_objects {

FunctionTableObject::FunctionTableObject(const PipelineObject* pipeline, NS::UInteger count)
    : ResourcePart(pipeline->device.get(), MTL::ResourceStorageModePrivate),
      pipeline(NS::RetainPtr(const_cast<PipelineObject*>(pipeline))),
      count(count) {}

FunctionTableObject* FunctionTableObject::make(const PipelineObject* pipeline, NS::UInteger count) {
    auto memory = allocate(pipeline->device.get(), (count + 1) * sizeof(std::uint64_t));
    if (memory == nullptr) return nullptr;
    auto* table = new FunctionTableObject(pipeline, count);
    table->memory = std::move(memory);
    std::fill_n(table->functions() - 1, count + 1, 0);
    table->functions()[-1] = count;
    LiveResources::add(table);
    return table;
}

FunctionTableObject::~FunctionTableObject() {
    LiveResources::remove(this);
}

std::string FunctionTableObject::nameAt(NS::UInteger index) const {
    const std::uint64_t address = functions()[index];
    for (const auto& function : pipeline->linked) {
        if (address != 0 && address == reinterpret_cast<std::uint64_t>(pipeline->addressOf(function.get())))
            return function->name();
    }
    return {};
}

void FunctionTableObject::set(const FunctionHandleObject* handle, NS::UInteger index) {
    std::ostringstream mistake;
    if (index >= count) {
        mistake << "setFunction: index (" << index << ") must be < " << count << ", the table's functionCount";
    } else if (handle != nullptr && handle->pipeline != pipeline) {
        mistake << "setFunction: the handle of '" << handle->function->name() << "' is of another pipeline state";
    }
    if (!mistake.str().empty()) return reportMistake(mistake.str());
    functions()[index] = handle != nullptr ? reinterpret_cast<std::uint64_t>(handle->address) : 0;
}

}  // namespace metal_objects

using metal_objects::as;
using metal_objects::FunctionHandleObject;
using metal_objects::FunctionObject;
using metal_objects::FunctionTableDescriptorObject;
using metal_objects::FunctionTableObject;
using metal_objects::LinkedFunctionsObject;
using metal_objects::PipelineObject;

namespace MTL {

// ---- LinkedFunctions ----

LinkedFunctions* LinkedFunctions::alloc() {
    return new LinkedFunctionsObject;
}
LinkedFunctions* LinkedFunctions::init() {
    return this;
}
LinkedFunctions* LinkedFunctions::linkedFunctions() {
    return alloc()->init()->autorelease();
}
NS::Array* LinkedFunctions::functions() const {
    return as<LinkedFunctionsObject>(this)->values.functions.get();
}
void LinkedFunctions::setFunctions(const NS::Array* functions) {
    as<LinkedFunctionsObject>(this)->values.functions = NS::RetainPtr(const_cast<NS::Array*>(functions));
}
NS::Array* LinkedFunctions::privateFunctions() const {
    return as<LinkedFunctionsObject>(this)->values.privateFunctions.get();
}
void LinkedFunctions::setPrivateFunctions(const NS::Array* privateFunctions) {
    as<LinkedFunctionsObject>(this)->values.privateFunctions = NS::RetainPtr(const_cast<NS::Array*>(privateFunctions));
}

// ---- FunctionHandle ----

Device* FunctionHandle::device() const {
    return as<FunctionHandleObject>(this)->pipeline->device.get();
}
FunctionType FunctionHandle::functionType() const {
    return FunctionTypeVisible;
}
ResourceID FunctionHandle::gpuResourceID() const {
    return {reinterpret_cast<std::uint64_t>(as<FunctionHandleObject>(this)->address)};
}
NS::String* FunctionHandle::name() const {
    return metal_objects::autoreleasedString(as<FunctionHandleObject>(this)->function->name());
}

// ---- VisibleFunctionTableDescriptor, VisibleFunctionTable ----

VisibleFunctionTableDescriptor* VisibleFunctionTableDescriptor::alloc() {
    return new FunctionTableDescriptorObject;
}
VisibleFunctionTableDescriptor* VisibleFunctionTableDescriptor::init() {
    return this;
}
VisibleFunctionTableDescriptor* VisibleFunctionTableDescriptor::visibleFunctionTableDescriptor() {
    return alloc()->init()->autorelease();
}
NS::UInteger VisibleFunctionTableDescriptor::functionCount() const {
    return as<FunctionTableDescriptorObject>(this)->values.functionCount;
}
void VisibleFunctionTableDescriptor::setFunctionCount(NS::UInteger functionCount) {
    as<FunctionTableDescriptorObject>(this)->values.functionCount = functionCount;
}

ResourceID VisibleFunctionTable::gpuResourceID() const {
    return {reinterpret_cast<std::uint64_t>(as<FunctionTableObject>(this)->functions())};
}
void VisibleFunctionTable::setFunction(const FunctionHandle* function, NS::UInteger index) {
    as<FunctionTableObject>(this)->set(as<FunctionHandleObject>(function), index);
}
void VisibleFunctionTable::setFunctions(const FunctionHandle* const functions[], NS::Range range) {
    for (NS::UInteger i = 0; i < range.length; ++i) setFunction(functions[i], range.location + i);
}

// ---- ComputePipelineState ----

FunctionHandle* ComputePipelineState::functionHandle(const Function* function) {
    const auto* pipeline = as<PipelineObject>(this);
    void* address = pipeline->addressOf(as<FunctionObject>(function));
    if (address == nullptr) return nullptr;
    auto* handle = new FunctionHandleObject(pipeline, as<FunctionObject>(function), address);
    return handle->autorelease();
}

FunctionHandle* ComputePipelineState::functionHandle(const NS::String* name) {
    for (const auto& function : as<PipelineObject>(this)->linked) {
        if (function->name() == metal_objects::view(name)) return functionHandle(function.get());
    }
    return nullptr;
}

VisibleFunctionTable* ComputePipelineState::newVisibleFunctionTable(const VisibleFunctionTableDescriptor* descriptor) {
    const NS::UInteger count = descriptor->functionCount();
    if (count == 0) {
        metal_objects::reportMistake("newVisibleFunctionTable: functionCount must be > 0");
        return nullptr;
    }
    return FunctionTableObject::make(as<PipelineObject>(this), count);
}

}  // namespace MTL
