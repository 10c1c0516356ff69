#pragma once
/// \file
/// The ids of a training text in a file that is mapped into memory: a step reads its sentences from the file, so a
/// corpus may be larger than the memory.
///
///     bytes
///        8   "gradusID"
///        4   the version of the format
///        4   0x01020304, in the byte order of the machine that wrote it, like all numbers here
///       64   SHA-256 of everything that follows
///       64   SHA-256 of what the ids were made from
///       64   SHA-256 of the text's lines, as in a recipe
///       64   eight numbers of 8 bytes: IdCounts
///        8   for each line of the text: its mark (mark_of)
///        4   for each pair and one more: where its source begins; then the same for the targets
///        4   for each token of the sources, with their marks; then of the targets
///        1   for each byte of the source vocabulary; then of the target vocabulary

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "10_training/data/batches.hpp"
#include "gradus/io/atomic_file.hpp"

namespace gradus {

struct IdCounts {
  std::uint64_t lines = 0;                             ///< of the text
  std::uint64_t pairs = 0;                             ///< those that are trained on
  std::uint64_t longest = 0;                           ///< tokens that a side may have, end mark included
  std::uint64_t source_tokens = 0, target_tokens = 0;  ///< with marks
  std::uint64_t source_words = 0, target_words = 0;    ///< ids are below these
  std::uint64_t source_bytes = 0;                      ///< of the source vocabulary; the target's are the rest
};

/// The content of such a file, for writing.
struct IdsToStore {
  std::string made_from, text_checksum;  ///< 64 hexadecimal digits each
  std::vector<std::uint64_t> line_marks;
  ConcatenatedSentences source, target;
  std::uint64_t longest = 0, source_words = 0, target_words = 0;
  std::string source_vocabulary, target_vocabulary;
};

/// The same as views into the bytes of a file.
struct StoredIds {
  std::string made_from, text_checksum;
  IdCounts counts;
  const std::uint64_t* line_marks = nullptr;
  HostSentences source, target;
  std::string_view source_vocabulary, target_vocabulary;
};

/// A number that differs, but for an accident of 1 in 2^64, for different pairs of lines.
std::uint64_t mark_of(std::string_view source, std::string_view target);

/// Writes the file, by the rules of write_parts_atomically.
void store_ids(const std::string& path, const IdsToStore& ids, Links links = Links::follow);

/// Whether `bytes` begin as such a file does, of any version.
bool is_stored_ids(std::string_view bytes);

/// Reads the bytes of a file. `bytes` begins at a multiple of 8.
///
/// ensures   Every sentence lies within the ids, has at least one word and its marks, and at most `longest` tokens; every id is
///           below its number of words. Throws Error for any other bytes; the message is what to say of the file, such as "damaged".
///           After each part of some megabytes calls `read_on`, so that the caller can give back their memory.
StoredIds stored_ids(
    std::string_view bytes, const std::function<void()>& read_on = [] {});

}  // namespace gradus
