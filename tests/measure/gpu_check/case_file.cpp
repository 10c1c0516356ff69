#include "measure/gpu_check/case_file.hpp"

#include <cstdint>
#include <filesystem>
#include <fstream>

#include "gradus/util/error.hpp"

namespace gradus::test {
namespace {

const std::string head = "gradus cases 1\n";

void put(std::ofstream& file, std::uint64_t n) { file.write(reinterpret_cast<const char*>(&n), sizeof n); }

struct Reader {
  std::ifstream file;
  std::string path;
  std::uint64_t left;

  void take(void* to, std::uint64_t bytes) {
    if (bytes > left || !file.read(static_cast<char*>(to), static_cast<std::streamsize>(bytes)))
      fail(path + " is cut");
    left -= bytes;
  }
  std::uint64_t number() {
    std::uint64_t n = 0;
    take(&n, sizeof n);
    return n;
  }
  /// A count of things of `size` bytes, checked to fit into the rest of the file.
  std::uint64_t count(std::uint64_t size) {
    const std::uint64_t n = number();
    if (n > left / size) fail(path + " is cut");
    return n;
  }
};

}  // namespace

void write_cases(const std::string& path, const CaseFile& lists) {
  std::ofstream file(path, std::ios::binary);
  file << head;
  for (const auto& [name, values] : lists) {
    put(file, name.size());
    file << name;
    put(file, values.size());
    file.write(reinterpret_cast<const char*>(values.data()),
               static_cast<std::streamsize>(values.size() * sizeof(double)));
  }
  file.close();
  if (!file) fail("cannot write " + path);
}

CaseFile read_cases(const std::string& path) {
  std::error_code error;
  const std::uint64_t size = std::filesystem::file_size(path, error);
  if (error) fail(path + " cannot be read");
  Reader in{std::ifstream(path, std::ios::binary), path, size};
  std::string begin(head.size(), ' ');
  if (size < head.size()) fail(path + " holds no cases");
  in.take(begin.data(), begin.size());
  if (begin != head) fail(path + " holds no cases");
  CaseFile lists;
  while (in.left > 0) {
    std::string name(in.count(1), ' ');
    in.take(name.data(), name.size());
    std::vector<double> values(in.count(sizeof(double)));
    in.take(values.data(), values.size() * sizeof(double));
    lists[name] = std::move(values);
  }
  return lists;
}

}  // namespace gradus::test
