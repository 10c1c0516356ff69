#include "gradus/util/end_in_one_line.hpp"

#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>

namespace gradus {

void end_in_one_line() {
  constexpr std::string_view no_memory = "gradus: there is not enough memory for this\n",
                             unexpected = "gradus: an error came where none can be handled; the program ends\n";
  bool is_memory = false;
  try {
    if (const std::exception_ptr error = std::current_exception()) std::rethrow_exception(error);
  } catch (const std::bad_alloc&) {
    is_memory = true;
  } catch (...) {
  }
  const std::string_view line = is_memory ? no_memory : unexpected;
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
  std::_Exit(1);
}

}  // namespace gradus
