#include "10_training/checkpoint.hpp"

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "gradus/io/safetensors.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/sha256.hpp"

namespace gradus {
namespace {

template <class Real>
constexpr StoredType stored_type = std::is_same_v<Real, float> ? StoredType::F32 : StoredType::F64;

/// Adds the slices of a flat store to a file's tensors, each name with a prefix.
template <class Real>
void append(std::vector<TensorToStore>& tensors, const std::string& prefix, const Layout& layout,
            const std::vector<Real>& flat) {
  for (const Slice& s : layout.slices()) {
    tensors.push_back({prefix + s.name, s.shape, stored_type<Real>, flat.data() + s.offset});
  }
}

template <class Real>
std::vector<Real> extract(const SafetensorsFile& file, const std::string& prefix, const Layout& layout) {
  for (const Slice& s : layout.slices()) {  // all shapes are compared before memory is taken
    const std::string name = prefix + s.name;
    if (!file.has(name)) fail(file.origin() + ": there is no tensor " + name + ", so this is another model");
    if (file.shape(name) != s.shape)
      fail(file.origin() + ": " + name + " has another shape, so this is another model");
  }
  std::vector<Real> flat(layout.size());
  for (const Slice& s : layout.slices()) file.read(prefix + s.name, flat.data() + s.offset, s.size());
  return flat;
}

/// A checksum over everything a snapshot holds.
template <class Real>
std::string checksum(const Snapshot<Real>& snapshot) {
  std::string bytes = to_text(snapshot.state);
  for (const auto* part : {&snapshot.weights, &snapshot.m, &snapshot.v}) {
    bytes.append(reinterpret_cast<const char*>(part->data()), part->size() * sizeof(Real));
  }
  return sha256(bytes);
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
  if (std::isfinite(s.best)) json["best"] = s.best;  // JSON knows no infinity
  return json.dump();
}

TrainingState training_state(const std::string& text, const std::string& origin) {
  try {
    const auto json = nlohmann::json::parse(text);
    TrainingState s;
    s.step = json.at("step"), s.epoch = json.at("epoch"), s.next_batch = json.at("next_batch");
    s.validations = json.at("validations"), s.since_best = json.at("since_best");
    s.reductions = json.at("reductions"), s.finished = json.at("finished");
    if (json.contains("best")) s.best = json.at("best");
    return s;
  } catch (const nlohmann::json::exception&) {
    fail(origin + ": the state of the run cannot be read");
  }
}

RunFolder::RunFolder(const std::string& path) : path_(path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error || !std::filesystem::is_directory(path)) fail(path + ": cannot make this folder");
}

bool RunFolder::has_checkpoint() const {
  return std::filesystem::exists(file("checkpoint")) || std::filesystem::exists(file("checkpoint-before"));
}

/// A kill between the two renames of `save` leaves only the one before.
std::string RunFolder::newest() const {
  return std::filesystem::exists(file("checkpoint")) ? file("checkpoint") : file("checkpoint-before");
}

std::string RunFolder::recipe() const { return entry(SafetensorsFile::load(newest()), "recipe"); }

template <class Real>
void RunFolder::save(const Layout& layout, const Snapshot<Real>& snapshot, const std::string& recipe) const {
  std::vector<TensorToStore> tensors;
  append(tensors, "", layout, snapshot.weights);
  append(tensors, "m.", layout, snapshot.m);
  append(tensors, "v.", layout, snapshot.v);
  write_safetensors(file("checkpoint-next"), tensors,
                    {{"recipe", recipe}, {"state", to_text(snapshot.state)}, {"sha256", checksum(snapshot)}});
  std::error_code none_yet, error;  // the first time there is nothing to move away
  std::filesystem::rename(file("checkpoint"), file("checkpoint-before"), none_yet);
  std::filesystem::rename(file("checkpoint-next"), file("checkpoint"), error);
  if (error) fail(file("checkpoint") + ": cannot be replaced: " + error.message());
}

namespace {

template <class Real>
Snapshot<Real> load_whole(const std::string& path, const Layout& layout, const std::string& recipe) {
  const auto stored = SafetensorsFile::load(path);
  if (entry(stored, "recipe") != recipe) fail(path + ": belongs to a run with other options");
  Snapshot<Real> s{extract<Real>(stored, "", layout), extract<Real>(stored, "m.", layout),
                   extract<Real>(stored, "v.", layout), training_state(entry(stored, "state"), path)};
  if (checksum(s) != entry(stored, "sha256")) fail(path + ": the checksum is wrong, so the file is damaged");
  return s;
}

}  // namespace

template <class Real>
Snapshot<Real> RunFolder::load(const Layout& layout, const std::string& recipe) const {
  try {
    return load_whole<Real>(newest(), layout, recipe);
  } catch (const Error&) {
    if (newest() == file("checkpoint-before") || !std::filesystem::exists(file("checkpoint-before"))) throw;
    return load_whole<Real>(file("checkpoint-before"), layout, recipe);
  }
}

template <class Real>
void RunFolder::save_weights(const std::string& name, const Layout& layout,
                             const std::vector<Real>& weights) const {
  std::vector<TensorToStore> tensors;
  append(tensors, "", layout, weights);
  write_safetensors(file(name), tensors);
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

template <class Real>
std::vector<Real> load_weights(const std::string& path, const Layout& layout) {
  return extract<Real>(SafetensorsFile::load(path), "", layout);
}

template void RunFolder::save(const Layout&, const Snapshot<float>&, const std::string&) const;
template void RunFolder::save(const Layout&, const Snapshot<double>&, const std::string&) const;
template Snapshot<float> RunFolder::load(const Layout&, const std::string&) const;
template Snapshot<double> RunFolder::load(const Layout&, const std::string&) const;
template void RunFolder::save_weights(const std::string&, const Layout&, const std::vector<float>&) const;
template void RunFolder::save_weights(const std::string&, const Layout&, const std::vector<double>&) const;
template std::vector<float> RunFolder::average(const std::vector<std::string>&, const Layout&) const;
template std::vector<double> RunFolder::average(const std::vector<std::string>&, const Layout&) const;
template std::vector<float> load_weights(const std::string&, const Layout&);
template std::vector<double> load_weights(const std::string&, const Layout&);

}  // namespace gradus
