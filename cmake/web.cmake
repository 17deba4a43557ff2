# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# The pages in web/, bundled by esbuild and put into the library as a generated C file. The packages they are made of come by npm when the
# build is configured, once: a machine without Node, npm or a way to the packages gets a library without pages (FOOTFALL_STUDIO becomes
# OFF for this build) and a word about it, and everything else works.
find_program(FOOTFALL_NODE node)
find_program(FOOTFALL_NPM npm)
mark_as_advanced(FOOTFALL_NODE FOOTFALL_NPM)
set(web ${PROJECT_SOURCE_DIR}/web)

set(problem "")
if(NOT FOOTFALL_NODE OR NOT FOOTFALL_NPM)
  set(problem "Node 18 and npm are not installed")
else()
  execute_process(COMMAND ${FOOTFALL_NODE} --version OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  string(REGEX REPLACE "^v" "" version "${version}")
  if(NOT version VERSION_GREATER_EQUAL 18)
    set(problem "Node '${version}' is older than 18")
  elseif("${web}/package-lock.json" IS_NEWER_THAN "${web}/node_modules/.package-lock.json")
    message(STATUS "Fetching the packages of web/ by npm")
    execute_process(COMMAND ${FOOTFALL_NPM} ci --omit=dev --ignore-scripts --no-audit --no-fund --fetch-retries=1 --loglevel=error
                    WORKING_DIRECTORY ${web} TIMEOUT 300 RESULT_VARIABLE failed OUTPUT_QUIET ERROR_VARIABLE said)
    if(failed)
      set(problem "npm could not fetch the packages of web/ (${failed})\n${said}")
    else()
      file(TOUCH ${web}/node_modules/.package-lock.json)
    endif()
  endif()
endif()
if(problem)
  message(WARNING "Built without report pages: ${problem}")
  set(FOOTFALL_STUDIO OFF)
  return()
endif()

set(pages ${PROJECT_BINARY_DIR}/web)
file(GLOB_RECURSE web_sources CONFIGURE_DEPENDS ${web}/src/*.ts ${web}/src/*.css ${web}/src/*.html)
set(studio_pages ${pages}/studio.html ${pages}/studio.js ${pages}/studio.css)
add_custom_command(OUTPUT ${pages}/report.js ${pages}/report.css ${studio_pages}
  COMMAND ${FOOTFALL_NODE} build.mjs --out ${pages}
  WORKING_DIRECTORY ${web}
  DEPENDS ${web_sources} ${web}/build.mjs ${web}/package-lock.json ${web}/node_modules/.package-lock.json
  COMMENT "Bundling web/" VERBATIM)
add_custom_command(OUTPUT ${pages}/pages.c
  COMMAND ${CMAKE_COMMAND} -DOUT=${pages}/pages.c -DSCRIPT=${pages}/report.js -DSTYLE=${pages}/report.css
          -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
  DEPENDS ${pages}/report.js ${pages}/report.css ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
  COMMENT "Embedding the pages" VERBATIM)
add_custom_command(OUTPUT ${pages}/studio_pages.c
  COMMAND ${FOOTFALL_NODE} tools/embed.mjs ${pages}/studio_pages.c ${studio_pages}
  WORKING_DIRECTORY ${web}
  DEPENDS ${studio_pages} ${web}/tools/embed.mjs
  COMMENT "Compressing and embedding the studio" VERBATIM)
target_sources(footfall-studio PRIVATE ${pages}/pages.c ${pages}/studio_pages.c)
