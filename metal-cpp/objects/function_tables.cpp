// SPDX-License-Identifier: MIT

#include "function_tables.hpp"

#include <sstream>

#include "collections.hpp"
#include "device.hpp"
#include "error.hpp"
#include "live_resources.hpp"
#include "pipeline.hpp"

namespace metal_objects {

FunctionTableObject::FunctionTableObject(PipelineFunction* code, NS::UInteger count)
    : ResourcePart(code->ownDevice().get(), MTL::ResourceStorageModePrivate),
      code(code),
      state(NS::RetainPtr(code->pipelineState())),
      count(count) {}

FunctionTableObject* FunctionTableObject::make(PipelineFunction* code, NS::UInteger count) {
    auto memory = allocate(code->ownDevice().get(), (count + 1) * sizeof(std::uint64_t));
    if (memory == nullptr) return nullptr;
    auto* table = new FunctionTableObject(code, count);
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
    for (const auto& function : code->linked) {
        if (address != 0 && address == reinterpret_cast<std::uint64_t>(code->addressOf(function.get())))
            return function->name();
    }
    return {};
}

void FunctionTableObject::set(const FunctionHandleObject* handle, NS::UInteger index) {
    std::ostringstream mistake;
    if (index >= count) {
        mistake << "setFunction: index (" << index << ") must be < " << count << ", the table's functionCount";
    } else if (handle != nullptr && handle->code != code) {
        mistake << "setFunction: the handle of '" << handle->function->name() << "' is of another pipeline state";
    }
    if (!mistake.str().empty()) return reportMistake(mistake.str());
    functions()[index] = handle != nullptr ? reinterpret_cast<std::uint64_t>(handle->address) : 0;
}

MTL::FunctionHandle* functionHandle(PipelineFunction* code, const FunctionObject* function) {
    void* address = code->addressOf(function);
    if (address == nullptr) return nullptr;
    auto* handle = new FunctionHandleObject(code, function, address);
    return handle->autorelease();
}

MTL::VisibleFunctionTable* newFunctionTable(PipelineFunction* code,
                                            const MTL::VisibleFunctionTableDescriptor* descriptor) {
    const NS::UInteger count = descriptor->functionCount();
    if (count != 0) return FunctionTableObject::make(code, count);
    reportMistake("newVisibleFunctionTable: functionCount must be > 0");
    return nullptr;
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
    return as<FunctionHandleObject>(this)->code->ownDevice().get();
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
    return metal_objects::functionHandle(as<PipelineObject>(this), as<FunctionObject>(function));
}

FunctionHandle* ComputePipelineState::functionHandle(const NS::String* name) {
    auto* pipeline = as<PipelineObject>(this);
    return metal_objects::functionHandle(pipeline, pipeline->linkedFunction(metal_objects::view(name)));
}

VisibleFunctionTable* ComputePipelineState::newVisibleFunctionTable(const VisibleFunctionTableDescriptor* descriptor) {
    return metal_objects::newFunctionTable(as<PipelineObject>(this), descriptor);
}

}  // namespace MTL
