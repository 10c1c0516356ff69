#include "11_translator/program/warnings.hpp"

#include "11_translator/program/console.hpp"

namespace gradus {

void warn_about(const std::string& where, bool cut, bool unusual) {
  if (cut) console().warn(where + " is longer than the model reads; its end was left out");
  if (unusual) console().warn("the model is unsure of " + where + "; do not trust its translation");
}

}  // namespace gradus
