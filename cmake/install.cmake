# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# What another project sees: headers, library, program, find_package(footfall) and pkg-config.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/footfall)

get_target_property(library_type footfall TYPE)
if(library_type STREQUAL "STATIC_LIBRARY")
  set(FOOTFALL_IS_STATIC ON)
  list(TRANSFORM FOOTFALL_WINGS PREPEND footfall- OUTPUT_VARIABLE wings)
else()
  set(FOOTFALL_IS_STATIC OFF)
  set(wings "") # a shared library is one for all; who links wings links them statically
endif()
install(TARGETS footfall ${wings} EXPORT footfall-targets)
install(DIRECTORY include/footfall DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(EXPORT footfall-targets NAMESPACE footfall:: DESTINATION ${package_dir})

configure_package_config_file(cmake/footfallConfig.cmake.in ${PROJECT_BINARY_DIR}/footfallConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/footfallConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/footfallConfig.cmake ${PROJECT_BINARY_DIR}/footfallConfigVersion.cmake
              cmake/dependencies.cmake
        DESTINATION ${package_dir})

# footfall_pkg_config(LIBRARY DESCRIPTION): writes and installs LIBRARY.pc. A static library needs its libraries at every link, a
# shared one only at `pkg-config --static`.
function(footfall_pkg_config package description)
  get_target_property(needs ${package} FOOTFALL_NEEDS)
  get_target_property(modules ${package} FOOTFALL_BELOW)
  set(libraries "")
  foreach(need ${needs})
    if(need MATCHES "^PkgConfig::(.*)")
      list(APPEND modules ${${CMAKE_MATCH_1}_MODULE_NAME})
    elseif(need STREQUAL "Threads::Threads")
      list(APPEND libraries -pthread)
    elseif(need)
      string(REPLACE "SUNDIALS::" "sundials_" need ${need})
      string(REGEX REPLACE ".*::" "" need ${need})
      list(APPEND libraries -l${need})
    endif()
  endforeach()
  list(FILTER modules EXCLUDE REGEX NOTFOUND)
  list(REMOVE_DUPLICATES modules)
  list(REMOVE_DUPLICATES libraries)
  list(JOIN modules ", " modules)
  list(JOIN libraries " " libraries)
  if(FOOTFALL_IS_STATIC)
    set(requirements "Requires: ${modules}\nLibs: -L\${libdir} -l${package} ${libraries} -lm")
  else()
    set(requirements "Requires.private: ${modules}\nLibs: -L\${libdir} -l${package}\nLibs.private: ${libraries} -lm")
  endif()
  # Paths relative to the .pc file keep an installation movable.
  file(RELATIVE_PATH relative_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
  configure_file(cmake/footfall.pc.in ${PROJECT_BINARY_DIR}/${package}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${package}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
footfall_pkg_config(footfall "${PROJECT_DESCRIPTION}")
foreach(wing ${wings})
  footfall_pkg_config(${wing} "${PROJECT_DESCRIPTION}: ${wing}")
endforeach()

install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
