# SPDX-License-Identifier: MIT
# Installs what find_package(metal-cpp-portable) finds: with `cmake --install` under the prefix, in a wheel under
# mtlpy_nb/cpp, where `mtlpy-nb cmake-dir` says it is.

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

if(SKBUILD)
  set(package_root mtlpy_nb/cpp)
  set(package_libraries ${package_root}/lib)
  set(METAL_COMPILER_FILE mtlpy_nb/metal-compiler)
else()
  set(package_root .)
  set(package_libraries ${CMAKE_INSTALL_LIBDIR})
  set(METAL_COMPILER_FILE ${CMAKE_INSTALL_BINDIR}/metal-compiler)
endif()
set(package_headers ${package_root}/include/metal-cpp-portable)
set(package_config ${package_libraries}/cmake/metal-cpp-portable)

if(NOT APPLE)
  # The libraries that metal_cpp links are part of it; programs name metal_cpp alone.
  set_target_properties(metal_cpp PROPERTIES EXPORT_NAME metal-cpp)
  target_include_directories(metal_cpp SYSTEM INTERFACE $<INSTALL_INTERFACE:${package_headers}>)
  install(TARGETS metal_cpp metal_capture metal_executor metal_compiler_client EXPORT metal-cpp-portable
          ARCHIVE DESTINATION ${package_libraries})
  install(EXPORT metal-cpp-portable DESTINATION ${package_config} NAMESPACE metal-cpp-portable::
          FILE metal-cpp-portable-targets.cmake)
  foreach(folder CoreGraphics Foundation Metal MetalPortable QuartzCore)
    install(DIRECTORY metal-cpp/${folder} DESTINATION ${package_headers} FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
  endforeach()
endif()

configure_package_config_file(cmake/metal-cpp-portable-config.cmake.in metal-cpp-portable-config.cmake
  INSTALL_DESTINATION ${package_config} PATH_VARS METAL_COMPILER_FILE)
write_basic_package_version_file(metal-cpp-portable-config-version.cmake VERSION 0.1.0 COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/metal-cpp-portable-config.cmake"
              "${CMAKE_CURRENT_BINARY_DIR}/metal-cpp-portable-config-version.cmake"
              cmake/compiler_place.cpp.in cmake/AppleMetalCpp.cmake cmake/AppleMetalCpp.cpp
        DESTINATION ${package_config})
