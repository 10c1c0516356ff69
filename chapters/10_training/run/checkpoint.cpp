#include "10_training/run/checkpoint.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "gradus/io/atomic_file.hpp"
#include "gradus/io/folder.hpp"
#include "gradus/util/digest.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/process.hpp"
#include "gradus/util/system_error.hpp"

namespace gradus {
namespace {

template <class Real>
constexpr StoredType stored_type = std::is_same_v<Real, float> ? StoredType::F32 : StoredType::F64;

// The metadata of a snapshot in its file. The word is older than the name in the code, and stored checkpoints have it.
constexpr const char* metadata_entry = "notes";

/// Adds the slices of a flat vector to a file's tensors; each name gets a prefix.
template <class Real>
void append(std::vector<TensorToStore>& tensors, const std::string& prefix, const Layout& layout,
            const std::vector<Real>& flat) {
  for (const Slice& s : layout.slices()) {
    tensors.push_back({prefix + s.name, s.shape, stored_type<Real>, flat.data() + s.offset});
  }
}

/// Compares all shapes before allocating memory.
void check_shapes(const SafetensorsFile& file, const std::string& prefix, const Layout& layout) {
  for (const Slice& s : layout.slices()) {
    const std::string name = prefix + s.name;
    if (!file.has(name)) fail(file.origin() + ": there is no tensor " + name + ", so this is another model");
    if (file.shape(name) != s.shape)
      fail(file.origin() + ": " + name + " has another shape, so this is another model");
  }
}

/// Throws Error if the file has a tensor that the layout does not have.
void check_only(const SafetensorsFile& file, const Layout& layout) {
  std::set<std::string> known;
  for (const Slice& s : layout.slices()) known.insert(s.name);
  for (const std::string& name : file.names()) {
    if (known.count(name) == 0) fail(file.origin() + ": " + name + " is a tensor of another model");
  }
}

template <class Real>
void unpack(Real* flat, const SafetensorsFile& file, const std::string& prefix, const Layout& layout) {
  for (const Slice& s : layout.slices()) file.read(prefix + s.name, flat + s.offset, s.size());
}

template <class Real>
std::vector<Real> extract(const SafetensorsFile& file, const std::string& prefix, const Layout& layout) {
  check_shapes(file, prefix, layout);
  std::vector<Real> flat;  // its memory first, because resize() writes to it
  flat.reserve(layout.size());
  prefer_large_pages(flat.data(), layout.size() * sizeof(Real));
  flat.resize(layout.size());
  unpack(flat.data(), file, prefix, layout);
  return flat;
}

/// A checksum over the whole snapshot.
template <class Real>
std::string checksum(const Snapshot<Real>& snapshot) {
  std::string bytes = to_text(snapshot.state) + snapshot.metadata;
  for (const auto* part : {&snapshot.weights, &snapshot.m, &snapshot.v}) {
    bytes.append(reinterpret_cast<const char*>(part->data()), part->size() * sizeof(Real));
  }
  return sha256(bytes);
}

/// `when` begins the message: "after step 7".
template <class Real>
void check_finite(const std::vector<Real>& weights, const std::string& when) {
  if (std::all_of(weights.begin(), weights.end(), [](Real w) { return std::isfinite(w); })) return;
  fail(when + " there is a weight that is not finite, so nothing is saved; a lower learning rate may help");
}

const std::string& entry(const SafetensorsFile& file, const std::string& key) {
  const auto found = file.metadata().find(key);
  if (found == file.metadata().end()) fail(file.origin() + ": this is not a checkpoint");
  return found->second;
}

}  // namespace

std::string to_text(const TrainingState& s) {
  nlohmann::ordered_json json{{"step", s.step},
                              {"epoch", s.epoch},
                              {"next_batch", s.next_batch},
                              {"validations", s.validations},
                              {"since_best", s.since_best},
                              {"reductions", s.reductions},
                              {"finished", s.finished}};
  if (std::isfinite(s.best)) json["best"] = s.best;  // JSON has no infinity
  if (s.not_better != 0) json["not_better"] = s.not_better;
  if (std::isfinite(s.plateau_best)) json["plateau_best"] = s.plateau_best;
  return json.dump();
}

TrainingState training_state(const std::string& text, const std::string& origin) {
  try {
    const auto json = nlohmann::json::parse(text);
    const auto count = [&](const char* key) {
      const auto& value = json.at(key);
      if (!value.is_number_unsigned() || value > std::numeric_limits<std::uint32_t>::max()) {
        fail(origin + ": " + key + " is out of range in the state of the run");
      }
      return value.template get<std::uint32_t>();
    };
    TrainingState s;
    s.step = count("step"), s.epoch = count("epoch"), s.next_batch = count("next_batch");
    s.validations = count("validations"), s.since_best = count("since_best"), s.reductions = count("reductions");
    s.finished = json.at("finished").get<bool>();
    if (json.contains("best")) s.best = json.at("best").get<double>();
    if (json.contains("not_better")) s.not_better = count("not_better");
    if (json.contains("plateau_best")) s.plateau_best = json.at("plateau_best").get<double>();
    return s;
  } catch (const nlohmann::json::exception&) {
    fail(origin + ": the state of the run cannot be read");
  }
}

RunFolder::RunFolder(const std::string& path) : path_(path) { make_folder(path); }

bool RunFolder::has_checkpoint() const {
  return is_there(file("checkpoint")) || is_there(file("checkpoint-before"));
}

template <class Read>
auto RunFolder::from_newest(const Read& read, std::string& skipped) const {
  // checkpoint-next is needed if a save was killed between its renames and the others are damaged
  std::vector<std::string> present;
  for (const char* name : {"checkpoint", "checkpoint-before", "checkpoint-next"}) {
    if (is_there(file(name))) present.push_back(file(name));
  }
  for (const std::string& checkpoint : present) {
    try {
      return read(checkpoint);
    } catch (const SystemError& error) {  // it may be sound: an older one, or a new start, would destroy it
      if (error.code == ENOENT) {         // a run that goes on is saving, and has just moved it
        skipped.clear();
        return from_newest(read, skipped);
      }
      fail(std::string(error.what()) + "; the run is kept: when " + checkpoint +
           " can be read, the same command continues from there");
    } catch (const Error& error) {
      skipped += (skipped.empty() ? "" : "; ") + std::string(error.what());
    }
  }
  fail(present.empty() ? path_ + ": there is no checkpoint"
                       : skipped + "; there is no other checkpoint, so the run must start again (--overwrite)");
}

RunFolder::Head RunFolder::head() const {
  std::string skipped;
  return from_newest(
      [](const std::string& path) {
        const auto stored = SafetensorsFile::load(path);
        return Head{path, entry(stored, "recipe"), training_state(entry(stored, "state"), path),
                    entry(stored, metadata_entry)};
      },
      skipped);
}

namespace {

/// The end of a message about a checkpoint that cannot be written; "" if no other one can be read.
std::string what_is_kept(const RunFolder& run) {
  try {
    return "; the checkpoint of step " + std::to_string(run.state().step) +
           " is kept, so the same command continues from there";
  } catch (const Error&) {
    return "";
  }
}

}  // namespace

void RunFolder::write(const std::string& name, const std::vector<TensorToStore>& tensors,
                      const std::map<std::string, std::string>& metadata) const {
  try {
    write_safetensors(file(name), tensors, metadata);
  } catch (const Error& error) {
    const std::string kept = what_is_kept(*this);
    if (kept.empty()) throw;
    fail(error.what() + kept);
  }
}

template <class Real>
void RunFolder::save(const Layout& layout, const Snapshot<Real>& snapshot, const std::string& recipe) const {
  check_finite(snapshot.weights, "after step " + std::to_string(snapshot.state.step));
  std::vector<TensorToStore> tensors;
  append(tensors, "", layout, snapshot.weights);
  append(tensors, "m.", layout, snapshot.m);
  append(tensors, "v.", layout, snapshot.v);
  write("checkpoint-next", tensors,
        {{"recipe", recipe},
         {"state", to_text(snapshot.state)},
         {metadata_entry, snapshot.metadata},
         {"sha256", checksum(snapshot)}});
  std::error_code none_yet;  // the first time there is nothing to move
  std::filesystem::rename(file("checkpoint"), file("checkpoint-before"), none_yet);
  rename_atomically(file("checkpoint-next"), file("checkpoint"));
}

namespace {

template <class Real>
Snapshot<Real> load_whole(const std::string& path, const Layout& layout, const RecipeTest& is_ours) {
  const auto stored = SafetensorsFile::load(path);
  if (!is_ours(entry(stored, "recipe"))) fail(path + ": belongs to a run with other options");
  Snapshot<Real> s{extract<Real>(stored, "", layout), extract<Real>(stored, "m.", layout),
                   extract<Real>(stored, "v.", layout), training_state(entry(stored, "state"), path),
                   entry(stored, metadata_entry)};
  if (checksum(s) != entry(stored, "sha256")) fail(path + ": the checksum is wrong, so the file is damaged");
  s.recipe = entry(stored, "recipe");
  return s;
}

}  // namespace

template <class Real>
Snapshot<Real> RunFolder::load(const Layout& layout, const RecipeTest& is_ours) const {
  std::string skipped;
  auto snapshot =
      from_newest([&](const std::string& path) { return load_whole<Real>(path, layout, is_ours); }, skipped);
  snapshot.skipped_checkpoints = skipped;
  return snapshot;
}

template <class Real>
void RunFolder::save_weights(const std::string& name, const Layout& layout,
                             const std::vector<Real>& weights) const {
  check_finite(weights, "in \"" + name + "\"");
  std::vector<TensorToStore> tensors;
  append(tensors, "", layout, weights);
  write(name, tensors);
}

template <class Real>
std::vector<Real> RunFolder::average(const std::vector<std::string>& names, const Layout& layout) const {
  if (names.empty()) fail(path_ + ": there are no weights to average");
  std::vector<double> sum(layout.size(), 0.0);
  for (const std::string& name : names) {
    const auto weights = load_weights<Real>(file(name), layout);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += static_cast<double>(weights[i]);
  }
  std::vector<Real> mean(sum.size());
  for (std::size_t i = 0; i < sum.size(); ++i)
    mean[i] = static_cast<Real>(sum[i] / static_cast<double>(names.size()));
  return mean;
}

void check_weights(const SafetensorsFile& file, const Layout& layout, bool is_checkpoint) {
  check_shapes(file, "", layout);
  if (!is_checkpoint) check_only(file, layout);
}

template <class Real>
void read_weights(Real* to, const SafetensorsFile& file, const Layout& layout) {
  unpack(to, file, "", layout);
}

template <class Real>
std::vector<Real> load_weights(const SafetensorsFile& file, const Layout& layout) {
  check_weights(file, layout);
  // Two copies: the returned one, and the model that is made from it.
  require_memory(2.0 * sizeof(Real) * static_cast<double>(layout.size()), file.origin());
  return extract<Real>(file, "", layout);
}

template void RunFolder::save(const Layout&, const Snapshot<float>&, const std::string&) const;
template void RunFolder::save(const Layout&, const Snapshot<double>&, const std::string&) const;
template Snapshot<float> RunFolder::load(const Layout&, const RecipeTest&) const;
template Snapshot<double> RunFolder::load(const Layout&, const RecipeTest&) const;
template void RunFolder::save_weights(const std::string&, const Layout&, const std::vector<float>&) const;
template void RunFolder::save_weights(const std::string&, const Layout&, const std::vector<double>&) const;
template std::vector<float> RunFolder::average(const std::vector<std::string>&, const Layout&) const;
template std::vector<double> RunFolder::average(const std::vector<std::string>&, const Layout&) const;
template std::vector<float> load_weights(const SafetensorsFile&, const Layout&);
template std::vector<double> load_weights(const SafetensorsFile&, const Layout&);
template void read_weights(float*, const SafetensorsFile&, const Layout&);
template void read_weights(double*, const SafetensorsFile&, const Layout&);

}  // namespace gradus
