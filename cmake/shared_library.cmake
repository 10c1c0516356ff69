# libgradus.so: the ground and all chapters in one shared library, for notebooks. From a static library a linker takes
# what is asked for now; a notebook asks later, so every object goes in. `make notebooks` builds it.

set(objects $<TARGET_OBJECTS:gradus_ground>)
foreach(chapter IN LISTS chapters)
  get_filename_component(folder ${chapter} DIRECTORY)
  if(TARGET chapter_${folder})
    get_target_property(type chapter_${folder} TYPE)
    if(type STREQUAL STATIC_LIBRARY)
      list(APPEND objects $<TARGET_OBJECTS:chapter_${folder}>)
    endif()
  endif()
endforeach()

add_library(gradus_shared SHARED EXCLUDE_FROM_ALL ${objects})
target_link_libraries(gradus_shared PUBLIC gradus_settings Threads::Threads PRIVATE gradus_formulas)
set_target_properties(gradus_shared PROPERTIES LINKER_LANGUAGE CXX OUTPUT_NAME gradus
                                               LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
