# The judges as a library, for leaves outside of this tree: the component `judges` of the package. Its headers, and those of arrays for
# formulas, are in a folder of their own, because they need xtensor, which users of the library itself do not need.

include(GNUInstallDirs)
set(judge_headers case component description judges mirror tensors)
set(judge_sources judges contract golden gradient_table relative_error)
list(TRANSFORM judge_sources REPLACE "(.+)" "tests/support/\\1.cpp")
add_library(gradus_leaf_judges STATIC ${judge_sources})
set_target_properties(gradus_leaf_judges PROPERTIES OUTPUT_NAME gradus_judges EXPORT_NAME judges POSITION_INDEPENDENT_CODE ON)
if(NOT GRADUS_INSTALL)
  set_target_properties(gradus_leaf_judges PROPERTIES EXCLUDE_FROM_ALL ON)
endif()
target_compile_definitions(gradus_leaf_judges PRIVATE GRADUS_GOLDEN=".")  # golden values are found by their path
target_include_directories(gradus_leaf_judges PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/tests>
                                                     $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/gradus-judges>)
target_link_libraries(gradus_leaf_judges PUBLIC gradus_shared PRIVATE $<BUILD_INTERFACE:gradus_settings>
                                                                      $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>)
add_library(gradus::judges ALIAS gradus_leaf_judges)

# gradus/tensor/array.hpp
add_library(gradus_arrays INTERFACE)
set_target_properties(gradus_arrays PROPERTIES EXPORT_NAME arrays)
target_include_directories(gradus_arrays INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/lib>
                                                   $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/gradus-judges>)
target_link_libraries(gradus_arrays INTERFACE xtensor)
if(xtensor_VERSION VERSION_GREATER_EQUAL 0.27)
  target_compile_features(gradus_arrays INTERFACE cxx_std_20)
endif()
add_library(gradus::arrays ALIAS gradus_arrays)
