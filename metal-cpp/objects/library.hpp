// SPDX-License-Identifier: MIT

#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "../Metal/Metal.hpp"
#include "../compiler/protocol.hpp"
#include "runtime.hpp"

namespace metal_objects {

/// What the compiler answered, shared by a library and all that is made of it.
using Reply = std::shared_ptr<const protocol::LibraryReply>;

struct CompileValues;

/// A descriptor's options as a request has them.
protocol::CompileOptions compileOptions(const CompileValues& values);

class LibraryObject final : public Implements<MTL::Library> {
public:
    LibraryObject(const MTL::Device* device, Reply reply)
        : device(NS::RetainPtr(const_cast<MTL::Device*>(device))), reply(std::move(reply)) {}

    const NS::SharedPtr<MTL::Device> device;
    const Reply reply;
    std::shared_ptr<const protocol::LibraryRequest> request;  // what it was compiled from
    protocol::MathMode mathMode = protocol::MathMode::fast;
    NS::UInteger maxTotalThreads = 0;  // CompileOptions::maxTotalThreadsPerThreadgroup
    bool isKeptOnDisk = true;          // its answers and its kernels', in the compiler client's folder
    double compileSeconds = 0;
    Label label;
};

/// The same library compiled anew, its code with the lines of its source. Null, and `error`, when that fails.
LibraryObject* libraryWithLines(const LibraryObject* library, NS::Error** error);

class FunctionObject final : public Implements<MTL::Function> {
public:
    FunctionObject(const LibraryObject* library, std::size_t index)
        : library(NS::RetainPtr(const_cast<LibraryObject*>(library))), index(index) {}

    const protocol::Function& facts() const { return placed_ ? *placed_ : library->reply->functions[index]; }
    const std::string& name() const { return facts().name; }

    /// The name of a constant that must have a value and has none; null when all have.
    const std::string* missingConstant() const;

    /// Whether an argument with `[[function_constant(name)]]` is there, with the constants this function has.
    bool isPresent(const protocol::Argument& argument) const {
        return isPresent(argument.condition, argument.conditionValue, argument.isUsed);
    }
    bool isPresent(const protocol::StageValue& value) const {
        return isPresent(value.condition, value.conditionValue, true);
    }

    /// Computes what the constants say: the n of [[buffer(n)]] and its like. `mistake` is then what is wrong with one.
    void place();

    const NS::SharedPtr<LibraryObject> library;
    const std::size_t index;
    std::vector<protocol::ConstantValue> constants;  // in the order of their indices
    std::string mistake;                             // why no pipeline can be made of it; empty
    Label label;

private:
    bool isPresent(const std::string& condition, const protocol::ConstantExpression& value, bool isUsed) const;
    std::string placeArguments(protocol::Function& function) const;
    std::string placeValues(std::vector<protocol::StageValue>& values) const;

    std::unique_ptr<const protocol::Function> placed_;  // null where the source alone says all
};

/// What FunctionConstantValues holds: bytes, and the type they were said to be of, by index or by name.
struct ConstantBytes {
    MTL::DataType type;
    std::vector<std::uint8_t> bytes;
};

class ConstantValuesObject final : public Implements<MTL::FunctionConstantValues> {
public:
    std::map<NS::UInteger, ConstantBytes> byIndex;
    std::map<std::string, ConstantBytes, std::less<>> byName;

private:
    NS::Object* duplicate() const override;
};

/// Bytes of a scalar or vector in memory; zero for types that function constants cannot have.
std::size_t sizeOfDataType(MTL::DataType type);

}  // namespace metal_objects
