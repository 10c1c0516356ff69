#include "gradus/util/quoted.hpp"

#include <nlohmann/json.hpp>

namespace gradus {

std::string quoted(const std::string& text) {
  using nlohmann::json;
  constexpr std::size_t longest = 120;
  const std::string spelled = json(text).dump(-1, ' ', true, json::error_handler_t::replace);
  return spelled.size() <= longest ? spelled : spelled.substr(0, longest) + "...";
}

}  // namespace gradus
