#pragma once
/// \file
/// For tests of what refuses a request.

#include <string>

#include "app/serve/http_message.hpp"
#include "support/catch.hpp"

namespace gradus::test {

/// The status with which `work` refuses; 200 if it does not.
template <class F>
int status_of(F&& work) {
  try {
    work();
  } catch (const HttpError& error) {
    INFO(error.what());
    CHECK(std::string(error.what()).find('\n') == std::string::npos);
    return error.status;
  }
  return 200;
}

}  // namespace gradus::test
