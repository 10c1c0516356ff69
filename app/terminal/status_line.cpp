#include "app/terminal/status_line.hpp"

#include <algorithm>

namespace gradus {
namespace {

constexpr std::size_t longest_bar = 20, shortest_bar = 6;

std::string joined(const std::vector<StatusField>& fields) {
  std::string text;
  for (const StatusField& field : fields) text += (text.empty() ? "" : "  ") + field.text;
  return text;
}

}  // namespace

StatusLine fitted(std::vector<StatusField> fields, std::size_t columns) {
  for (;;) {
    const std::string text = joined(fields);
    if (text.size() + 1 + shortest_bar <= columns) return {std::min(longest_bar, columns - text.size() - 1), text};
    if (fields.size() <= 1) return {0, text.size() <= columns ? text : ""};
    fields.erase(std::max_element(fields.begin(), fields.end(), [](const StatusField& a, const StatusField& b) {
      return a.drop_first < b.drop_first;
    }));
  }
}

}  // namespace gradus
