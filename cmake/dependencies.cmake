# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# Optional libraries, all from Debian. Each becomes an imported target; docs/dependencies.md says why each was chosen. The
# installed package reads this same file, with the choices of its build, so that a static libfootfall finds its libraries again.
if(FOOTFALL_WITH_XML OR FOOTFALL_WITH_YAML OR FOOTFALL_WITH_MESHES OR FOOTFALL_WITH_PNG OR FOOTFALL_WITH_HDF5 OR FOOTFALL_WITH_LUA
   OR FOOTFALL_WITH_WEBSOCKETS)
  find_package(PkgConfig REQUIRED)
endif()
if(FOOTFALL_WITH_XML)
  pkg_check_modules(LIBXML2 REQUIRED IMPORTED_TARGET GLOBAL libxml-2.0)
endif()
if(FOOTFALL_WITH_YAML)
  pkg_check_modules(LIBYAML REQUIRED IMPORTED_TARGET GLOBAL yaml-0.1)
endif()
if(FOOTFALL_WITH_MESHES)
  pkg_check_modules(ASSIMP REQUIRED IMPORTED_TARGET GLOBAL assimp)
endif()
if(FOOTFALL_WITH_PNG)
  pkg_check_modules(LIBPNG REQUIRED IMPORTED_TARGET GLOBAL libpng)
endif()
if(FOOTFALL_WITH_EMBREE)
  # By name, as below: its package file asks for more than the one library. Where it is not installed our own tree does its work.
  find_path(EMBREE_INCLUDE_DIR embree3/rtcore.h)
  find_library(EMBREE_LIBRARY embree3)
  mark_as_advanced(EMBREE_INCLUDE_DIR EMBREE_LIBRARY)
  if((NOT EMBREE_INCLUDE_DIR OR NOT EMBREE_LIBRARY) AND CMAKE_FIND_PACKAGE_NAME)
    set(${CMAKE_FIND_PACKAGE_NAME}_FOUND FALSE) # a user of a library that was built with it
    set(${CMAKE_FIND_PACKAGE_NAME}_NOT_FOUND_MESSAGE "this libfootfall needs Embree 3 (Debian: libembree-dev)")
    return()
  elseif(NOT EMBREE_INCLUDE_DIR OR NOT EMBREE_LIBRARY)
    message(STATUS "Embree 3 is not installed: rays take our own tree")
    set(FOOTFALL_WITH_EMBREE OFF)
  elseif(NOT TARGET Embree::embree3)
    add_library(Embree::embree3 UNKNOWN IMPORTED GLOBAL)
    set_target_properties(Embree::embree3 PROPERTIES
      IMPORTED_LOCATION "${EMBREE_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${EMBREE_INCLUDE_DIR}")
  endif()
endif()
if(FOOTFALL_WITH_HDF5)
  # Debian's serial one by name: SUNDIALS pulls an MPI build of HDF5 in beside it.
  pkg_search_module(HDF5 REQUIRED IMPORTED_TARGET GLOBAL hdf5-serial hdf5)
endif()
if(FOOTFALL_WITH_LUA)
  pkg_search_module(LUA REQUIRED IMPORTED_TARGET GLOBAL lua5.4 lua-5.4 lua)
endif()
if(FOOTFALL_WITH_THREADS)
  set(THREADS_PREFER_PTHREAD_FLAG ON)
  find_package(Threads REQUIRED)
endif()
if(FOOTFALL_WITH_WEBSOCKETS AND NOT (FOOTFALL_WITH_THREADS AND FOOTFALL_WITH_YAML))
  message(STATUS "Without threads and YAML there is no server of the studio")
  set(FOOTFALL_WITH_WEBSOCKETS OFF)
elseif(FOOTFALL_WITH_WEBSOCKETS)
  pkg_check_modules(WEBSOCKETS REQUIRED IMPORTED_TARGET GLOBAL libwebsockets)
endif()
if(FOOTFALL_WITH_SUNDIALS)
  # By hand and not by SUNDIALSConfig.cmake: that one demands OpenMP of the compiler at hand (clang would need libomp-dev) and
  # MPI, for parts we do not use.
  find_path(SUNDIALS_INCLUDE_DIR cvode/cvode.h REQUIRED)
  foreach(part cvode nvecserial sunmatrixdense sunlinsoldense)
    find_library(SUNDIALS_${part}_LIBRARY sundials_${part} REQUIRED)
    mark_as_advanced(SUNDIALS_${part}_LIBRARY)
    if(NOT TARGET SUNDIALS::${part})
      add_library(SUNDIALS::${part} UNKNOWN IMPORTED GLOBAL)
      set_target_properties(SUNDIALS::${part} PROPERTIES
        IMPORTED_LOCATION "${SUNDIALS_${part}_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${SUNDIALS_INCLUDE_DIR}")
    endif()
  endforeach()
  mark_as_advanced(SUNDIALS_INCLUDE_DIR)
endif()

if(FOOTFALL_CUDA) # here, as a language counts for the folder in which it is enabled
  if(NOT CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 80 90)
  endif()
  enable_language(CUDA)
  find_package(CUDAToolkit REQUIRED)
endif()
