#pragma once
/// \file
/// Errors whose cause is the state of the system, and not the input.

#include <string>

#include "gradus/util/error.hpp"

namespace gradus {

/// The system refused: no permission, too many open files, too little memory. What was asked for may be sound.
struct SystemError : Error {
  SystemError(const std::string& message, int its_code) : Error(message), code(its_code) {}
  int code;  ///< of errno
};

}  // namespace gradus
