// SPDX-License-Identifier: MIT

#include "bound_resources.hpp"

#include <kernel_abi.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>
#include <llvm/Linker/Linker.h>

#include <algorithm>
#include <cstddef>
#include <texel_formats.hpp>

#include "parts.hpp"
#include "runtime_library.hpp"

namespace metal_host {

namespace {

using llvm::Instruction;
using llvm::Value;

class Folding {
public:
    Folding(llvm::Function& entry, const BoundResources& bound) : bound_(bound) {
        for (Instruction& instruction : llvm::instructions(entry)) {
            auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
            const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
            if (callee && callee->getName() == "__metal_argument") calls_.push_back(call);
        }
    }

    bool run() {
        for (llvm::CallInst* call : calls_) {
            auto* number = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(0));
            if (!number) continue;
            const auto isOfSlot = [slot = number->getZExtValue()](const auto& one) { return one.slot == slot; };
            if (auto texture = std::find_if(bound_.textures.begin(), bound_.textures.end(), isOfSlot);
                texture != bound_.textures.end())
                handles(*call, *texture);
            if (auto sampler = std::find_if(bound_.samplers.begin(), bound_.samplers.end(), isOfSlot);
                sampler != bound_.samplers.end())
                states(*call, *sampler);
        }
        for (auto& [load, constant] : found_) {
            load->replaceAllUsesWith(constant);
            load->eraseFromParent();
        }
        return !found_.empty();
    }

private:
    /// `place` is in the argument's memory: what is loaded there is a handle of one of the textures.
    void handles(Value& place, const protocol::BoundTexture& texture) {
        for (llvm::User* user : place.users()) {
            if (llvm::isa<llvm::GEPOperator, llvm::AddrSpaceCastOperator>(user)) {
                handles(*user, texture);
            } else if (auto* load = llvm::dyn_cast<llvm::LoadInst>(user); load && load->getType()->isPointerTy()) {
                // So that what is asked of the texture may be asked early, by anybody.
                const auto number = [&](std::uint64_t value) {
                    llvm::Type* type = llvm::Type::getInt64Ty(load->getContext());
                    return llvm::MDNode::get(load->getContext(),
                                             llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(type, value)));
                };
                load->setMetadata(llvm::LLVMContext::MD_dereferenceable, number(sizeof(metal_texture)));
                load->setMetadata(llvm::LLVMContext::MD_align, number(alignof(metal_texture)));
                load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(load->getContext(), {}));
                fields(*load, 0, texture);
            }
        }
    }

    /// `place` is `offset` bytes into a metal_texture.
    void fields(Value& place, std::uint64_t offset, const protocol::BoundTexture& texture) {
        for (llvm::User* user : place.users()) {
            if (llvm::isa<llvm::AddrSpaceCastOperator>(user)) {
                fields(*user, offset, texture);
            } else if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
                const llvm::DataLayout& layout = address->getDataLayout();
                llvm::APInt more(layout.getIndexTypeSizeInBits(address->getType()), 0);
                if (address->accumulateConstantOffset(layout, more))
                    fields(*address, offset + more.getZExtValue(), texture);
            } else if (auto* load = llvm::dyn_cast<llvm::LoadInst>(user); load && load->getType()->isIntegerTy(32)) {
                if (offset == offsetof(metal_texture, pixel_format)) become(*load, texture.pixelFormat);
                if (offset == offsetof(metal_texture, bytes_per_pixel)) become(*load, texture.bytesPerPixel);
            }
        }
    }

    void states(Value& place, const protocol::BoundSampler& sampler) {
        for (llvm::User* user : place.users()) {
            if (llvm::isa<llvm::GEPOperator, llvm::AddrSpaceCastOperator>(user)) {
                states(*user, sampler);
            } else if (auto* load = llvm::dyn_cast<llvm::LoadInst>(user); load && load->getType()->isIntegerTy(64)) {
                become(*load, sampler.state);
            }
        }
    }

    void become(llvm::LoadInst& load, std::uint64_t constant) {
        found_.emplace_back(&load, llvm::ConstantInt::get(load.getType(), constant));
    }

    const BoundResources& bound_;
    std::vector<llvm::CallInst*> calls_;
    std::vector<std::pair<llvm::LoadInst*, llvm::Constant*>> found_;
};

/// The texel in the order that the texture's swizzle says.
Value* swizzled(llvm::IRBuilder<>& builder, Value* texel, std::uint32_t channels) {
    if (channels == 0) return texel;
    llvm::Type* scalar = texel->getType()->getScalarType();
    const bool isReal = scalar->isFloatTy();
    Value* made = llvm::PoisonValue::get(texel->getType());
    for (unsigned index = 0; index < 4; ++index) {
        const unsigned channel = channels >> 4 * index & 7;  // MTL::TextureSwizzle: zero, one, red, ...
        Value* component = channel >= 2 ? builder.CreateExtractElement(texel, std::uint64_t(channel - 2))
                           : isReal     ? llvm::ConstantFP::get(scalar, channel)
                                        : llvm::ConstantInt::get(scalar, channel);
        made = builder.CreateInsertElement(made, component, std::uint64_t(index));
    }
    return made;
}

}  // namespace

bool foldBoundResources(llvm::Function& entry, const BoundResources& bound) {
    return Folding(entry, bound).run();
}

llvm::Expected<bool> linkKnownTexels(llvm::Function& entry) {
    llvm::Module& module = *entry.getParent();
    constexpr llvm::StringRef slow = "__metal_slow_", known = "__metal_known_";
    constexpr unsigned texelOperand = 0, formatOperand = 1, valueOperand = 2;
    std::vector<std::pair<llvm::CallInst*, std::string>> calls;
    for (Instruction& instruction : llvm::instructions(entry)) {
        auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
        if (!callee) continue;
        llvm::StringRef name = callee->getName();
        if (!name.consume_front(slow) || !(name.starts_with("load_") || name.starts_with("store_"))) continue;
        auto* format = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(formatOperand));
        if (!format) continue;
        const std::uint64_t plain = format->getZExtValue() & metal_texels::formatBits;
        calls.emplace_back(call, (known + name + "_" + llvm::Twine(plain)).str());
    }
    if (calls.empty()) return false;
    auto library = llvm::getLazyBitcodeModule(knownTexelsBitcode(), module.getContext());
    if (!library) return library.takeError();
    std::erase_if(calls, [&](const auto& call) { return (*library)->getFunction(call.second) == nullptr; });
    for (auto& [call, name] : calls) {
        const std::uint64_t format = llvm::cast<llvm::ConstantInt>(call->getArgOperand(formatOperand))->getZExtValue();
        llvm::SmallVector<Value*, 2> operands = {call->getArgOperand(texelOperand)};
        if (call->arg_size() > valueOperand) operands.push_back(call->getArgOperand(valueOperand));
        llvm::FunctionCallee callee =
            module.getOrInsertFunction(name, (*library)->getFunction(name)->getFunctionType());
        llvm::IRBuilder<> builder(call);
        Value* made = builder.CreateCall(callee, operands);
        if (!call->getType()->isVoidTy())
            call->replaceAllUsesWith(swizzled(builder, made, std::uint32_t(format >> 16)));
        call->eraseFromParent();
    }
    (*library)->setTargetTriple(module.getTargetTriple());
    (*library)->setDataLayout(module.getDataLayout());
    llvm::DenseSet<const llvm::GlobalValue*> before;
    for (llvm::GlobalValue& value : module.global_values())
        if (!value.isDeclaration()) before.insert(&value);
    if (llvm::Linker::linkModules(module, std::move(*library), llvm::Linker::LinkOnlyNeeded))
        return llvm::createStringError("the code of known formats cannot be linked to the kernel");
    for (llvm::GlobalObject& made : module.global_objects()) {
        if (made.isDeclaration() || before.contains(&made)) continue;
        made.setComdat(nullptr);
        made.setLinkage(llvm::GlobalValue::InternalLinkage);
        auto* function = llvm::dyn_cast<llvm::Function>(&made);
        if (!function) continue;
        for (llvm::StringRef kind : {"target-cpu", "target-features", "tune-cpu"}) function->removeFnAttr(kind);
        function->addFnAttr(llvm::Attribute::AlwaysInline);
    }
    return !calls.empty();
}

}  // namespace metal_host
