#include "app/terminal/line_editor.hpp"

namespace gradus {

std::unique_ptr<LineEditor> make_line_editor(std::FILE* /*screen*/, const std::string& /*prompt*/) {
  return nullptr;
}

}  // namespace gradus
