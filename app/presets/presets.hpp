#pragma once
/// \file
/// The presets of `gradus train`: sets of option values, and nothing else. Those that have a tutorial's name say which
/// part of it each value is from (docs/tutorials), and where gradus does something else.

#include <string>
#include <vector>

namespace gradus {

/// A value of an option, named as in a file for --config.
struct PresetValue {
  const char *option, *value;
  const char* source;  ///< the part of the tutorial that has it; or who chose it, if the tutorial has none
};

/// What gradus does, and what the tutorial does.
struct PresetRemark {
  const char *what, *how;
};

struct Preset {
  const char *name, *summary;
  std::vector<PresetValue> values;
  std::vector<PresetRemark> put_right;  ///< mistakes that the preset does not repeat; the page has all
  std::vector<PresetRemark> different;  ///< where the options cannot say what the tutorial does
};

/// All of them: base, quick, fine-tune, then the tutorials.
const std::vector<Preset>& presets();

/// Null if there is none.
const Preset* find_preset(const std::string& name);

std::vector<std::string> preset_names();

Preset say_hello2y();
Preset from_zero();
Preset hyunwoongko();
Preset umar_jamil();
Preset samlynnevans();

}  // namespace gradus
