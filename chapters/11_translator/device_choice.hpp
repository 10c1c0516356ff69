#pragma once
/// \file
/// On what the program computes: the one place where `--device` becomes a type is devices_cpu.cpp, or devices_cuda.cpp in
/// a program that was built with kernels.

#include <memory>

#include "10_training/checkpoint.hpp"
#include "11_translator/model_files.hpp"
#include "11_translator/training/training_data.hpp"
#include "11_translator/training/training_request.hpp"
#include "11_translator/training/training_run.hpp"
#include "11_translator/translator_engine.hpp"

namespace gradus {

/// "cpu" or "cuda": what `wanted` means for this program on this machine. A GPU is taken by itself only where there is
/// one. Error, one line that says what is missing, if one is demanded.
const char* device_name(DeviceChoice wanted);

/// A translator's model in the memory of that device.
std::shared_ptr<const TranslatorEngine> make_engine(DeviceChoice wanted, const ModelFiles& files);

/// The training of a run on it, from its last checkpoint on.
TrainingEnd train_on(DeviceChoice wanted, const TrainingRequest& request, const TrainingData& data,
                     const TrainingListener& listener, const RunFolder& folder, const std::string& recipe);

}  // namespace gradus
