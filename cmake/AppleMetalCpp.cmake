# SPDX-License-Identifier: MIT
# macOS: the target `metal_cpp` is Apple's own headers, one file that holds their definitions, and the frameworks.
# METAL_CPP_DIR names a copy of the headers; without it they are fetched at the commit below.

enable_language(CXX)
include(FetchContent)

if(METAL_CPP_DIR)
  set(metal_cpp_headers "${METAL_CPP_DIR}")
else()
  FetchContent_Declare(
    apple_metal_cpp
    GIT_REPOSITORY https://github.com/apple/metal-cpp.git
    GIT_TAG 27c4382b7151d55a51692cdcb27aaa98752240de)
  FetchContent_MakeAvailable(apple_metal_cpp)
  set(metal_cpp_headers "${apple_metal_cpp_SOURCE_DIR}")
endif()
if(NOT EXISTS "${metal_cpp_headers}/Metal/Metal.hpp")
  message(FATAL_ERROR "no Metal/Metal.hpp in ${metal_cpp_headers}: set METAL_CPP_DIR to the folder of Apple's metal-cpp")
endif()

add_library(metal_cpp STATIC "${CMAKE_CURRENT_LIST_DIR}/AppleMetalCpp.cpp")
target_include_directories(metal_cpp SYSTEM PUBLIC "${metal_cpp_headers}")
target_link_libraries(metal_cpp PUBLIC "-framework Foundation" "-framework Metal" "-framework QuartzCore"
                      "-framework CoreGraphics")
