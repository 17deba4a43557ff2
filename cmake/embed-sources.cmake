# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
# footfall_embed_sources(OUT PREFIX NAMES... [EMPTY...]): files of src/ and include/ as strings of C in the file OUT, for compilers at run time: PREFIX_COUNT, PREFIX_FOLDERS (their folders),
# PREFIX_NAMES and PREFIX_TEXTS. Those behind EMPTY have no text. Made when a build is configured, and again where one of them changes.
function(footfall_embed_sources out prefix)
  cmake_parse_arguments(PARSE_ARGV 2 embed "" "" "NAMES;EMPTY")
  set(names "")
  set(texts "")
  set(folders "")
  foreach(name ${embed_NAMES} ${embed_EMPTY})
    set(text "")
    if(name IN_LIST embed_NAMES)
      find_file(file ${name} PATHS ${FOOTFALL_ROOMS} ${PROJECT_SOURCE_DIR}/src/lab ${PROJECT_SOURCE_DIR}/include NO_DEFAULT_PATH NO_CACHE REQUIRED)
      set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
      file(READ ${file} text)
      unset(file)
    endif()
    string(REPLACE "\\" "\\\\" text "${text}")
    string(REPLACE "\"" "\\\"" text "${text}")
    string(REPLACE "\n" "\\n\"\n\"" text "${text}")
    string(APPEND names "    \"${name}\",\n")
    string(APPEND texts "\"${text}\",\n")
    get_filename_component(folder ${name} DIRECTORY)
    list(APPEND folders ${folder})
  endforeach()
  list(REMOVE_DUPLICATES folders)
  list(JOIN folders "\", \"" folders)
  list(LENGTH embed_NAMES count)
  list(LENGTH embed_EMPTY empty)
  math(EXPR count "${count} + ${empty}")
  file(CONFIGURE OUTPUT ${out} CONTENT "// Made by cmake/embed-sources.cmake; not to be edited.
enum { ${prefix}_COUNT = ${count} };
static const char *const ${prefix}_FOLDERS[] = {\"${folders}\"};
static const char *const ${prefix}_NAMES[] = {\n${names}};
static const char *const ${prefix}_TEXTS[] = {\n${texts}};\n" @ONLY)
endfunction()
