# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# cmake -DOUT=pages.c -DSCRIPT=report.js -DSTYLE=report.css -P embed.cmake: the two files as strings in C, which compilers read twenty times as fast as lists of numbers. A script that held
# "</script" would end its own element in the page, and is refused.
set(text "// Made by cmake/embed.cmake; not to be edited.\n#include \"studio/page.h\"\n")
foreach(part SCRIPT STYLE)
  file(READ "${${part}}" characters)
  string(TOLOWER "${characters}" plain)
  foreach(end "</script" "</style" "<!--")
    string(FIND "${plain}" "${end}" at)
    if(NOT at EQUAL -1)
      message(FATAL_ERROR "${${part}} holds \"${end}\": it cannot stand inside a page")
    endif()
  endforeach()
  string(REPLACE "\\" "\\\\" characters "${characters}")
  foreach(special "\"" "?") # C17 takes ??( for a bracket
    string(REPLACE "${special}" "\\${special}" characters "${characters}")
  endforeach()
  string(REPLACE "\r" "\\r" characters "${characters}")
  string(REPLACE "\n" "\\n\"\n\"" characters "${characters}")
  string(TOLOWER ${part} name)
  string(APPEND text "const char *const ff_page_report_${name} =\n\"${characters}\";\n")
endforeach()
file(WRITE "${OUT}" "${text}")
