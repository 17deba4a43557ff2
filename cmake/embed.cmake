# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# cmake -DOUT=pages.c -DSCRIPT=report.js -DSTYLE=report.css -P embed.cmake: the two files as zero-terminated bytes in C. A script that held
# "</script" would end its own element in the page, and is refused.
set(text "// Made by cmake/embed.cmake; not to be edited.\n#include \"studio/page.h\"\n")
foreach(part SCRIPT STYLE)
  file(READ "${${part}}" plain)
  string(TOLOWER "${plain}" plain)
  foreach(end "</script" "</style" "<!--")
    string(FIND "${plain}" "${end}" at)
    if(NOT at EQUAL -1)
      message(FATAL_ERROR "${${part}} holds \"${end}\": it cannot stand inside a page")
    endif()
  endforeach()
  file(READ "${${part}}" bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(TOLOWER ${part} name)
  string(APPEND text "static const unsigned char ${name}[] = {${bytes}0};\n")
  string(APPEND text "const char *const ff_page_report_${name} = (const char *)${name};\n")
endforeach()
file(WRITE "${OUT}" "${text}")
