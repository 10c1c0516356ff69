#pragma once
/// \file
/// The ids of a training's pairs in a file. It is made once, from large texts or if the user asks for it. Later
/// trainings, and later starts of the same one, neither hold the text in memory nor learn the vocabulary again.

#include <functional>
#include <memory>
#include <string>

#include "11_translator/data/stored_ids.hpp"
#include "11_translator/training/training_data.hpp"
#include "gradus/io/mapped_file.hpp"

namespace gradus {

/// Such a file, open, with its content.
struct MappedIds {
  /// Throws Error if the file does not hold the ids that are made from that; the message is what to say of it.
  MappedIds(const std::string& path, const std::string& made_from, const TrainingRequest& request);

  MappedFile file;
  StoredIds ids;
  Tokenizers tokenizers;
};

/// Where the ids of a training are, and what they are made from.
struct IdsPlace {
  std::string path;       ///< empty: this training has no such file
  std::string texts;      ///< the checksums of both texts
  std::string made_from;  ///< the checksum of the texts and of all choices that decide the ids
};

/// The place is that of --ids; else, if the texts are large, training.ids in the output folder. Texts from a pipe have
/// none. Throws UsageError if --ids is given and a text cannot be read twice, or if a file of something else is there.
IdsPlace ids_place(const TrainingRequest& request, const ModelFiles* initial);

/// The checksums of the bytes of both texts.
std::string text_digests(const TrainingRequest& request);

/// The file at that place, if it was made from the same. Else null, and `say` gets a line with the reason if there is
/// another file.
std::shared_ptr<const MappedIds> find_ids(const IdsPlace& place, const TrainingRequest& request,
                                          const std::function<void(const std::string&)>& say);

/// Writes the ids of `data` there, and from then on takes them from there: `data` keeps no text and no ids.
void keep_ids(const IdsPlace& place, const TrainingRequest& request, TrainingData& data);

/// From now on the ids are those of the file, which are equal.
void take_ids(std::shared_ptr<const MappedIds> ids, TrainingData& data);

}  // namespace gradus
