#pragma once
/// \file
/// The parts of a run. One that fails is named, its error is kept, and the others go on: time on a GPU is rare.

#include <ostream>
#include <string>
#include <utility>

#include "gradus/util/error.hpp"
#include "measure/gpu_check/result.hpp"

namespace gradus::test {

struct PartOptions {
  std::string only;  ///< parts whose name contains this; "": all
  std::string fail;  ///< parts whose name contains this fail, for a trial of what happens then; "": none
};

/// How a run ends, as an exit status.
enum class Outcome { passed = 0, wrong = 1, failed = 3 };

inline void fail_if_asked(const PartOptions& options, const std::string& name) {
  if (!options.fail.empty() && name.find(options.fail) != std::string::npos) fail("asked to fail");
}

class Parts {
 public:
  Parts(PartOptions options, std::ostream& log) : options_(std::move(options)), log_(log) {}

  /// Calls f, if the part is wanted. Returns whether it was, and ended well.
  template <class F>
  bool run(const std::string& name, F&& f) {
    if (name.find(options_.only) == std::string::npos) return false;
    return guard(name, [&] {
      fail_if_asked(options_, name);
      f();
    });
  }

  /// Calls f, which is no part, but makes what several of them need. Returns whether it ended well.
  template <class F>
  bool guard(const std::string& name, F&& f) try {
    f();
    return true;
  } catch (const std::exception& error) {
    failed_.emplace_back(name, json(error.what()));
    log_ << name << ": failed: " << error.what() << std::endl;
    return false;
  }

  const Members& failed() const { return failed_; }  ///< name, error
  Outcome outcome(bool all_right) const {
    return !failed_.empty() ? Outcome::failed : all_right ? Outcome::passed : Outcome::wrong;
  }

 private:
  PartOptions options_;
  std::ostream& log_;
  Members failed_;
};

}  // namespace gradus::test
