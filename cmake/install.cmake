# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# What another project sees: headers, library, program, find_package(footfall) and pkg-config.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/footfall)

install(TARGETS footfall EXPORT footfall-targets)
install(DIRECTORY include/footfall DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(EXPORT footfall-targets NAMESPACE footfall:: DESTINATION ${package_dir})

get_target_property(library_type footfall TYPE)
if(library_type STREQUAL "STATIC_LIBRARY")
  set(FOOTFALL_IS_STATIC ON)
else()
  set(FOOTFALL_IS_STATIC OFF)
endif()
configure_package_config_file(cmake/footfallConfig.cmake.in ${PROJECT_BINARY_DIR}/footfallConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/footfallConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/footfallConfig.cmake ${PROJECT_BINARY_DIR}/footfallConfigVersion.cmake
              cmake/dependencies.cmake
        DESTINATION ${package_dir})

# pkg-config: a static library needs its libraries at every link, a shared one only at `pkg-config --static`.
set(modules "")
set(libraries "-lm")
if(FOOTFALL_WITH_XML)
  list(APPEND modules libxml-2.0)
endif()
if(FOOTFALL_WITH_YAML)
  list(APPEND modules yaml-0.1)
endif()
if(FOOTFALL_WITH_MESHES)
  list(APPEND modules assimp)
endif()
if(FOOTFALL_WITH_PNG)
  list(APPEND modules libpng)
endif()
if(FOOTFALL_WITH_HDF5)
  list(APPEND modules hdf5-serial)
endif()
if(FOOTFALL_WITH_LUA)
  list(APPEND modules lua5.4)
endif()
if(FOOTFALL_WITH_EMBREE)
  string(PREPEND libraries "-lembree3 ")
endif()
if(FOOTFALL_WITH_THREADS)
  string(PREPEND libraries "-pthread ")
endif()
if(FOOTFALL_WITH_SUNDIALS)
  string(PREPEND libraries "-lsundials_cvode -lsundials_nvecserial -lsundials_sunmatrixdense -lsundials_sunlinsoldense ")
endif()
list(JOIN modules ", " modules)
set(FOOTFALL_PC_LIBS "-L\${libdir} -lfootfall")
if(FOOTFALL_IS_STATIC)
  set(FOOTFALL_PC_NEEDS "Requires: ${modules}\nLibs: ${FOOTFALL_PC_LIBS} ${libraries}")
else()
  set(FOOTFALL_PC_NEEDS "Requires.private: ${modules}\nLibs: ${FOOTFALL_PC_LIBS}\nLibs.private: ${libraries}")
endif()
# Paths relative to the .pc file keep an installation movable.
file(RELATIVE_PATH FOOTFALL_PC_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/footfall.pc.in ${PROJECT_BINARY_DIR}/footfall.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/footfall.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
