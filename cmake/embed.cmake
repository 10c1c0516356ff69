# embed_files(target function folder file ...): compiles the files into `target`, which gets the function
#
#     const char* gradus::function(const std::string& name)      the text of that file, null for any other name
#
# The text must not contain )embed". It is read again whenever a file changes.
function(embed_files target function folder)
  set(rows "")
  foreach(file IN LISTS ARGN)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/${file})
    file(READ ${folder}/${file} text)
    string(APPEND rows "  if (name == \"${file}\") return R\"embed(${text})embed\";\n")
  endforeach()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${function}.cpp)
  file(GENERATE OUTPUT ${source} CONTENT
"#include <string>

namespace gradus {

const char* ${function}(const std::string& name);

const char* ${function}(const std::string& name) {
${rows}  return nullptr;
}

}  // namespace gradus
")
  target_sources(${target} PRIVATE ${source})
endfunction()
