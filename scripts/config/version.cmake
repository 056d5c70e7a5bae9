# SPDX-License-Identifier: Apache-2.0
# Sets version: the release's, then the day and the commit that it is built from. A tree without git
# was perhaps exported by git, which left both behind. No clock is asked: who has neither, or wants
# another day, sets SOURCE_DATE_EPOCH.

set(version ${PROJECT_VERSION})
set(commit)
set(epoch)
find_package(Git QUIET)
file(READ ${CMAKE_CURRENT_LIST_DIR}/commit described)
if(Git_FOUND AND EXISTS ${CMAKE_SOURCE_DIR}/.git)
	execute_process(
		COMMAND ${GIT_EXECUTABLE} log -1 --format=%H\ %ct
		WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
		OUTPUT_VARIABLE described ERROR_QUIET)
	execute_process(
		COMMAND ${GIT_EXECUTABLE} diff --quiet HEAD
		WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
		RESULT_VARIABLE changed OUTPUT_QUIET ERROR_QUIET)
endif()
if(described MATCHES "^([0-9a-f]+) ([0-9]+)")
	string(SUBSTRING ${CMAKE_MATCH_1} 0 12 commit)
	set(epoch ${CMAKE_MATCH_2})
endif()
if(DEFINED ENV{SOURCE_DATE_EPOCH})
	set(epoch $ENV{SOURCE_DATE_EPOCH})
endif()
if(epoch)
	set(ENV{SOURCE_DATE_EPOCH} ${epoch})
	string(TIMESTAMP day "%Y%m%d" UTC)
	set(build ${day} ${commit})
	if(changed)
		list(APPEND build changed)
	endif()
	list(JOIN build . build)
	set(version ${version}+${build})
endif()
# For scripts/package.
set(SOURCE_DATE_EPOCH "${epoch}" CACHE INTERNAL "The commit's time")
