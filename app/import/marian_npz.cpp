#include "app/import/marian_npz.hpp"

#include <cstdint>
#include <string_view>
#include <utility>

#include "app/import/npy.hpp"
#include "gradus/net/archive.hpp"
#include "gradus/util/ends_with.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/quoted.hpp"

namespace gradus {
namespace {

constexpr std::uint64_t longest_npz = 2'000'000'000;  // unpacked; no such file has more

struct NpyType {
  std::string_view name;
  MarianFile::Type type;
};

MarianFile::Type type_of_npy(const std::string& name, const std::string& where) {
  using Type = MarianFile::Type;
  constexpr NpyType types[] = {{"<f2", Type::half},  {"<f4", Type::real},  {"<f8", Type::wide},
                               {"<i1", Type::bytes}, {"|i1", Type::bytes}, {"<u1", Type::bytes},
                               {"|u1", Type::bytes}, {"|S1", Type::bytes}};
  for (const NpyType& known : types) {
    if (name == known.name) return known.type;
  }
  fail(where + " has values of the type " + quoted(name) +
       "; only floats (<f2, <f4, <f8) and the bytes of a text are read");
}

}  // namespace

void add_npy(MarianFile& file, const std::string& member, std::string bytes) {
  constexpr std::string_view ending = ".npy";
  if (!ends_with(member, ending) || member.size() == ending.size() || member.find('\0') != member.npos)
    fail(file.origin() + " has a file " + quoted(member) + ", which is no array NAME.npy");
  const std::string name = member.substr(0, member.size() - ending.size());
  const std::string where = file.origin() + ": " + printable(name);
  NpyHeader header = parse_npy_header(bytes, where);
  const MarianFile::Type type = type_of_npy(header.type, where);
  if (header.shape.size() == 1 && type != MarianFile::Type::bytes) header.shape.insert(header.shape.begin(), 1);
  file.add(name, type, header.shape, bytes.substr(header.length));
}

MarianFile load_marian_npz(const std::string& path) {
  MarianFile file(path);
  each_file_in_archive(path, longest_npz,
                       [&](const std::string& name, std::string bytes) { add_npy(file, name, std::move(bytes)); });
  return file;
}

}  // namespace gradus
