#include "11_translator/training/record/run_files.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "11_translator/storage/model_description.hpp"
#include "gradus/io/own_file.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

bool is_checkpoint(const std::string& name) { return name.rfind("checkpoint", 0) == 0; }

/// "recent-12.safetensors"
bool is_recent(const std::string& name) {
  const std::string head = "recent-", tail = ".safetensors";
  if (name.size() <= head.size() + tail.size() || name.rfind(head, 0) != 0) return false;
  const std::string number = name.substr(head.size(), name.size() - head.size() - tail.size());
  return name.substr(head.size() + number.size()) == tail &&
         number.find_first_not_of("0123456789") == std::string::npos;
}

bool is_of_a_run(const std::string& name) {
  static const std::set<std::string> fixed = {"checkpoint.safetensors",
                                              "checkpoint-before.safetensors",
                                              "checkpoint-next.safetensors",
                                              "best.safetensors",
                                              "history.json",
                                              "results.json",
                                              "timing.json",
                                              "report.html",
                                              "model.json",
                                              "weights.safetensors"};
  const auto vocabularies = vocabulary_file_names();
  return fixed.count(name) != 0 || is_recent(name) ||
         std::find(vocabularies.begin(), vocabularies.end(), name) != vocabularies.end();
}

}  // namespace

std::vector<std::string> run_files(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code none;  // the folder is missing or not readable: writing will report it
  for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
    const std::string name = entry.path().filename().string();
    if (is_of_a_run(name)) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

void check_run_files(const std::string& folder) {
  for (const std::string& name : run_files(folder)) check_own_file(folder + "/" + name);
}

void check_no_run_file(const std::string& option, const std::string& path, const std::string& folder) {
  namespace fs = std::filesystem;
  const auto resolved = [](const fs::path& given) {
    std::error_code none;  // a circle of links: writing reports it
    return fs::weakly_canonical((fs::absolute(given) / "").lexically_normal().parent_path(), none);
  };
  if (path.empty()) return;
  const fs::path file = fs::absolute(path).lexically_normal();
  if (!is_of_a_run(file.filename().string()) || resolved(file.parent_path()) != resolved(folder)) return;
  throw UsageError(option + " " + path + ": the run keeps another file of this name there; give another one");
}

void remove_run(const std::string& folder, bool but_checkpoint) {
  std::vector<std::string> names = run_files(folder);
  if (but_checkpoint) names.erase(std::remove(names.begin(), names.end(), "checkpoint.safetensors"), names.end());
  std::stable_partition(names.begin(), names.end(), [](const std::string& name) { return !is_checkpoint(name); });
  for (const std::string& name : names) {
    std::error_code error;
    std::filesystem::remove(std::filesystem::path(folder) / name, error);
    if (error) fail(folder + "/" + name + ": cannot be removed: " + error.message());
  }
}

}  // namespace gradus
