#include "app/serve/page_files.hpp"

#include <map>

#include "gradus/plot/svg.hpp"

namespace gradus {
namespace {

constexpr const char* html = "text/html; charset=utf-8";
constexpr const char* script = "text/javascript; charset=utf-8";
constexpr const char* style = "text/css; charset=utf-8";

std::map<std::string, PageFile> all_files() {
  std::map<std::string, PageFile> files{{"/", {html, embedded_page_file("page.html")}},
                                        // the colours of all pages of the project
                                        {"/page.css", {style, palette_style}}};
  for (const char* name : {"page.css", "answer.css"}) files["/page.css"].text += embedded_page_file(name);
  for (const char* name : {"page.mjs", "element.mjs", "sentence.mjs", "words.mjs", "heat_map.mjs"})
    files["/" + std::string(name)] = {script, embedded_page_file(name)};
  return files;
}

}  // namespace

const PageFile* page_file(const std::string& path) {
  static const std::map<std::string, PageFile> files = all_files();
  const auto found = files.find(path);
  return found == files.end() ? nullptr : &found->second;
}

}  // namespace gradus
