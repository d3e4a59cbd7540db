# SPDX-License-Identifier: BSD-3-Clause
#
# find_package(portable) defines
#
#   portable::portable     an interface target: the include directory of portable.h
#
#   portable_add_executable(NAME SOURCES... [TARGETS target...] [EXACT] [ALGORITHMS] [RANKS])
#   portable_add_library(NAME SOURCES... [TARGETS target...] [EXACT] [ALGORITHMS] [RANKS])
#
# These build one list of sources once per target of portable.h: serial, openmp, emulate and cuda, or the TARGETS.
# The programs or static libraries are NAME_serial, NAME_openmp and so on. Code linked to such a library is compiled
# for its target, including plain C host files of a CUDA program.
#
# NAME_TARGETS is set to the targets that can be built here: cuda if the project has enabled the language CUDA,
# openmp if the C compiler has OpenMP, emulate on Linux on x86-64 and aarch64. A target in TARGETS that cannot be
# built is an error. EXACT disables contraction (FMA), so that targets agree bit for bit. ALGORITHMS adds the kernels of
# portable_algorithms.h. RANKS adds the layer for many ranks, portable_ranks.h, and MPI; for cuda also NCCL, if
# find_library finds it beside nccl.h.
#
# Needs CMake 3.18 or newer, and the language C.

cmake_minimum_required(VERSION 3.18)
if(NOT CMAKE_C_COMPILER_LOADED)
    message(FATAL_ERROR "portable.h needs the language C: project(${PROJECT_NAME} C)")
endif()

get_filename_component(PORTABLE_DATA_DIR "${CMAKE_CURRENT_LIST_DIR}/../../portable" ABSOLUTE)
get_filename_component(PORTABLE_INCLUDE_DIR "${CMAKE_CURRENT_LIST_DIR}/../../../include" ABSOLUTE)

if(NOT TARGET portable::portable)
    add_library(portable::portable INTERFACE IMPORTED)
    set_target_properties(portable::portable PROPERTIES
        INTERFACE_INCLUDE_DIRECTORIES "${PORTABLE_INCLUDE_DIR}")
endif()

function(portable_add_executable name)
    _portable_add(executable ${name} ${ARGN})
    set(${name}_TARGETS ${built} PARENT_SCOPE)
endfunction()

function(portable_add_library name)
    _portable_add(library ${name} ${ARGN})
    set(${name}_TARGETS ${built} PARENT_SCOPE)
endfunction()

# Sets `why` in the caller: why the target cannot be built here, or "". Creates the libraries that it links with.
function(_portable_probe target)
    set(why "" PARENT_SCOPE)
    if(target STREQUAL "cuda")
        if(NOT CMAKE_CUDA_COMPILER_LOADED)
            set(why "the project has not enabled the language CUDA" PARENT_SCOPE)
            return()
        endif()
        find_package(CUDAToolkit QUIET)
        if(NOT TARGET CUDA::cudart)
            set(why "the CUDA Toolkit was not found" PARENT_SCOPE)
        endif()
    elseif(target STREQUAL "openmp")
        find_package(OpenMP QUIET COMPONENTS C)
        if(NOT TARGET OpenMP::OpenMP_C)
            set(why "the C compiler has no OpenMP" PARENT_SCOPE)
        endif()
    elseif(target STREQUAL "emulate")
        if(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux"
                OR NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|aarch64)$")
            set(why "it needs Linux on x86-64 or aarch64" PARENT_SCOPE)
        elseif(NOT TARGET portable_emulate_runtime)
            add_library(portable_emulate_runtime STATIC
                "${PORTABLE_DATA_DIR}/host/emulate/emulate.c"
                "${PORTABLE_DATA_DIR}/host/emulate/objects.c")
            target_include_directories(portable_emulate_runtime PUBLIC "${PORTABLE_DATA_DIR}")
            target_compile_definitions(portable_emulate_runtime PUBLIC PORTABLE_TARGET_EMULATE=1)
            target_compile_options(portable_emulate_runtime PRIVATE -O2 -fno-omit-frame-pointer)
            target_link_libraries(portable_emulate_runtime PUBLIC portable::portable m)
            target_compile_features(portable_emulate_runtime PRIVATE c_std_11)
        endif()
    elseif(NOT target STREQUAL "serial")
        message(FATAL_ERROR
            "portable.h has no target ${target}: it has serial, openmp, emulate and cuda")
    endif()
endfunction()

# Sets the list `built` in the caller.
function(_portable_add kind name)
    cmake_parse_arguments(PARSE_ARGV 2 arg "EXACT;ALGORITHMS;RANKS" "" "TARGETS")
    if("TARGETS" IN_LIST arg_KEYWORDS_MISSING_VALUES)
        message(FATAL_ERROR "portable_add_${kind}(${name}): TARGETS names none")
    endif()
    if(NOT arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "portable_add_${kind}(${name}) needs sources")
    endif()
    if(arg_RANKS)
        find_package(MPI REQUIRED COMPONENTS C)
    endif()
    set(sources ${arg_UNPARSED_ARGUMENTS})
    if(arg_ALGORITHMS)
        list(APPEND sources "${PORTABLE_DATA_DIR}/host/algorithms/algorithms.c")
    endif()
    set(targets ${arg_TARGETS})
    if(NOT targets)
        set(targets serial openmp emulate cuda)
    endif()
    set(built "")
    foreach(target IN LISTS targets)
        _portable_probe(${target})
        if(why AND arg_TARGETS)
            message(FATAL_ERROR "portable.h's target ${target} cannot be built here: ${why}")
        elseif(why)
            message(STATUS "${name}: no target ${target}: ${why}")
        else()
            list(APPEND built ${target})
            _portable_add_one(${kind} ${name} ${target} "${arg_EXACT}" "${arg_RANKS}" ${sources})
        endif()
    endforeach()
    set(built "${built}" PARENT_SCOPE)
endfunction()

function(_portable_add_one kind name target exact ranks)
    set(one ${name}_${target})
    set(sources "")
    set(nested OFF)
    set(of_ranks "")
    if(ranks)
        file(GLOB of_ranks "${PORTABLE_DATA_DIR}/host/ranks/*.c")
        list(APPEND of_ranks "${PORTABLE_DATA_DIR}/host/array.c" "${PORTABLE_DATA_DIR}/host/io.c"
            "${PORTABLE_DATA_DIR}/host/npy.c")
    endif()
    foreach(source IN LISTS ARGN of_ranks)
        get_filename_component(path "${source}" ABSOLUTE)
        get_source_file_property(generated "${path}" GENERATED)
        if(NOT generated AND NOT EXISTS "${path}")
            message(FATAL_ERROR "portable_add_${kind}(${name}): there is no ${source}")
        endif()
        # CMake gives a source file one language per directory, so a generated .cu file includes it.
        if(target STREQUAL "cuda" AND path MATCHES "\\.c$")
            string(MD5 hash "${path}")
            string(SUBSTRING "${hash}" 0 8 hash)
            get_filename_component(stem "${path}" NAME_WE)
            set(wrapper "${CMAKE_CURRENT_BINARY_DIR}/${one}.sources/${stem}-${hash}.cu")
            file(CONFIGURE OUTPUT "${wrapper}" CONTENT "#include \"${path}\"\n" @ONLY)
            set_source_files_properties("${wrapper}" PROPERTIES OBJECT_DEPENDS "${path}")
            list(APPEND sources "${wrapper}")
            if(path IN_LIST of_ranks)
                set_source_files_properties("${wrapper}" PROPERTIES
                    COMPILE_OPTIONS "-fmad=false;-Xcompiler=-ffp-contract=off")
            endif()
            if(NOT generated)
                # Kernels that launch kernels need relocatable device code.
                set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${path}")
                file(STRINGS "${path}" launches REGEX "DEVICE_LAUNCH" LIMIT_COUNT 1)
                if(launches)
                    set(nested ON)
                endif()
            endif()
        else()
            list(APPEND sources "${path}")
            if(path IN_LIST of_ranks) # exact sums need each product rounded
                set_source_files_properties("${path}" PROPERTIES COMPILE_OPTIONS "-ffp-contract=off")
            endif()
        endif()
    endforeach()

    if(kind STREQUAL "executable")
        add_executable(${one} ${sources})
    else()
        add_library(${one} STATIC ${sources})
    endif()
    # CMake refuses to link libraries of two targets into one program.
    set_target_properties(${one} PROPERTIES PORTABLE_TARGET ${target} INTERFACE_PORTABLE_TARGET ${target})
    set_property(TARGET ${one} APPEND PROPERTY COMPATIBLE_INTERFACE_STRING PORTABLE_TARGET)
    target_link_libraries(${one} PUBLIC portable::portable m)
    target_include_directories(${one} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}")
    target_compile_features(${one} PUBLIC c_std_11)
    if(ranks)
        target_include_directories(${one} PRIVATE "${PORTABLE_DATA_DIR}")
        target_link_libraries(${one} PUBLIC MPI::MPI_C)
        if(target STREQUAL "cuda")
            get_target_property(headers CUDA::cudart INTERFACE_INCLUDE_DIRECTORIES)
            get_target_property(cudart CUDA::cudart IMPORTED_LOCATION)
            get_filename_component(libraries "${cudart}" DIRECTORY)
            find_path(PORTABLE_NCCL_HEADER nccl.h HINTS ${headers})
            find_library(PORTABLE_NCCL_LIBRARY nccl HINTS "${libraries}")
            if(PORTABLE_NCCL_HEADER AND PORTABLE_NCCL_LIBRARY)
                target_compile_definitions(${one} PRIVATE PORTABLE_RANKS_NCCL=1)
                target_include_directories(${one} PRIVATE "${PORTABLE_NCCL_HEADER}")
                target_link_libraries(${one} PUBLIC "${PORTABLE_NCCL_LIBRARY}")
            else()
                target_compile_definitions(${one} PRIVATE PORTABLE_RANKS_NCCL=0)
            endif()
        endif()
    endif()
    if(exact)
        target_compile_options(${one} PRIVATE
            "$<$<COMPILE_LANGUAGE:C>:-ffp-contract=off>"
            "$<$<COMPILE_LANGUAGE:CUDA>:-fmad=false;-Xcompiler=-ffp-contract=off>")
    endif()
    if(target STREQUAL "openmp")
        target_link_libraries(${one} PUBLIC OpenMP::OpenMP_C)
    elseif(target STREQUAL "emulate")
        target_link_libraries(${one} PUBLIC portable_emulate_runtime)
    elseif(target STREQUAL "cuda")
        target_compile_definitions(${one} INTERFACE "$<$<COMPILE_LANGUAGE:C>:PORTABLE_TARGET_CUDA=1>")
        target_link_libraries(${one} PUBLIC CUDA::cudart)
        set_target_properties(${one} PROPERTIES
            CUDA_STANDARD 17 CUDA_STANDARD_REQUIRED ON CUDA_SEPARABLE_COMPILATION ${nested}
            CUDA_RESOLVE_DEVICE_SYMBOLS ${nested})
        target_compile_options(${one} PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:-lineinfo>")
    endif()
endfunction()
