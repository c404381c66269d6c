// SPDX-License-Identifier: MIT
//
// What is known of each MTL::DataType: its name in Metal's language and its layout in memory.

#pragma once

#include <Metal/Metal.hpp>
#include <cstdint>
#include <string>

namespace mtlpy {

struct DataTypeFacts {
    std::string name;              // "float4"; empty for None, Struct and Array
    char scalar = 0;               // code of Python's struct module: "f", "e", "i", ...; 0 where it has none
    std::uint32_t components = 0;  // of a vector, or of one column of a matrix
    std::uint32_t columns = 0;     // of a matrix; 1 for scalars and vectors
    std::uint64_t size = 0;        // bytes, 0 where the type has no layout of its own
    std::uint64_t alignment = 0;
};

DataTypeFacts dataTypeFacts(MTL::DataType type);

}  // namespace mtlpy
