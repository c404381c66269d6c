// SPDX-License-Identifier: MIT
//
// A value of one thread as its scalar parts: a struct's or vector's members in order, a scalar itself. Widening turns
// each part into a vector of its own.

#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DerivedTypes.h>

#include <cstdint>

namespace metal_host {

struct Part {
    llvm::Type* type;
    std::uint64_t offset;  ///< in memory, from the start of the whole
};

inline void appendParts(llvm::Type* type, std::uint64_t offset, const llvm::DataLayout& layout,
                        llvm::SmallVectorImpl<Part>& parts) {
    if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
        for (unsigned field = 0; field < structure->getNumElements(); ++field) {
            appendParts(structure->getElementType(field),
                        offset + layout.getStructLayout(structure)->getElementOffset(field).getFixedValue(), layout,
                        parts);
        }
        return;
    }
    llvm::Type* element = nullptr;
    std::uint64_t count = 0;
    if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type))
        element = array->getElementType(), count = array->getNumElements();
    if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
        element = vector->getElementType(), count = vector->getNumElements();
    if (!element) {
        if (!type->isVoidTy()) parts.push_back({type, offset});
        return;
    }
    std::uint64_t stride = layout.getTypeAllocSize(element).getFixedValue();
    for (std::uint64_t index = 0; index < count; ++index) appendParts(element, offset + index * stride, layout, parts);
}

inline llvm::SmallVector<Part, 4> partsOf(llvm::Type* type, const llvm::DataLayout& layout) {
    llvm::SmallVector<Part, 4> parts;
    appendParts(type, 0, layout, parts);
    return parts;
}

/// The first part of member `index` of an aggregate or vector.
inline unsigned firstPart(llvm::Type* type, unsigned index, const llvm::DataLayout& layout) {
    if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
        unsigned before = 0;
        for (unsigned field = 0; field < index; ++field)
            before += partsOf(structure->getElementType(field), layout).size();
        return before;
    }
    if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type))
        return index * partsOf(array->getElementType(), layout).size();
    return index;
}

}  // namespace metal_host
