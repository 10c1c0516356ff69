#pragma once
/// \file
/// What a finished training shows of its model: the stored model translates the validation text, and the report says
/// how well.

#include "11_translator/training/training_data.hpp"
#include "11_translator/training/training_report.hpp"

namespace gradus {

/// All that the report of a run needs. The model is read from the run's folder.
ReportData finished_report(const TrainingRequest& request, const TrainingData& data,
                           const TrainingHistory& history);

}  // namespace gradus
