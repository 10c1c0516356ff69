# libgradus.so: everything in lib/ and chapters/ in one shared library, for notebooks and for programs outside this
# tree. From a static library a linker takes only the objects that are needed at link time; notebooks need functions
# later, so every object is included.

set(folders ${PROJECT_SOURCE_DIR}/lib/gradus)
foreach(chapter IN LISTS chapters)
  get_filename_component(folder ${chapter} DIRECTORY)
  list(APPEND folders ${CMAKE_CURRENT_SOURCE_DIR}/${folder})
endforeach()

set(libraries "")
foreach(folder IN LISTS folders)
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    if(target MATCHES "^kernels_|_cuda_host" AND NOT GRADUS_CUDA)
      continue()  # kernels for the host layer are for judges only
    endif()
    if(type STREQUAL STATIC_LIBRARY)
      list(APPEND libraries ${target})
    endif()
  endforeach()
endforeach()
list(TRANSFORM libraries REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE objects)

add_library(gradus_shared SHARED ${objects})
target_link_libraries(gradus_shared PRIVATE ${libraries})  # for the outside libraries
set_target_properties(gradus_shared PROPERTIES LINKER_LANGUAGE CXX OUTPUT_NAME gradus EXPORT_NAME gradus
                                               LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR} VERSION ${PROJECT_VERSION}
                                               SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

# Other libraries' templates are compiled into it too. They are not exported, because a program may contain other
# versions with the same name. It exports exactly the namespace gradus.
set(exports ${PROJECT_SOURCE_DIR}/cmake/exported_symbols)
include(CheckLinkerFlag)
check_linker_flag(CXX "-Wl,--version-script=${exports}.map" GRADUS_HAS_VERSION_SCRIPT)
if(GRADUS_HAS_VERSION_SCRIPT)
  target_link_options(gradus_shared PRIVATE "-Wl,--version-script=${exports}.map")
  set_property(TARGET gradus_shared APPEND PROPERTY LINK_DEPENDS ${exports}.map)
elseif(APPLE)
  target_link_options(gradus_shared PRIVATE "-Wl,-exported_symbols_list,${exports}.txt")
endif()

# For projects that include this one, under the installed library's name.
add_library(gradus::gradus ALIAS gradus_shared)
target_compile_features(gradus_shared INTERFACE cxx_std_17)
set_target_properties(gradus_shared PROPERTIES SYSTEM ON)  # no warnings from its headers in other projects
target_include_directories(gradus_shared INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/lib>
                                                   $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/chapters>)
