# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# MPFR, the referee of the elementary functions; tests alone use it. Where it is there, mpfr::mpfr is a target, and footfall_use_mpfr(TEST) gives it to a test
# as FF_WITH_MPFR. Without it those tests say so and are skipped.
find_path(MPFR_INCLUDE_DIR mpfr.h)
find_library(MPFR_LIBRARY mpfr)
find_library(GMP_LIBRARY gmp)
mark_as_advanced(MPFR_INCLUDE_DIR MPFR_LIBRARY GMP_LIBRARY)
if(MPFR_INCLUDE_DIR AND MPFR_LIBRARY AND GMP_LIBRARY AND NOT TARGET mpfr::mpfr)
  add_library(mpfr::mpfr UNKNOWN IMPORTED GLOBAL)
  set_target_properties(mpfr::mpfr PROPERTIES IMPORTED_LOCATION "${MPFR_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${MPFR_INCLUDE_DIR}" INTERFACE_LINK_LIBRARIES "${GMP_LIBRARY}")
elseif(NOT TARGET mpfr::mpfr)
  message(STATUS "MPFR (libmpfr-dev) is not here: tests against it are skipped")
endif()

function(footfall_use_mpfr test)
  if(TARGET mpfr::mpfr)
    target_compile_definitions(${test} PRIVATE FF_WITH_MPFR=1)
    target_link_libraries(${test} PRIVATE mpfr::mpfr)
  endif()
endfunction()
