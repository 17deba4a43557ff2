# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# MuJoCo, the referee of tests and benchmarks; the library never links it. Where it is there, mujoco::mujoco is a target: ask
# with if(TARGET mujoco::mujoco). Not by mujocoConfig.cmake, which wants OpenGL headers for a viewer we do not use.
find_path(MUJOCO_INCLUDE_DIR mujoco/mujoco.h)
find_library(MUJOCO_LIBRARY mujoco)
mark_as_advanced(MUJOCO_INCLUDE_DIR MUJOCO_LIBRARY)
if(MUJOCO_INCLUDE_DIR AND MUJOCO_LIBRARY AND NOT TARGET mujoco::mujoco)
  add_library(mujoco::mujoco UNKNOWN IMPORTED GLOBAL)
  set_target_properties(mujoco::mujoco PROPERTIES
    IMPORTED_LOCATION "${MUJOCO_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${MUJOCO_INCLUDE_DIR}")
elseif(NOT TARGET mujoco::mujoco)
  message(STATUS "MuJoCo (libmujoco-dev) is not here: tests against it are skipped")
endif()
