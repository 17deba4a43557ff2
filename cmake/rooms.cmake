# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# Flags that every target of ours shares, and the helper that makes a test.
#
# What is not here is a decision too: no -march=native (a binary runs on any machine of its architecture and gives the same bits
# there), no -ffast-math (NaN must be seen, sums keep their order). -O3 comes from CMake's Release.

# What the C library shows beyond C17: POSIX. A file that needs more defines _GNU_SOURCE itself: everywhere it would cost a tenth of the
# time of compilation, most of it for the functions of <math.h> in types that nobody uses.
set(FOOTFALL_SYSTEM_CALLS _DEFAULT_SOURCE _XOPEN_SOURCE=700)

# Programs that nobody installs, and all with sanitizers, are linked by the faster of Debian's linkers: a measurement takes 0.06 s of processor in place of 0.33 s,
# the program with sanitizers 0.3 s in place of 1.3 s.
find_program(FOOTFALL_TEST_LINKER NAMES ld.lld ld.gold)
mark_as_advanced(FOOTFALL_TEST_LINKER)
function(footfall_link_quickly target)
  # The name last, as each match forgets the one before; cross compilers look for a linker of their own.
  if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang" AND NOT CMAKE_CROSSCOMPILING AND FOOTFALL_TEST_LINKER MATCHES "ld\\.(lld|gold)$")
    target_link_options(${target} PRIVATE -fuse-ld=${CMAKE_MATCH_1})
    if(CMAKE_MATCH_1 STREQUAL lld) # as many programs as there are cores are linked at a time: a tenth less without its threads
      target_link_options(${target} PRIVATE LINKER:--threads=1)
      if(FOOTFALL_SANITIZE) # nor does it look for strings that are alike in what debuggers need: another tenth
        target_link_options(${target} PRIVATE LINKER:-O0,--build-id=none)
      endif()
    endif()
  endif()
endfunction()

function(footfall_compile_flags target)
  set_target_properties(${target} PROPERTIES
    C_STANDARD 17 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF C_VISIBILITY_PRESET hidden)
  if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
    # Contraction off: a*b + c must round twice everywhere. With fused multiply-add, gcc, clang, -O2 and -O3 would each fuse other
    # sums, and a run would depend on who compiled it.
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion -Wshadow -ffp-contract=off)
    if(FOOTFALL_WARNINGS_AS_ERRORS)
      target_compile_options(${target} PRIVATE -Werror)
    endif()
    if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_C_COMPILER_VERSION VERSION_GREATER_EQUAL 11)
      # Loops here go over a few joints or contacts. gcc -O3 makes two of each, one for arrays that do not overlap, and a step that no longer fits into the cache of
      # instructions: of those with few contacts 3 to 9 % (docs/speed.md).
      target_compile_options(${target} PRIVATE -fvect-cost-model=very-cheap)
    endif()
  endif()
  if(FOOTFALL_SANITIZE)
    target_compile_options(${target} PRIVATE
      -fsanitize=${FOOTFALL_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    if(FOOTFALL_SANITIZE MATCHES "address.*undefined")
      # A check before every access to memory trebles what clang needs for a file. What these find, the address sanitizer sees
      # when such a pointer is used; only an access that is not aligned goes by, which both our architectures allow. An index beyond its array is another check.
      target_compile_options(${target} PRIVATE -fno-sanitize=null,alignment,object-size,pointer-overflow)
    endif()
    if(FOOTFALL_SANITIZE MATCHES "address" AND CMAKE_C_COMPILER_ID MATCHES "Clang")
      # The same checks by calls: a fifth less to compile. Where a simulation is busy they stay inline (footfall_optimise_simulation_alone).
      target_compile_options(${target} PRIVATE -fsanitize-address-outline-instrumentation)
      if(CMAKE_C_COMPILER_VERSION VERSION_GREATER_EQUAL 13 AND CMAKE_C_COMPILER_VERSION VERSION_LESS 15)
        # These look for a stack frame that is used after its function has returned only where one asks for it at run time, and each function asks whether one did.
        target_compile_options(${target} PRIVATE -fsanitize-address-use-after-return=never)
      endif()
    endif()
    target_link_options(${target} PUBLIC $<BUILD_INTERFACE:-fsanitize=${FOOTFALL_SANITIZE}>)
    footfall_link_quickly(${target})
    footfall_search_leaks_quickly(${target})
  endif()
endfunction()

# On arm64 every program of clang's address sanitizer takes 3 s to look for leaks, and some milliseconds with what tests/support/leak_search.c does in the place of a function of the sanitizer.
# A sanitizer without that function keeps its own.
function(footfall_search_leaks_quickly target)
  get_target_property(type ${target} TYPE)
  if(NOT type STREQUAL EXECUTABLE OR NOT FOOTFALL_SANITIZE MATCHES address OR NOT CMAKE_C_COMPILER_ID MATCHES Clang OR NOT CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    return()
  endif()
  if(NOT TARGET footfall_leak_search)
    add_library(footfall_leak_search OBJECT ${PROJECT_SOURCE_DIR}/tests/support/leak_search.c)
    footfall_compile_flags(footfall_leak_search)
    target_compile_definitions(footfall_leak_search PRIVATE ${FOOTFALL_SYSTEM_CALLS})
    target_compile_options(footfall_leak_search PRIVATE -O1 -fno-sanitize=all) # it is called by the sanitizer, in every allocation
  endif()
  target_link_libraries(${target} PRIVATE footfall_leak_search)
  target_link_options(${target} PRIVATE LINKER:--wrap=_ZN6__lsan12ForEachChunkEPFvmPvES0_)
endfunction()

# Optimising is two thirds of the work of a compiler, and sanitizers treble it. Builds that nobody waits for but to see them pass optimise only the rooms that a
# simulation is busy in; those with sanitizers, where it is six times as slow otherwise, also what is called once a cycle around it.
function(footfall_optimise_simulation_alone)
  get_target_property(sources footfall SOURCES)
  # Not biped, where no scene of scripts/golden-images is busy, nor batch, whose lanes take 40 s of compilers in all these builds.
  set(busy "base|geom|contact|dyn|drive|sense|engine|world|plant|control|gait")
  if(FOOTFALL_SANITIZE)
    set(around "steer|link")
    if(FOOTFALL_SANITIZE MATCHES address)
      # Buses and their devices work in every cycle of their tests, YAML and its schema come with every robot and scene, twins look through long logs.
      set(around "${around}|hardware|ethercat|stations|fieldbus|master|twin|model/(yaml|schema)[a-z_]*[.]c")
    endif()
    list(FILTER sources INCLUDE REGEX "/src/(${busy}|biped|measure|${around})")
    if(FOOTFALL_SANITIZE MATCHES fuzzer)
      # Fuzzers look for new paths through readers of files. What sets up a run from them and simulates does not count the branches it takes: that cost 18 % of
      # the time of six tests with the sanitizers, and that of bipeds and of elementary functions another 5 % of test_biped_guard. Sanitizers look there all the same.
      set(readers ${sources})
      list(FILTER readers INCLUDE REGEX "/src/(drive|sense|${around})|/base/(error|file|json|memory|text)[.]c|/geom/(mesh|field)")
      list(REMOVE_ITEM sources ${readers})
      footfall_compile_busy(footfall_busy_readers ${readers})
    endif()
    footfall_compile_busy(footfall_busy ${sources})
    if(FOOTFALL_SANITIZE MATCHES fuzzer)
      target_compile_options(footfall_busy PRIVATE -fno-sanitize=fuzzer-no-link)
    endif()
  elseif(FOOTFALL_OPTIMISE_SIMULATION_ALONE)
    set(simulating ${sources})
    list(FILTER simulating INCLUDE REGEX "/src/(${busy})/")
    # No such scene calls these. What callgrind lists of `golden`, scene by scene, names no function of theirs.
    list(FILTER simulating EXCLUDE REGEX "/src/(gait/(climb|hill|jog|look|static|travel)|control/(arm_path|elastic_joint|filter|ik|leg_chain|pid|qp|quintic)|contact/(impulse|sweep))")
    list(FILTER simulating EXCLUDE REGEX "/src/(drive/(battery|cable|cascade|linear|parallel|table|thermal)|sense/(coordinates|fusion|places|ray|subtree|tactile)|dyn/(actuator|drag))")
    list(FILTER simulating EXCLUDE REGEX "/src/(engine/(applied|linearise|mocap|profile|team)|world/(impulse|rigid_solve|rigid_step)|geom/(box_box|field_png|mesh_(check|child|import|load|obj)))")
    list(REMOVE_ITEM sources ${simulating})
    if(CMAKE_CROSSCOMPILING)
      footfall_compile_apart(footfall_simulating ${simulating})
      set(apart ${sources})
      list(FILTER apart INCLUDE REGEX "/src/(ethercat|hardware|stations|master|fieldbus|link|certify|twin|studio)/")
      list(REMOVE_ITEM sources ${apart})
      footfall_check_alone(${apart})
    endif()
    footfall_compile_apart(footfall_idle ${sources})
    target_compile_options(footfall_idle PRIVATE -O0)
    if(CMAKE_CROSSCOMPILING)
      footfall_library_of_bits()
    endif()
  elseif(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang" AND CMAKE_C_FLAGS_RELEASE MATCHES "-O3")
    # The fast build is fast where steps are made, controllers think and telegrams go. Robots and scenes are read, and the studio is asked, by people; what leads from
    # a scene to its controllers moves some hundred bytes a cycle. gcc still sees which variables have no value, in two thirds of the time.
    list(FILTER sources INCLUDE REGEX "/src/(model|scene|certify|studio|steer|twin)/|/src/batch/compile[a-z_]*[.]c")
    set_property(SOURCE ${sources} APPEND PROPERTY COMPILE_OPTIONS $<$<CONFIG:Release>:-O1>)
  endif()
endfunction()

# Sources without which the scenes of scripts/golden-images run. For another architecture the target footfall_checked lets a compiler read them, with the program,
# and makes no code, which takes a quarter of the time; footfall_bits is the library without them, for scripts/check-determinism. The target footfall has them all.
function(footfall_check_alone)
  footfall_compile_apart(footfall_apart ${ARGN})
  target_compile_options(footfall_apart PRIVATE -O0)
  add_library(footfall_checked OBJECT EXCLUDE_FROM_ALL ${ARGN})
  footfall_compile_as_library(footfall_checked)
  target_compile_options(footfall_checked PRIVATE -O0 -fsyntax-only)
endfunction()
function(footfall_library_of_bits)
  add_library(footfall_bits STATIC EXCLUDE_FROM_ALL $<TARGET_OBJECTS:footfall_simulating> $<TARGET_OBJECTS:footfall_idle>)
  set_target_properties(footfall footfall_bits PROPERTIES LINKER_LANGUAGE C)
  target_include_directories(footfall_bits INTERFACE include)
  target_link_libraries(footfall_bits INTERFACE m)
endfunction()

# Sources that a simulation is busy in, with sanitizers.
function(footfall_compile_busy target)
  footfall_compile_apart(${target} ${ARGN})
  target_compile_options(${target} PRIVATE -O1)
  if(FOOTFALL_SANITIZE MATCHES "address" AND CMAKE_C_COMPILER_ID MATCHES "Clang")
    # Inline what the source calls so, vectors and the like. What else clang would inline comes with its checks, a fifth of compiling, and tests are no faster by it.
    target_compile_options(${target} PRIVATE -fno-sanitize-address-outline-instrumentation -finline-hint-functions)
  endif()
endfunction()

# Sources of the library as a target of their own, whose objects go into it all the same: headers are precompiled once a target, for one -O.
function(footfall_compile_apart target)
  add_library(${target} OBJECT ${ARGN})
  footfall_compile_as_library(${target})
  get_target_property(others footfall SOURCES)
  list(REMOVE_ITEM others ${ARGN})
  set_property(TARGET footfall PROPERTY SOURCES ${others} $<TARGET_OBJECTS:${target}>)
endfunction()
function(footfall_compile_as_library target)
  footfall_compile_flags(${target})
  set_property(TARGET ${target} PROPERTY POSITION_INDEPENDENT_CODE ON)
  foreach(property COMPILE_DEFINITIONS INCLUDE_DIRECTORIES LINK_LIBRARIES)
    get_target_property(values footfall ${property})
    set_property(TARGET ${target} PROPERTY ${property} ${values})
  endforeach()
endfunction()

# A library of objects that another build has compiled, position-independent as all are. What is left here is linking and installing.
function(footfall_take_objects archive)
  file(CONFIGURE OUTPUT objects.c CONTENT "// Made by cmake/rooms.cmake: the objects are those of ${archive}.\n")
  set_property(TARGET footfall PROPERTY SOURCES ${CMAKE_CURRENT_BINARY_DIR}/objects.c)
  target_link_options(footfall PRIVATE LINKER:--whole-archive,${archive},--no-whole-archive)
  set_property(TARGET footfall APPEND PROPERTY LINK_DEPENDS ${archive})
endfunction()

# The library as a shared one with all its rooms in sight, of the same objects, for tests with sanitizers: these make it large, and it is linked once in place of once a test.
function(footfall_share_rooms)
  if(FOOTFALL_SANITIZE MATCHES address)
    set(parts footfall)
    foreach(part footfall_busy footfall_busy_readers)
      if(TARGET ${part})
        list(APPEND parts ${part})
      endif()
    endforeach()
    set_property(TARGET ${parts} PROPERTY C_VISIBILITY_PRESET default)
    list(TRANSFORM parts REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE objects)
    add_library(footfall_rooms SHARED EXCLUDE_FROM_ALL ${objects})
    get_target_property(libraries footfall LINK_LIBRARIES)
    set_target_properties(footfall_rooms PROPERTIES LINKER_LANGUAGE C LINK_LIBRARIES "${libraries}" INTERFACE_LINK_LIBRARIES m)
    target_include_directories(footfall_rooms INTERFACE include)
    target_link_options(footfall_rooms PRIVATE LINKER:-Bsymbolic PUBLIC -fsanitize=${FOOTFALL_SANITIZE})
    footfall_link_quickly(footfall_rooms)
  endif()
endfunction()

# What nearly every file of the library includes, parsed once a target. The builds for people do without: a forgotten #include shows there.
set(FOOTFALL_COMMON_HEADERS <math.h> <stdio.h> <stdlib.h> <string.h>
  <footfall/math.h> <footfall/model.h> <footfall/geom.h> <footfall/dyn.h> <footfall/sim.h>)
function(footfall_precompile_headers)
  foreach(target footfall footfall_simulating footfall_idle footfall_apart footfall_busy footfall_busy_readers)
    if(FOOTFALL_PRECOMPILE_HEADERS AND TARGET ${target})
      get_target_property(sources ${target} SOURCES)
      list(FILTER sources INCLUDE REGEX "/src/")
      if(sources)
        target_precompile_headers(${target} PRIVATE ${FOOTFALL_COMMON_HEADERS})
      endif()
      footfall_parse_headers(${sources})
    endif()
  endforeach()
  if(FOOTFALL_PRECOMPILE_HEADERS AND TARGET footfall_checked)
    target_precompile_headers(footfall_checked REUSE_FROM footfall_idle) # it makes no code, nor parsed headers
  endif()
endfunction()

# Sources for which headers that were parsed before will not do: what they ask of the system has to come before the first header.
function(footfall_parse_headers)
  foreach(source ${ARGN})
    file(REAL_PATH ${source} source)
    file(STRINGS ${source} more REGEX "^#define _GNU_SOURCE")
    if(more) # in the folder of the library too, where footfall_checked takes the program
      set_property(SOURCE ${source} DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR} PROPERTY SKIP_PRECOMPILE_HEADERS ON)
    endif()
  endforeach()
endfunction()

# FF_WITH_XML and so on, for sources that ask what this build can do.
function(footfall_feature_definitions target)
  foreach(feature XML YAML MESHES PNG EMBREE HDF5 LUA SUNDIALS THREADS WEBSOCKETS LINKS)
    if(FOOTFALL_WITH_${feature})
      target_compile_definitions(${target} PRIVATE FF_WITH_${feature}=1)
    endif()
  endforeach()
endfunction()

# Test programs are many and short-lived: the time they take is the library's, which is compiled as everywhere. They are not optimised, but for the slow
# ones, some of which compute what they compare with; not looked through for undefined behaviour, which is a promise of the library (overruns are, as
# the library could overrun what a test owns); without lines for debuggers where sanitizers look, whose reports name the functions of a test and the lines of the
# library; and linked quickly.
# Warnings do not suffer: those of clang need no optimisation.
function(footfall_test_flags target)
  if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
    if(target IN_LIST FOOTFALL_SLOW_TESTS AND NOT CMAKE_BUILD_TYPE STREQUAL Debug)
      target_compile_options(${target} PRIVATE -O1)
    else()
      target_compile_options(${target} PRIVATE -O0)
    endif()
    if(FOOTFALL_SANITIZE)
      target_compile_options(${target} PRIVATE -g0)
    else() # there, all are
      footfall_link_quickly(${target})
    endif()
    if(FOOTFALL_SANITIZE MATCHES undefined)
      target_compile_options(${target} PRIVATE -fno-sanitize=undefined)
    endif()
    if(FOOTFALL_SANITIZE MATCHES fuzzer) # it looks for new paths through the library
      target_compile_options(${target} PRIVATE -fno-sanitize=fuzzer-no-link)
    endif()
  endif()
endfunction()

# How every test is compiled.
function(footfall_compile_test name)
  footfall_compile_flags(${name})
  footfall_feature_definitions(${name})
  target_compile_definitions(${name} PRIVATE ${FOOTFALL_SYSTEM_CALLS} FF_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  if(FOOTFALL_SANITIZE)
    target_compile_definitions(${name} PRIVATE FF_SANITIZED) # a long proof is shorter then: CHECK_LASTS of tests/check.h
  endif()
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/src)
  footfall_test_flags(${name})
endfunction()

# Headers that are parsed once for all tests where all have the same flags: with sanitizers all public ones. The fast build takes only those that tests/check.h and all
# public headers but json.h and linalg.h include anyway, a tenth less to compile: a forgotten #include shows there. Not with ccache and the like, which keep no code behind such headers.
function(footfall_precompile_test_headers)
  set(headers <math.h> <setjmp.h> <stdio.h> <stdlib.h> <string.h> <unistd.h>)
  if(FOOTFALL_PRECOMPILE_HEADERS AND FOOTFALL_SANITIZE MATCHES address)
    list(APPEND headers <footfall/footfall.h>)
  elseif(CMAKE_BUILD_TYPE STREQUAL Release AND NOT FOOTFALL_PRECOMPILE_HEADERS AND NOT CMAKE_C_COMPILER_LAUNCHER)
    list(APPEND headers <footfall/math.h>)
  else()
    return()
  endif()
  file(CONFIGURE OUTPUT test_headers.c CONTENT "// Made by cmake/rooms.cmake: its headers serve the tests.\n")
  add_library(footfall_test_headers OBJECT ${CMAKE_CURRENT_BINARY_DIR}/test_headers.c)
  footfall_compile_test(footfall_test_headers)
  target_include_directories(footfall_test_headers PRIVATE ${PROJECT_SOURCE_DIR}/include)
  target_precompile_headers(footfall_test_headers PRIVATE ${headers})
endfunction()

# footfall_test(NAME SOURCES... [NEEDS XML YAML ...]): one test program, run by ctest; exit 77 means skipped. Tests may look inside
# a room. A program all of whose tests need an optional library says so by NEEDS: in a build without it, it counts as skipped, and is
# compiled only when asked for.
function(footfall_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "NEEDS")
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  footfall_compile_test(${name})
  target_link_libraries(${name} PRIVATE $<IF:$<AND:$<TARGET_EXISTS:footfall_rooms>,$<NOT:$<BOOL:$<TARGET_PROPERTY:${name},LIBRARY_INSIDE>>>>,footfall_rooms,footfall>)
  if(TARGET footfall_test_headers AND (FOOTFALL_SANITIZE OR NOT name IN_LIST FOOTFALL_SLOW_TESTS)) # some of which are optimised
    target_precompile_headers(${name} REUSE_FROM footfall_test_headers)
    footfall_parse_headers(${arg_UNPARSED_ARGUMENTS})
  endif()
  if((FOOTFALL_SANITIZE AND name IN_LIST FOOTFALL_PROOFS) OR (FOOTFALL_SANITIZE MATCHES address AND name IN_LIST FOOTFALL_COVERED))
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
    return()
  endif()
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
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE ${skip_code} TIMEOUT 300)
  footfall_mark_test(${name})
endfunction()

# Labels of the lists in tests/CMakeLists.txt. `slow`: `make check` leaves it out; elsewhere it begins early, so that no core waits for it at the end.
function(footfall_mark_test name)
  set_property(GLOBAL APPEND PROPERTY footfall_tests ${name})
  if(name IN_LIST FOOTFALL_SLOW_TESTS)
    set_property(TEST ${name} APPEND PROPERTY LABELS slow)
    set_property(TEST ${name} PROPERTY COST 100)
  endif()
endfunction()

# A test that was renamed must not fall out of a list in silence.
function(footfall_require_tests)
  get_property(known GLOBAL PROPERTY footfall_tests)
  foreach(name ${ARGN})
    if(NOT name IN_LIST known)
      message(FATAL_ERROR "tests/CMakeLists.txt lists the test ${name}, which is not there: was it renamed?")
    endif()
  endforeach()
endfunction()

# A test that puts functions of its own in the place of the library's, or of those that the library calls, has the library inside of its program in every build.
function(footfall_keep_inside test)
  set_property(TARGET ${test} PROPERTY LIBRARY_INSIDE ON)
endfunction()

# Sends the allocations of a test through the counters of tests/support/allocations.h.
function(footfall_count_allocations test)
  footfall_keep_inside(${test})
  target_link_options(${test} PRIVATE LINKER:--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=aligned_alloc,--wrap=free)
endfunction()
