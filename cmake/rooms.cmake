# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# Flags that every target of ours shares.
function(footfall_compile_flags target)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wconversion -Wshadow
    $<$<BOOL:${FOOTFALL_WARNINGS_AS_ERRORS}>:-Werror>
    -ffp-contract=off # same bits with or without fused multiply-add
    $<$<CONFIG:Release>:-O3>)
  if(FOOTFALL_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${FOOTFALL_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=${FOOTFALL_SANITIZE})
  endif()
endfunction()

# footfall_test(NAME SOURCES...): one test program, run by ctest; exit 77 means skipped.
function(footfall_test name)
  add_executable(${name} ${ARGN})
  footfall_compile_flags(${name})
  target_compile_definitions(${name} PRIVATE _GNU_SOURCE FF_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${name} PRIVATE footfall)
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300)
endfunction()
