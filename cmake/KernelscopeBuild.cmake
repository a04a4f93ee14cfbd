# Warnings, sanitizers and include paths that every target of the program has.
function(ks_target name)
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR})
  target_compile_options(${name} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion)
  target_compile_definitions(${name} PRIVATE KERNELSCOPE_VERSION="${PROJECT_VERSION}")
  if(KERNELSCOPE_SANITIZE)
    target_compile_options(${name} PRIVATE -fsanitize=address,undefined -fno-sanitize-recover=undefined
                                           -fno-omit-frame-pointer)
    target_link_options(${name} PRIVATE -fsanitize=address,undefined)
  endif()
endfunction()

# What most files include is parsed once for a target: two thirds of the time of a build went there. OFF shows includes
# that a file forgets.
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

# With CMAKE_UNITY_BUILD, as the presets but dev have it, the sources of a folder of TARGET are compiled as one: a whole
# build takes a quarter of the time. Names in the anonymous namespaces of a folder must therefore differ.
function(ks_unit_per_folder target)
  if(NOT CMAKE_UNITY_BUILD)
    return()
  endif()
  # What names of another file of the unit, or a file that is not the unit's main one, would warn of.
  target_compile_options(${target} PRIVATE -Wno-shadow -Wshadow=local -Wno-subobject-linkage)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${CMAKE_SOURCE_DIR} OUTPUT_VARIABLE path)
    cmake_path(GET path PARENT_PATH folder)
    set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP "${folder}")
  endforeach()
endfunction()

# Library ks_FOLDER from all sources under FOLDER: adding a file needs no line here.
function(ks_library folder)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*.cpp ${CMAKE_SOURCE_DIR}/${folder}/*.h)
  add_library(ks_${folder} STATIC ${sources})
  ks_target(ks_${folder})
  ks_unit_per_folder(ks_${folder})
endfunction()

# Collects the subfolders of FOLDER that hold HEADER into a generated header collected_FOLDER.h:
#   #include "FOLDER/xpcs/HEADER" ...
#   #define KS_COLLECTED_FOLDER(X) X(xpcs) ...
# so that a new analysis is a new folder and nothing else.
function(ks_collect folder header target)
  file(GLOB found CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/${folder} ${CMAKE_SOURCE_DIR}/${folder}/*/${header})
  set(text "#pragma once\n")
  set(list "")
  foreach(path ${found})
    get_filename_component(name ${path} DIRECTORY)
    if(name MATCHES "^(run|runtime|shell)$")
      continue()
    endif()
    string(APPEND text "#include \"${folder}/${path}\"\n")
    string(APPEND list " X(${name})")
  endforeach()
  string(APPEND text "#define KS_COLLECTED_${folder}(X)${list}\n")
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/collected/collected_${folder}.h CONTENT "${text}" @ONLY)
  target_include_directories(${target} PRIVATE ${CMAKE_BINARY_DIR}/collected)
endfunction()

# Embeds every .cl under gpu/ into TARGET as bytes; gpu/runtime/kernel_files.h tells how to read them.
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
