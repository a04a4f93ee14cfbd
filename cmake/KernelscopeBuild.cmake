# The linker of LLVM, where there is one, takes a fifth of the time of that of GNU, for more than a hundred programs of
# tests.
find_program(KERNELSCOPE_LLD ld.lld)
if(KERNELSCOPE_LLD)
  add_link_options(-fuse-ld=lld)
endif()

# Warnings, sanitizers and include paths for every target of the program.
function(ks_target name)
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR})
  target_compile_options(${name} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion)
  target_compile_definitions(${name} PRIVATE KERNELSCOPE_VERSION="${PROJECT_VERSION}")
  if(KERNELSCOPE_SANITIZE)
    # What is left out of the checks of undefined behaviour ends in those of addresses, or in a signal; their code
    # takes a seventh of the time of the compiler.
    target_compile_options(${name} PRIVATE -fsanitize=address,undefined -fno-sanitize-recover=undefined
                                           -fno-sanitize=null,object-size,vptr,pointer-overflow
                                           -fno-omit-frame-pointer)
    target_link_options(${name} PRIVATE -fsanitize=address,undefined)
  endif()
endfunction()

# Headers that most files include are parsed once per target; parsing them took two thirds of the build time. OFF
# shows missing includes.
option(KERNELSCOPE_PRECOMPILE "Precompile headers" ON)
set(KS_COMMON_HEADERS <algorithm> <array> <atomic> <chrono> <cmath> <condition_variable> <cstdint> <deque> <filesystem>
                      <fstream> <functional> <limits> <map> <memory> <mutex> <numeric> <optional> <set> <span> <sstream>
                      <string> <string_view> <thread> <tuple> <unordered_map> <utility> <variant> <vector> <random> <regex>
                      <nlohmann/json.hpp> <fmt/format.h> <fmt/ranges.h>)
function(ks_precompile target)
  if(KERNELSCOPE_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE ${KS_COMMON_HEADERS} ${ARGN})
  endif()
endfunction()

# With CMAKE_UNITY_BUILD, set by all presets but dev, the sources of a folder of TARGET are compiled as one unit: a
# full build takes a quarter of the time. Names in the anonymous namespaces of a folder must therefore differ. The
# subfolders of the folders in `whole` are compiled together, since most of the time of each would go into the headers.
function(ks_unit_per_folder target)
  if(NOT CMAKE_UNITY_BUILD)
    return()
  endif()
  # Silences warnings that only a unity build causes.
  target_compile_options(${target} PRIVATE -Wno-shadow -Wshadow=local -Wno-subobject-linkage)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  set(whole "app/cli|core/basics|core/io|gpu/basics|gpu/runtime|ui/base|ui/clusters|ui/image|ui/kernels")
  foreach(source ${sources})
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${CMAKE_SOURCE_DIR} OUTPUT_VARIABLE path)
    cmake_path(GET path PARENT_PATH folder)
    string(REGEX REPLACE "^(${whole})/.*" "\\1" folder "${folder}")
    set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP "${folder}")
  endforeach()
endfunction()

# Library ks_FOLDER from all sources under FOLDER: a new file needs no line here.
function(ks_library folder)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*.cpp ${CMAKE_SOURCE_DIR}/${folder}/*.h)
  add_library(ks_${folder} STATIC ${sources})
  ks_target(ks_${folder})
  ks_unit_per_folder(ks_${folder})
endfunction()

# Lists the subfolders of FOLDER that contain a file of this name in a generated header, collected_FOLDER.h:
#   #define KS_COLLECTED_FOLDER(X) X(xpcs) ...
# with "_" for "/" in FOLDER, so that a new analysis or exercise needs only a new folder.
function(ks_collect folder name target)
  file(GLOB found CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/${folder} ${CMAKE_SOURCE_DIR}/${folder}/*/${name})
  set(subfolders "")
  foreach(path ${found})
    get_filename_component(subfolder ${path} DIRECTORY)
    if(subfolder MATCHES "^(run|runtime|shell|tools)$" OR subfolder IN_LIST subfolders)
      continue()
    endif()
    list(APPEND subfolders ${subfolder})
  endforeach()
  string(REPLACE "/" "_" id ${folder})
  list(TRANSFORM subfolders REPLACE "(.+)" " X(\\1)")
  string(JOIN "" list ${subfolders})
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/collected/collected_${id}.h
       CONTENT "#define KS_COLLECTED_${id}(X)${list}\n" @ONLY)
  target_include_directories(${target} PRIVATE ${CMAKE_BINARY_DIR}/collected)
endfunction()

# Embeds every .cl under gpu/ into TARGET as bytes; see gpu/runtime/kernel_files.h for how to read them.
function(ks_embed_kernels target)
  file(GLOB_RECURSE kernels CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/gpu/*.cl)
  set(out ${CMAKE_BINARY_DIR}/embedded/kernel_files.cpp)
  add_custom_command(
    OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} "-DOUT=${out}" "-DROOT=${CMAKE_SOURCE_DIR}" "-DFILES=${kernels}"
            -P ${CMAKE_SOURCE_DIR}/cmake/EmbedKernels.cmake
    DEPENDS ${kernels} ${CMAKE_SOURCE_DIR}/cmake/EmbedKernels.cmake
    VERBATIM)
  target_sources(${target} PRIVATE ${out})
endfunction()

# Builds the manual of the window into a target: the documents for users, and every page of the tutorial.
function(ks_manual target)
  file(GLOB pages CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/docs ${CMAKE_SOURCE_DIR}/docs/tutorial/*.md)
  set(files "")
  foreach(page IN LISTS pages ITEMS lecture.md keyboard.md formats.md troubleshooting.md cli.md)
    string(APPEND files "<file alias=\"${page}\">${CMAKE_SOURCE_DIR}/docs/${page}</file>\n")
  endforeach()
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/manual.qrc
       CONTENT "<RCC><qresource prefix=\"/manual\">\n${files}</qresource></RCC>\n" @ONLY)
  target_sources(${target} PRIVATE ${CMAKE_BINARY_DIR}/manual.qrc)
endfunction()
