#pragma once
/// \file
/// Judges recordings. A GPU replays a graph without checking it: an argument that has changed on the host since
/// would be out of date. (The host layer compares every launch; a GPU cannot.)

#include "measure/gpu_check/case_file.hpp"

namespace gradus::test {

struct RecordingErrors {
  double in_double = 0, in_float = 0;  ///< the largest relative difference of a loss from the case file's
  bool same_bits = true;               ///< recorded, plain, and repeated: the same weights, translations and scores
};

/// Trainings of one and of two micro-batches.
RecordingErrors judge_recorded_training(const CaseFile& lists);

/// Searches; there are no losses.
RecordingErrors judge_recorded_search();

}  // namespace gradus::test
