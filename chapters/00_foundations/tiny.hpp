#pragma once
/// \file
/// The tiny example of all lessons: a translator with D = 4, H = 2 and one layer on each side, and the sentence
/// pair "the cat sleeps", "die Katze schläft". Chapter 10's program trained its weights and rounded them to two
/// decimals, so that readers can follow every number by hand.

#include <string>
#include <vector>

#include "gradus/device/device.hpp"
#include "gradus/tensor/view.hpp"

namespace gradus::tiny {

using Device = Reference<double>;
constexpr std::size_t D = 4, H = 2, F = 8;

/// The words of a language in the order of their ids, as chapter 01's vocabulary learns them from the six sentences
/// in chapters/10_training/data/six_sentences.tsv: <pad> <unk> <bos> <eos>, then the most frequent first.
const std::vector<std::string>& english();
const std::vector<std::string>& german();

/// The example: the encoder reads "the cat sleeps <eos>"; the decoder reads "<bos> die Katze schläft" and must
/// output "die Katze schläft <eos>".
const std::vector<std::int32_t>& source_ids();
const std::vector<std::int32_t>& decoder_input_ids();
const std::vector<std::int32_t>& target_ids();

/// The encoder's input, as chapter 02 prints it, (N, D): sqrt(D) times the words' vectors, plus their positions.
std::vector<double> encoder_input();

/// The words with these ids.
std::vector<std::string> words(const std::vector<std::string>& vocabulary, const std::vector<std::int32_t>& ids);

/// A learnt parameter by its name in the model: "encoder.0.self_attention.wqkv". Throws Error if there is none.
In<Device, 2> matrix(const std::string& name);
In<Device, 1> vector(const std::string& name);

/// Prints "== title ==": lessons quote a demo's output by this title.
void section(const std::string& title);

/// Prints a matrix with a label for each row, two decimals; `name` is its heading: "x (N, D)".
void print(const std::string& name, In<Device, 2> x, const std::vector<std::string>& labels = {});
void print(const std::string& name, In<Device, 1> x);

}  // namespace gradus::tiny
