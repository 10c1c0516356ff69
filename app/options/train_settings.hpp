#pragma once
/// \file
/// Values for options of `gradus train` that are not given on the command line: a model's, a preset's.

#include "11_translator/storage/model_description.hpp"
#include "app/options/option_file.hpp"
#include "app/presets/presets.hpp"

namespace gradus {

/// The options whose values follow from a model's description.
Settings settings_of(const ModelDescription& description);

Settings settings_of(const Preset& preset);

/// The settings of an options file, a model or a preset without those that the command line overrides.
Settings without_overruled(Settings settings, const CLI::App& command);

}  // namespace gradus
