#pragma once
/// \file
/// The model of a Translator, in the memory of some device.

#include <memory>
#include <string>
#include <vector>

#include "11_translator/translator/translator.hpp"

namespace gradus {

/// The interface without the device: its arguments and results are text.
class TranslatorEngine {
 public:
  virtual ~TranslatorEngine() = default;
  virtual std::vector<std::vector<TranslatedText>> translate(const std::vector<std::string>& sentences,
                                                             const TranslateOptions& options,
                                                             Ranks& ranks) const = 0;
  virtual AttentionRecord attention(const std::string& sentence, const TranslateOptions& options) const = 0;
  virtual Explanation explain(const std::string& sentence, const TranslateOptions& options) const = 0;
  virtual TeacherForced teacher_forced(const std::vector<std::string>& sources,
                                       const std::vector<std::string>& references, std::size_t threads) const = 0;
  virtual std::vector<PairScore> score_pairs(const std::vector<std::string>& sources,
                                             const std::vector<std::string>& targets,
                                             std::size_t threads) const = 0;
};

/// cpu or cuda: the device for `wanted` in this program on this machine. Throws UsageError, one line that says
/// what is missing, if `wanted` is a GPU that cannot be used.
DeviceChoice device_taken(DeviceChoice wanted);

/// An engine with its model in the memory of the chosen device. Throws UsageError for weights of 8 bits on a GPU.
std::shared_ptr<const TranslatorEngine> make_engine(DeviceChoice wanted, const ModelFiles& files,
                                                    SearchWeights weights);

}  // namespace gradus
