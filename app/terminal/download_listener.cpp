#include "app/terminal/download_listener.hpp"

#include "app/terminal/console.hpp"
#include "app/terminal/interrupt.hpp"
#include "gradus/util/quoted.hpp"

namespace gradus {
namespace {

/// A line that is overwritten, on a terminal.
bool show_progress(const std::string& name, std::uint64_t done, std::uint64_t all) {
  if (console().is_terminal() && !console().quiet && all != 0) {
    const std::string text =
        name + ": " + std::to_string(done / 1000) + " of " + std::to_string(all / 1000) + " KB";
    console().renew(done == all ? "" : text.substr(0, console().columns() - 1));
  }
  return !was_interrupted();
}

}  // namespace

DataListener download_listener() {
  catch_interrupts("\nstopping; the part that has arrived is kept. Ctrl-C again stops at once\n");
  return {[](const std::string& text) { console().say(printable(text)); }, show_progress};
}

int interrupted_download() {
  console().say("interrupted; the same command continues from here");
  return 130;
}

}  // namespace gradus
