#include "app/terminal/console.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include "gradus/util/error.hpp"
#include "gradus/util/process.hpp"
#include "gradus/util/quoted.hpp"

namespace gradus {
namespace {

/// printable(text), but for the ends of lines.
std::string printable_lines(const std::string& text) {
  const std::size_t end = text.find('\n');
  if (end == text.npos) return printable(text);
  return printable(text.substr(0, end)) + "\n" + printable_lines(text.substr(end + 1));
}

}  // namespace

Console::Console()
    : terminal_(isatty(STDERR_FILENO) != 0 && terminal_obeys()),
      colour_(terminal_ && environment("NO_COLOR").empty()) {}

void Console::say(const std::string& text, bool is_faint) {
  renew("");
  const bool styled = is_faint && colour_;
  if (!quiet) std::fprintf(stderr, styled ? "\x1b[2m%s\x1b[0m\n" : "%s\n", printable_lines(text).c_str());
}

void Console::complain(const std::string& text) {
  renew("");
  std::fprintf(stderr, "gradus: %s\n", printable(text).c_str());
}

void Console::warn(const std::string& text) {
  renew("");
  std::fprintf(stderr, colour_ ? "\x1b[33mwarning:\x1b[0m %s\n" : "warning: %s\n", printable(text).c_str());
}

bool terminal_obeys() {
  const std::string name = environment("TERM");
  return !name.empty() && name != "dumb";
}

std::size_t Console::columns() const { return terminal_columns(STDERR_FILENO); }

void Console::renew(const std::string& text) {
  if (text.empty() && !renewed_) return;
  std::fprintf(stderr, "\r\x1b[K%s", text.c_str());
  renewed_ = !text.empty();
}

std::size_t terminal_columns(int descriptor) {
  struct winsize size {};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col != 0) return size.ws_col;
  const int columns = std::atoi(environment("COLUMNS").c_str());
  return columns > 0 ? static_cast<std::size_t>(columns) : 80;
}

Console& console() {
  static Console one;
  return one;
}

void flush_results() {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return;
  if (errno == 0)
    ::fcntl(STDOUT_FILENO, F_GETFD);  // an earlier write failed; this says whether the output is closed
  fail("the standard output cannot be written" +
       (errno == 0 ? "; is the disk full?" : ": " + std::generic_category().message(errno)));
}

}  // namespace gradus
