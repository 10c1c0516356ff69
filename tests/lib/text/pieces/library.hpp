#pragma once
/// \file
/// The judge of the segmenter: SentencePiece itself, and texts to compare on.

#include <sentencepiece_processor.h>
#include <sentencepiece_trainer.h>

#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "gradus/io/utf8.hpp"
#include "gradus/text/pieces/segmenter.hpp"
#include "gradus/util/error.hpp"

namespace gradus::test {

using Settings = std::unordered_map<std::string, std::string>;

/// Learns a small model by SentencePiece.
inline std::string learnt_by_library(const std::vector<std::string>& sentences, Settings settings) {
  class Iterator : public sentencepiece::SentenceIterator {
   public:
    explicit Iterator(const std::vector<std::string>& all) : all_(all) {}
    bool done() const override { return next_ == all_.size(); }
    void Next() override { ++next_; }
    const std::string& value() const override { return all_[next_]; }
    sentencepiece::util::Status status() const override { return {}; }

   private:
    const std::vector<std::string>& all_;
    std::size_t next_ = 0;
  };
  settings.emplace("hard_vocab_limit", "false");
  settings.emplace("num_threads", "1");
  settings.emplace("minloglevel", "3");
  std::string model;
  Iterator iterator(sentences);
  const auto status = sentencepiece::SentencePieceTrainer::Train(settings, &iterator, &model);
  if (!status.ok()) fail("SentencePiece learns no model: " + status.ToString());
  return model;
}

/// A model in the library and in the segmenter.
class Pair {
 public:
  explicit Pair(const std::string& model) : own_(model) {
    if (!library_.LoadFromSerializedProto(model).ok()) fail("SentencePiece does not read the model");
  }

  /// What differs for a text: pieces, ids, or the text again; empty if nothing does.
  std::string difference(const std::string& text) const {
    sentencepiece::ImmutableSentencePieceText found;
    const bool is_cut = library_.Encode(text, found.mutable_proto()).ok();
    std::string theirs, ours, back;
    std::vector<int> ids;
    for (const auto& piece : found.pieces()) {
      theirs += std::string(piece.piece()) + '/' + std::to_string(piece.id()) + ' ';
      ids.push_back(static_cast<int>(piece.id()));
    }
    try {
      for (const auto& piece : own_.pieces(text)) ours += piece.text + '/' + std::to_string(piece.id) + ' ';
      if (!is_cut) return "the library cannot cut it";
    } catch (const Error& error) {
      return is_cut ? error.what() : "";
    }
    if (ours != theirs) return "theirs: " + theirs + "\nours:   " + ours;
    return difference_of_decoded(ids);
  }

  /// The same for ids to text.
  std::string difference_of_decoded(const std::vector<int>& ids) const {
    std::string theirs;
    if (!library_.Decode(ids, &theirs).ok()) return "the library cannot decode";
    const std::string ours = own_.decode(ids);
    return ours == theirs ? "" : "decoded, theirs: " + theirs + "\nours: " + ours;
  }

  int size() const { return own_.size(); }

 private:
  sentencepiece::SentencePieceProcessor library_;
  Segmenter own_;
};

/// Lines of many scripts, of white space, of damaged UTF-8, and of pieces' own spellings.
class RandomText {
 public:
  explicit RandomText(unsigned seed) : random_(seed) {}

  std::string line() {
    std::string text;
    const int runs = below(12) + 1;
    for (int run = 0; run < runs; ++run) append_run(text);
    return text;
  }

  int below(int bound) { return static_cast<int>(random_() % static_cast<unsigned>(bound)); }

 private:
  void append_run(std::string& text) {
    static const std::vector<std::pair<char32_t, char32_t>> ranges = {
        {0x20, 0x7e},     {0x61, 0x7a},     {0xa0, 0x17f},    {0x300, 0x36f},      {0x391, 0x3c9},
        {0x410, 0x44f},   {0x5d0, 0x5ea},   {0x5b0, 0x5c7},   {0x621, 0x652},      {0x904, 0x94d},
        {0xe01, 0xe4e},   {0x1100, 0x11ff}, {0x1e00, 0x1fff}, {0x2000, 0x206f},    {0x2460, 0x24ff},
        {0x2581, 0x2581}, {0x3000, 0x303f}, {0x3041, 0x30ff}, {0x3300, 0x33ff},    {0x4e00, 0x9fff},
        {0xac00, 0xd7a3}, {0xfb00, 0xfdff}, {0xfe00, 0xffff}, {0x1d400, 0x1d7ff},  {0x1f300, 0x1faff},
        {0x0, 0x1f},      {0x7f, 0x9f},     {0xe000, 0xe0ff}, {0x10ff00, 0x10ffff}};
    static const std::vector<std::string> strings = {" ",
                                                     "  ",
                                                     "\t",
                                                     "\u00a0",
                                                     "\u2581",
                                                     "\u2003",
                                                     "\u3000",
                                                     "\ufeff",
                                                     "\u200b",
                                                     "\u200d",
                                                     "\xff",
                                                     "\xe2\x96",
                                                     "\xed\xa0\x80",
                                                     "\xc0\xaf",
                                                     "\xf4\x90\x80\x80",
                                                     "<unk>",
                                                     "<s>",
                                                     "</s>",
                                                     "<pad>",
                                                     "<0x41>",
                                                     "<url>",
                                                     "<<>>",
                                                     "und",
                                                     "The ",
                                                     "Ein ",
                                                     "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb",
                                                     "e\u0301",
                                                     "\ufb01",
                                                     "\u00bd",
                                                     std::string(1, '\0'),
                                                     "aaaaaaaaaaaa",
                                                     "kk",
                                                     "kkk",
                                                     "\u2047",
                                                     "\ufffd"};
    if (below(3) == 0) {
      text += strings[static_cast<std::size_t>(below(static_cast<int>(strings.size())))];
      return;
    }
    const auto range = ranges[static_cast<std::size_t>(below(static_cast<int>(ranges.size())))];
    for (int count = below(8); count >= 0; --count) {
      const auto width = static_cast<int>(range.second - range.first) + 1;
      const auto value = range.first + static_cast<char32_t>(below(width));
      if (value < 0xd800 || value > 0xdfff) append_utf8(text, value);
    }
  }

  std::mt19937 random_;
};

}  // namespace gradus::test
