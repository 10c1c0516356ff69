# Compiles for WebAssembly, with Emscripten of Debian: for the preset wasm.
find_program(GRADUS_EMXX em++ REQUIRED)
file(REAL_PATH ${GRADUS_EMXX} emxx)
get_filename_component(folder ${emxx} DIRECTORY)
include(${folder}/cmake/Modules/Platform/Emscripten.cmake)

set(CMAKE_CXX_FLAGS_INIT "-msimd128 -fexceptions -Wno-pass-failed")  # clang cannot vectorise each loop that asks for it
set(CMAKE_EXE_LINKER_FLAGS_INIT "-fexceptions")
# A script of Emscripten's needs the package node-acorn. Debian's node searches there, others do not.
set_property(GLOBAL PROPERTY RULE_LAUNCH_LINK "${CMAKE_COMMAND} -E env NODE_PATH=/usr/share/nodejs")
