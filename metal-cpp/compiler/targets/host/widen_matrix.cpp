// SPDX-License-Identifier: MIT
//
// Matrices of 8 x 8 elements, two in each lane of a SIMD-group. Memory is read and written by rows, and products are
// summed over columns of A and rows of B that shuffles spread to the lanes. The shuffles are constant: those of one
// matrix are made once, however many products it is in.

#include <llvm/IR/Instructions.h>

#include "widener.hpp"

namespace metal_host {

using llvm::Value;

namespace {

constexpr unsigned size = 8;

/// Where a lane's first element is; the second is in the next column.
unsigned rowOf(unsigned lane) {
    return (lane / 4 & 4) + lane / 2 % 4;
}
unsigned columnOf(unsigned lane) {
    return (lane / 4 & 2) * 2 + lane % 2 * 2;
}
/// The lane that holds an element.
unsigned laneOf(unsigned row, unsigned column) {
    return (row & 4) * 4 + (column & 4) * 2 + row % 4 * 2 + column / 2 % 2;
}

bool isTrue(Value* value) {
    auto* number = llvm::dyn_cast<llvm::ConstantInt>(value);
    return number && number->isOne();
}

}  // namespace

bool Widener::matrix(llvm::StringRef operation, llvm::CallInst& call) {
    if (operation.starts_with("load_")) return defineWide(&call, matrixLoad(call)), true;
    if (operation.starts_with("multiply_")) return defineWide(&call, matrixMultiply(call)), true;
    if (!operation.starts_with("store_")) return false;
    matrixStore(call);
    return true;
}

/// The address of row `row` in memory.
Value* Widener::matrixRow(Value* start, Value* perRow, llvm::Type* element, unsigned row) {
    return builder_.CreateGEP(element, start, builder_.CreateMul(perRow, builder_.getInt64(row)));
}

/// __metal_simd_matrix_load_*(start, elements per row, transpose, which)
Value* Widener::matrixLoad(llvm::CallInst& call) {
    Value *start = agreed(call.getArgOperand(0)), *perRow = agreed(call.getArgOperand(1));
    bool transpose = isTrue(call.getArgOperand(2)), second = isTrue(call.getArgOperand(3));
    llvm::Type* element = call.getType();
    llvm::SmallVector<Value*, size> rows;
    for (unsigned row = 0; row < size; ++row) {
        rows.push_back(builder_.CreateAlignedLoad(llvm::FixedVectorType::get(element, size),
                                                  matrixRow(start, perRow, element, row),
                                                  layout_.getABITypeAlign(element)));
    }
    llvm::SmallVector<int, 32> from;
    for (unsigned lane = 0; lane < width_; ++lane) {
        unsigned row = rowOf(lane), column = columnOf(lane) + second;
        from.push_back(int(transpose ? column * size + row : row * size + column));
    }
    return builder_.CreateShuffleVector(joined(rows), from);
}

/// The vectors one after the other; of equal length, and a power of two of them.
Value* Widener::joined(llvm::SmallVectorImpl<Value*>& vectors) {
    while (vectors.size() > 1) {
        unsigned count = llvm::cast<llvm::FixedVectorType>(vectors.front()->getType())->getNumElements();
        llvm::SmallVector<int, 64> both;
        for (unsigned index = 0; index < 2 * count; ++index) both.push_back(int(index));
        for (std::size_t pair = 0; pair < vectors.size() / 2; ++pair)
            vectors[pair] = builder_.CreateShuffleVector(vectors[2 * pair], vectors[2 * pair + 1], both);
        vectors.resize(vectors.size() / 2);
    }
    return vectors.front();
}

/// __metal_simd_matrix_store_*(start, elements per row, transpose, first element, second element)
void Widener::matrixStore(llvm::CallInst& call) {
    Value *start = agreed(call.getArgOperand(0)), *perRow = agreed(call.getArgOperand(1));
    bool transpose = isTrue(call.getArgOperand(2));
    Value *evenColumns = wide(call.getArgOperand(3)), *oddColumns = wide(call.getArgOperand(4));
    llvm::Type* element = call.getArgOperand(3)->getType();
    for (unsigned row = 0; row < size; ++row) {
        llvm::SmallVector<int, size> from;
        for (unsigned column = 0; column < size; ++column) {
            unsigned r = transpose ? column : row, c = transpose ? row : column;
            from.push_back(int(laneOf(r, c) + (c % 2 ? width_ : 0)));
        }
        builder_.CreateAlignedStore(builder_.CreateShuffleVector(evenColumns, oddColumns, from),
                                    matrixRow(start, perRow, element, row), layout_.getABITypeAlign(element));
    }
}

/// __metal_simd_matrix_multiply_f32(a's first element, a's second, one of b, the same one of c)
Value* Widener::matrixMultiply(llvm::CallInst& call) {
    Value* a[2] = {wide(call.getArgOperand(0)), wide(call.getArgOperand(1))};
    Value *b = wide(call.getArgOperand(2)), *sum = wide(call.getArgOperand(3));
    for (unsigned k = 0; k < size; ++k) {
        llvm::SmallVector<int, 32> columnOfA, rowOfB;
        for (unsigned lane = 0; lane < width_; ++lane) {
            columnOfA.push_back(int(laneOf(rowOf(lane), k)));
            rowOfB.push_back(int(laneOf(k, columnOf(lane))));
        }
        sum = builder_.CreateIntrinsic(
            llvm::Intrinsic::fmuladd, {sum->getType()},
            {builder_.CreateShuffleVector(a[k % 2], columnOfA), builder_.CreateShuffleVector(b, rowOfB), sum});
    }
    return sum;
}

}  // namespace metal_host
