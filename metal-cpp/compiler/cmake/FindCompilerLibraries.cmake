# Finds LLVM, Clang and LLD 22 and gives `metal_compiler_llvm`, an interface library with their headers and libraries.
# Dynamic by default; with MTLPY_STATIC_LLVM only what the program needs, the X86 target alone.

set(metal_compiler_packages "llvm-22-dev libclang-22-dev libclang-cpp22-dev liblld-22-dev clang-22")
set(metal_compiler_prefixes /usr/lib/llvm-22 /usr/local/lib/llvm-22)
# No version is asked for here: LLVM's own check takes 22 for 22.0 alone.
find_package(LLVM CONFIG QUIET PATHS ${CMAKE_PREFIX_PATH} ${metal_compiler_prefixes} NO_DEFAULT_PATH)
if(NOT LLVM_FOUND)
  find_package(LLVM CONFIG QUIET)
endif()
if(LLVM_FOUND AND NOT LLVM_VERSION_MAJOR EQUAL 22)
  set(LLVM_FOUND FALSE)
endif()
if(LLVM_FOUND)
  find_package(Clang CONFIG QUIET HINTS "${LLVM_DIR}/../clang" PATHS ${metal_compiler_prefixes})
  find_package(LLD CONFIG QUIET HINTS "${LLVM_DIR}/../lld" PATHS ${metal_compiler_prefixes})
endif()
set(metal_compiler_missing)
foreach(part LLVM Clang LLD)
  if(NOT ${part}_FOUND)
    list(APPEND metal_compiler_missing ${part})
  endif()
endforeach()
if(metal_compiler_missing)
  list(JOIN metal_compiler_missing ", " metal_compiler_missing)
  message(FATAL_ERROR "metal-compiler is built on LLVM, Clang and LLD 22; not found: ${metal_compiler_missing}.\n"
    "On Debian and Ubuntu install them with\n    apt-get install ${metal_compiler_packages}\n"
    "(where the release has no LLVM 22, from https://apt.llvm.org), or give their folder with -DCMAKE_PREFIX_PATH=.")
endif()

add_library(metal_compiler_llvm INTERFACE)
target_include_directories(metal_compiler_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS} ${LLD_INCLUDE_DIRS})
separate_arguments(metal_compiler_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
target_compile_definitions(metal_compiler_llvm INTERFACE ${metal_compiler_definitions})
find_package(Threads REQUIRED)

if(MTLPY_STATIC_LLVM)
  llvm_map_components_to_libnames(metal_compiler_components
    X86CodeGen X86AsmParser X86Desc X86Info X86Disassembler
    Core IRReader BitReader BitWriter Linker Passes IPO Vectorize ScalarOpts InstCombine TransformUtils Analysis
    CodeGen AsmPrinter MC MCParser Object Option ProfileData Support Target TargetParser LTO WindowsDriver FrontendOpenMP
    FrontendHLSL FrontendDriver FrontendOffloading Coverage Coroutines Instrumentation ObjCARCOpts HipStdPar)
  list(FILTER metal_compiler_components EXCLUDE REGEX "NOTFOUND")
  # Debian's LLVM names Polly as an extension to link, and clangCodeGen names that; its plugin is ours (polly_plugin.cpp).
  foreach(metal_compiler_library clangCodeGen LLVMExtensions)
    get_target_property(metal_compiler_parts ${metal_compiler_library} INTERFACE_LINK_LIBRARIES)
    if(metal_compiler_parts)
      list(FILTER metal_compiler_parts EXCLUDE REGEX "Polly")
      set_target_properties(${metal_compiler_library} PROPERTIES INTERFACE_LINK_LIBRARIES "${metal_compiler_parts}")
    endif()
  endforeach()
  # clangFrontend names the rewriters, drivers and so on that it needs; neither tooling nor the static analyser is among them.
  target_link_libraries(metal_compiler_llvm INTERFACE
    clangFrontend clangCodeGen clangParse clangSema clangAPINotes clangAnalysis clangEdit clangAST clangASTMatchers
    clangSerialization clangDriver clangOptions clangLex clangSupport clangBasic
    lldELF lldCommon ${metal_compiler_components} Threads::Threads)
else()
  target_link_libraries(metal_compiler_llvm INTERFACE clang-cpp LLVM lldELF lldCommon Threads::Threads)
endif()

# Drops unreached sections; lld is faster at it than the system's linker and can fold equal functions.
function(metal_compiler_shrink target)
  target_link_options(${target} PRIVATE -Wl,--gc-sections)
  find_program(METAL_COMPILER_LLD NAMES ld.lld-22 ld.lld HINTS "${LLVM_TOOLS_BINARY_DIR}")
  if(METAL_COMPILER_LLD)
    file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/linker")
    file(CREATE_LINK "${METAL_COMPILER_LLD}" "${CMAKE_BINARY_DIR}/linker/ld.lld" SYMBOLIC)
    target_link_options(${target} PRIVATE "-B${CMAKE_BINARY_DIR}/linker" -fuse-ld=lld -Wl,--icf=all -Wl,-O2)
  endif()
  # Debian's clangCodeGen is built with Polly and asks for its plugin.
  target_sources(${target} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/polly_plugin.cpp")
endfunction()
