# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# How everything of ours is compiled, what a wing is, and what a test is.
#
# One set of flags for all files. What is not here is a decision too: no -march=native (a binary runs on any machine of its
# architecture and gives bit-identical results there), no -ffast-math (NaN must be seen, sums keep their order).

# What the C library shows beyond C17: POSIX. A file that needs more defines _GNU_SOURCE itself.
set(FOOTFALL_SYSTEM_CALLS _DEFAULT_SOURCE _XOPEN_SOURCE=700)

function(footfall_compile_flags target)
  set_target_properties(${target} PROPERTIES
    C_STANDARD 17 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF C_VISIBILITY_PRESET hidden)
  if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
    # Contraction off: a*b + c must round twice everywhere. With fused multiply-add, gcc, clang, -O2 and -O3 would each fuse
    # other sums, and a run would depend on who compiled it.
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion -Wshadow -ffp-contract=off)
    if(CMAKE_C_COMPILER_ID MATCHES "Clang")
      # Numbers that size arrays are enumerators in C17; some of them are factors, too.
      target_compile_options(${target} PRIVATE -Wno-enum-float-conversion)
    endif()
    if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_C_COMPILER_VERSION VERSION_GREATER_EQUAL 11)
      # Loops here go over a few joints or contacts. gcc -O3 makes two of each, one for arrays that do not overlap, and a step
      # that no longer fits into the cache of instructions: 3 to 9 % with few contacts (docs/speed.md).
      target_compile_options(${target} PRIVATE -fvect-cost-model=very-cheap)
    endif()
    if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_C_COMPILER_VERSION VERSION_LESS 12)
      # gcc 11 takes the sizes of arrays for those of the arguments before them, where a function returns a structure in memory.
      target_compile_options(${target} PRIVATE -Wno-stringop-overread)
    endif()
  endif()
  if(FOOTFALL_SANITIZE)
    target_compile_options(${target} PRIVATE
      -fsanitize=${FOOTFALL_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    if(FOOTFALL_SANITIZE MATCHES undefined)
      # One check before every access to memory: clang takes minutes for a file of batches. The address sanitizer sees such a
      # pointer when it is used.
      target_compile_options(${target} PRIVATE -fno-sanitize=null,alignment,object-size,pointer-overflow)
    endif()
    target_link_options(${target} PUBLIC $<BUILD_INTERFACE:-fsanitize=${FOOTFALL_SANITIZE}>)
  endif()
endfunction()

# FF_WITH_XML and so on, for sources that ask what this build can do.
function(footfall_feature_definitions target)
  foreach(feature XML YAML MESHES PNG EMBREE HDF5 LUA SUNDIALS THREADS WEBSOCKETS LINKS)
    if(FOOTFALL_WITH_${feature})
      target_compile_definitions(${target} PRIVATE FF_WITH_${feature}=1)
    endif()
  endforeach()
endfunction()

# footfall_wing(NAME [WING BELOW]): a library footfall-NAME of the rooms under src/NAME, which may use the wings below it. Rooms
# add their sources to it. The library `footfall` is made of the objects of all wings.
function(footfall_wing name)
  set(wing footfall-${name})
  add_library(${wing} STATIC)
  add_library(footfall::${name} ALIAS ${wing})
  footfall_compile_flags(${wing})
  footfall_feature_definitions(${wing})
  set_target_properties(${wing} PROPERTIES EXPORT_NAME ${name}
    POSITION_INDEPENDENT_CODE ON) # a static library can go into someone's plug-in
  target_compile_definitions(${wing} PRIVATE ${FOOTFALL_SYSTEM_CALLS})
  target_include_directories(${wing}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE ${FOOTFALL_ROOMS} ${CMAKE_CURRENT_SOURCE_DIR}) # the rooms of the wings below, and its own
  target_link_libraries(${wing} PUBLIC m)
  if(ARGN)
    target_link_libraries(${wing} PUBLIC footfall-${ARGN})
    set_target_properties(${wing} PROPERTIES FOOTFALL_BELOW footfall-${ARGN})
  endif()
  target_sources(footfall PRIVATE $<TARGET_OBJECTS:${wing}>)
endfunction()

# footfall_needs(WING LIBRARIES...): what the rooms of a wing call of other libraries; cmake/install.cmake writes it into the
# pkg-config file of the wing.
function(footfall_needs wing)
  set_property(TARGET footfall-${wing} footfall APPEND PROPERTY FOOTFALL_NEEDS ${ARGN})
  target_link_libraries(footfall-${wing} PRIVATE ${ARGN})
  target_link_libraries(footfall PRIVATE ${ARGN})
endfunction()

# footfall_test(NAME SOURCES... [NEEDS XML YAML ...]): one test program, run by ctest; exit 77 means skipped. Tests may look inside
# a room. A program all of whose tests need an optional library says so by NEEDS: in a build without it, it counts as skipped, and
# is compiled only when asked for.
function(footfall_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "NEEDS")
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  footfall_compile_flags(${name})
  footfall_feature_definitions(${name})
  target_compile_definitions(${name} PRIVATE ${FOOTFALL_SYSTEM_CALLS} FF_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  if(FOOTFALL_SANITIZE)
    target_compile_definitions(${name} PRIVATE FF_SANITIZED) # a long proof is shorter then: CHECK_LASTS of tests/check.h
  endif()
  target_include_directories(${name} PRIVATE ${FOOTFALL_TEST_ROOMS} ${FOOTFALL_ROOMS})
  target_link_libraries(${name} PRIVATE footfall)
  set(command ${name})
  set(skip_code 77)
  foreach(feature ${arg_NEEDS})
    if(NOT FOOTFALL_WITH_${feature})
      set(command ${CMAKE_COMMAND} -E false)
      set(skip_code 1)
      set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
    endif()
  endforeach()
  add_test(NAME ${name} COMMAND ${command})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE ${skip_code} TIMEOUT 900)
  footfall_mark_test(${name})
endfunction()

# Label `slow` of the list in tests/CMakeLists.txt: `make check` leaves it out; elsewhere it begins early, so that no core waits
# for it at the end.
function(footfall_mark_test name)
  set_property(GLOBAL APPEND PROPERTY footfall_tests ${name})
  if(name IN_LIST FOOTFALL_SLOW_TESTS)
    set_property(TEST ${name} APPEND PROPERTY LABELS slow)
    set_property(TEST ${name} PROPERTY COST 100)
  endif()
endfunction()

# Sends the allocations of a test through the counters of tests/support/allocations.h.
function(footfall_count_allocations test)
  target_link_options(${test} PRIVATE LINKER:--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=aligned_alloc,--wrap=free)
endfunction()
