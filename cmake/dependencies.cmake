# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# Optional libraries, all from Debian. Each becomes an imported target; docs/dependencies.md says why each was chosen.
if(FOOTFALL_WITH_XML OR FOOTFALL_WITH_YAML OR FOOTFALL_WITH_MESHES OR FOOTFALL_WITH_HDF5)
  find_package(PkgConfig REQUIRED)
endif()
if(FOOTFALL_WITH_XML)
  pkg_check_modules(LIBXML2 REQUIRED IMPORTED_TARGET libxml-2.0)
endif()
if(FOOTFALL_WITH_YAML)
  pkg_check_modules(LIBYAML REQUIRED IMPORTED_TARGET yaml-0.1)
endif()
if(FOOTFALL_WITH_MESHES)
  pkg_check_modules(ASSIMP REQUIRED IMPORTED_TARGET assimp)
endif()
if(FOOTFALL_WITH_HDF5)
  # The serial one by name: SUNDIALS pulls an MPI build of HDF5 in beside it.
  pkg_check_modules(HDF5 REQUIRED IMPORTED_TARGET hdf5-serial)
endif()
if(FOOTFALL_WITH_SUNDIALS)
  find_package(SUNDIALS REQUIRED COMPONENTS cvode nvecserial sunmatrixdense sunlinsoldense)
endif()
