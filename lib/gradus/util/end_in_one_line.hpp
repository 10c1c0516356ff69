#pragma once
/// \file
/// The end of a program whose error nobody can catch.

namespace gradus {

/// For std::set_terminate: writes one line, "gradus: " and the cause, to the standard error, and ends the process with status 1. An error
/// cannot be caught if a library's function must not throw, or if there is no memory for a message. It needs no memory itself.
[[noreturn]] void end_in_one_line();

}  // namespace gradus
