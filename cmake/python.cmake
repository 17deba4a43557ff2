# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# Debian's Python, for the module in python/: always /usr/bin/python3, whatever comes first on PATH (pyenv, conda), as its packages (NumPy, pytest) are
# Debian's. FOOTFALL_PYTHON_FOUND says whether interpreter and headers are there; FOOTFALL_PYTHON_INCLUDE has the headers.
set(FOOTFALL_PYTHON_PROGRAM /usr/bin/python3)
set(FOOTFALL_PYTHON_FOUND OFF)
set(problem "${FOOTFALL_PYTHON_PROGRAM} is not there: install python3")
if(EXISTS ${FOOTFALL_PYTHON_PROGRAM})
  execute_process(COMMAND ${FOOTFALL_PYTHON_PROGRAM} -c "import sys, sysconfig; print(sysconfig.get_path('include')) if sys.version_info >= (3, 11) else sys.exit(1)"
                  OUTPUT_VARIABLE FOOTFALL_PYTHON_INCLUDE OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed)
  if(failed)
    set(problem "${FOOTFALL_PYTHON_PROGRAM} is older than 3.11")
  elseif(NOT EXISTS ${FOOTFALL_PYTHON_INCLUDE}/Python.h)
    set(problem "its headers are missing: install python3-dev")
  else()
    set(FOOTFALL_PYTHON_FOUND ON)
  endif()
endif()
if(NOT FOOTFALL_PYTHON_FOUND AND FOOTFALL_PYTHON STREQUAL "ON")
  message(FATAL_ERROR "FOOTFALL_PYTHON is ON, but ${problem}")
elseif(NOT FOOTFALL_PYTHON_FOUND)
  message(STATUS "Built without the Python module: ${problem}")
endif()

if(FOOTFALL_PYTHON_FOUND)
  # Where Debian's interpreter looks under /usr, and under /usr/local; below another prefix, PYTHONPATH names it.
  execute_process(COMMAND ${FOOTFALL_PYTHON_PROGRAM} -c "import sys; print('%d.%d' % sys.version_info[:2])" OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
    set(version 3)
  endif()
  set(FOOTFALL_PYTHON_FOLDER lib/python${version}/dist-packages CACHE STRING "Where the Python module is installed, below the prefix")
  mark_as_advanced(FOOTFALL_PYTHON_FOLDER)
  execute_process(COMMAND ${FOOTFALL_PYTHON_PROGRAM} -c "import importlib.util as u; assert u.find_spec('numpy') and u.find_spec('pytest')"
                  RESULT_VARIABLE failed ERROR_QUIET)
  if(failed)
    set(FOOTFALL_PYTEST_FOUND OFF)
    message(STATUS "NumPy or pytest (python3-numpy, python3-pytest) is not here: tests of the Python module are left out")
  else()
    set(FOOTFALL_PYTEST_FOUND ON)
  endif()
endif()
