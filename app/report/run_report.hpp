#pragma once
/// \file
/// From the folder of a run to its report, without the training text.

#include <string>

#include "11_translator/training/record/stored_run.hpp"
#include "app/report/training_report.hpp"
#include "gradus/device/choice.hpp"

namespace gradus {

/// The last part of a folder's path, "run" of "build/run/".
std::string folder_name(const std::string& folder);

/// The first digits of a recipe's SHA-256: equal for equal runs.
std::string recipe_hash(const std::string& recipe);

/// All data of the report. If the folder's model is finished, loads it to draw its attention.
ReportData report_data(const StoredRun& run, DeviceChoice device);

/// Writes report.html into the run's folder. Returns its path, or "" if the same page is there already.
std::string write_report(const StoredRun& run, DeviceChoice device);

}  // namespace gradus
