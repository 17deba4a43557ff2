# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
# Files as strings of C: cmake -DOUT=FILE -DNAMES=a.h|b/c.h -DFOLDERS=DIR|DIR -P embed-sources.cmake. Each name is looked for in the folders.
string(REPLACE "|" ";" NAMES "${NAMES}")
string(REPLACE "|" ";" FOLDERS "${FOLDERS}")
set(names "")
set(texts "")
set(inner "")
foreach(name ${NAMES})
  foreach(folder ${FOLDERS})
    if(EXISTS ${folder}/${name})
      file(READ ${folder}/${name} text)
    endif()
  endforeach()
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  string(REPLACE "\n" "\\n\"\n\"" text "${text}")
  string(APPEND names "    \"${name}\",\n")
  string(APPEND texts "\"${text}\",\n")
  get_filename_component(directory ${name} DIRECTORY)
  list(APPEND inner ${directory})
endforeach()
list(REMOVE_DUPLICATES inner)
list(LENGTH NAMES count)
list(JOIN inner "\", \"" inner)
set(made "// Made by cmake/embed-sources.cmake; not to be edited.
#pragma GCC diagnostic ignored \"-Woverlength-strings\"
enum { HOST_SOURCES = ${count} };
static const char *const HOST_FOLDERS[] = {\"${inner}\"};
static const char *const HOST_NAMES[] = {\n${names}};
static const char *const HOST_TEXTS[] = {\n${texts}};\n")
set(before "")
if(EXISTS ${OUT})
  file(READ ${OUT} before)
endif()
if(NOT "${before}" STREQUAL "${made}") # else nothing is compiled again
  file(WRITE ${OUT} "${made}")
endif()
