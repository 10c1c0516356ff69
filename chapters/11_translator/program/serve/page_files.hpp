#pragma once
/// \file
/// The files of folder page/, built into the program.

#include <string>

namespace gradus {

struct PageFile {
  const char* type;  ///< media type
  std::string text;
};

/// What a browser gets at `path`: / is page.html, /page.js that file, and so on. Null where there is none.
const PageFile* page_file(const std::string& path);

/// The text of a file of page/; null where there is none. CMake writes it (cmake/embed.cmake).
const char* embedded_page_file(const std::string& name);

}  // namespace gradus
