#pragma once
/// \file
/// The files of folder page/, built into the program.

#include <string>

namespace gradus {

struct PageFile {
  const char* type;  ///< media type
  std::string text;
};

/// The file for the URL `path`: / is page.html, /page.mjs is that file, and so on. Null if there is none.
const PageFile* page_file(const std::string& path);

/// The text of a file of page/; null if there is none. CMake writes it (cmake/embed.cmake).
const char* embedded_page_file(const std::string& name);

}  // namespace gradus
