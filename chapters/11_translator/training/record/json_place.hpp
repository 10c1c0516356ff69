#pragma once
/// \file
/// Values of a JSON object by their place, such as "plateau/factor" or "/plateau/factor". json_pointer of nlohmann's library 3.11.3 does the
/// same, but has warnings of clang 19.

#include <sstream>
#include <string>

namespace gradus {

/// The value at a place, or null.
template <class Json>
const Json* found_at(const Json& json, const std::string& place) {
  const Json* value = &json;
  std::istringstream names(place);
  for (std::string name; value != nullptr && std::getline(names, name, '/');) {
    if (!name.empty()) value = value->is_object() && value->contains(name) ? &value->at(name) : nullptr;
  }
  return value;
}

/// The value at a place, which is made if it is not there.
template <class Json>
Json& made_at(Json& json, const std::string& place) {
  Json* value = &json;
  std::istringstream names(place);
  for (std::string name; std::getline(names, name, '/');) value = &(*value)[name];
  return *value;
}

}  // namespace gradus
