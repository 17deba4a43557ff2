# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# Debian's Python, for the module in python/: always /usr/bin/python3, whatever comes first on PATH (pyenv, conda), as its packages (NumPy, pytest) are
# Debian's. FOOTFALL_PYTHON_FOUND says whether interpreter and headers are there; FOOTFALL_PYTHON_INCLUDE has the headers.
set(FOOTFALL_PYTHON_PROGRAM /usr/bin/python3)
set(FOOTFALL_PYTHON_FOUND OFF)
set(trouble "${FOOTFALL_PYTHON_PROGRAM} is not there: install python3")
if(EXISTS ${FOOTFALL_PYTHON_PROGRAM})
  execute_process(COMMAND ${FOOTFALL_PYTHON_PROGRAM} -c "import sys, sysconfig; print(sysconfig.get_path('include')) if sys.version_info >= (3, 11) else sys.exit(1)"
                  OUTPUT_VARIABLE FOOTFALL_PYTHON_INCLUDE OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed)
  if(failed)
    set(trouble "${FOOTFALL_PYTHON_PROGRAM} is older than 3.11")
  elseif(NOT EXISTS ${FOOTFALL_PYTHON_INCLUDE}/Python.h)
    set(trouble "its headers are missing: install python3-dev")
  else()
    set(FOOTFALL_PYTHON_FOUND ON)
  endif()
endif()
if(NOT FOOTFALL_PYTHON_FOUND AND FOOTFALL_PYTHON STREQUAL "ON")
  message(FATAL_ERROR "FOOTFALL_PYTHON is ON, but ${trouble}")
elseif(NOT FOOTFALL_PYTHON_FOUND)
  message(STATUS "Built without the Python module: ${trouble}")
endif()
