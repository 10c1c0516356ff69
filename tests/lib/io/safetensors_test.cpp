#include "gradus/io/safetensors.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "lib/io/files.hpp"
#include "support/names.hpp"

using namespace gradus;
using gradus::test::contains;
using gradus::test::content;
using gradus::test::error_of;
using gradus::test::TemporaryFolder;
using TensorNames = std::vector<std::string>;
using Shape = std::vector<std::size_t>;

namespace {

const std::string odd_name = "Größe \"\n";
const std::string reader_path = GRADUS_IO_FIXTURES "reader.safetensors";

template <class Real>
void check_values(const std::vector<Real>& values, const std::vector<double>& expected) {
  REQUIRE(values.size() == expected.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    INFO("value " << i);
    if (std::isnan(expected[i])) {
      CHECK(std::isnan(values[i]));
    } else {
      CHECK(static_cast<double>(values[i]) == expected[i]);
      CHECK(std::signbit(values[i]) == std::signbit(expected[i]));
    }
  }
}

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("safetensors: the names of types are those of the format") {
  gradus::test::check_names<StoredType>({"U8", "I32", "I64", "F16", "F32", "F64"});
}

TEST_CASE("a file that Python wrote is read with its names, shapes, types and metadata") {
  const auto file = SafetensorsFile::load(reader_path);
  CHECK(file.origin() == reader_path);
  CHECK(file.names() ==
        TensorNames{odd_name, "bytes", "doubles", "floats", "halves", "ints", "longs", "nothing", "one"});
  CHECK(file.metadata() == std::map<std::string, std::string>{{"format", "pt"}, {"Sprache", "Grüße, \"Welt\"\n"}});
  CHECK(file.shape("floats") == Shape{2, 3});
  CHECK(file.shape("nothing") == Shape{0, 4});
  CHECK(file.shape("one").empty());
  CHECK(file.count("one") == 1);
  CHECK(file.type("halves") == StoredType::F16);
  CHECK(std::string(name_of(file.type("longs"))) == "I64");
  CHECK(file.has("one"));
  CHECK_FALSE(file.has("two"));
}

TEST_CASE("numbers that Python wrote are read exactly, into floats and doubles") {
  const auto file = SafetensorsFile::load(reader_path);
  const std::vector<double> halves = {1, -2.5, 65504, 0x1p-24, -0x1p-14, -infinity, not_a_number};
  const std::vector<double> floats = {1.5, -0.0, 0x1p-149, 0x1.fffffep127, infinity, not_a_number};
  check_values(file.values<double>("halves"), halves);
  check_values(file.values<float>("halves"), halves);
  check_values(file.values<double>("floats"), floats);
  check_values(file.values<float>("floats"), floats);
  check_values(file.values<double>("doubles"), {0.1, -1e300, 5e-324, -0.0});
  check_values(file.values<float>("one"), {2.5});
  check_values(file.values<float>(odd_name), {7});
  CHECK(file.values<double>("nothing").empty());
}

TEST_CASE("integers that Python wrote are read exactly") {
  using Integers = std::vector<std::int64_t>;
  using Limits = std::numeric_limits<std::int64_t>;
  const auto file = SafetensorsFile::load(reader_path);
  CHECK(file.integers("bytes") == Integers{0, 127, 255});
  CHECK(file.integers("ints") == Integers{-2147483648LL, 2147483647});
  CHECK(file.integers("longs") == Integers{Limits::min(), Limits::max()});
}

TEST_CASE("a request for a missing tensor, another type or another size is an error that names file and tensor") {
  const auto file = SafetensorsFile::load(reader_path);
  const auto about = [](const std::string& name) { return reader_path + ": tensor \"" + name + "\" "; };
  CHECK(error_of([&] { file.shape("two"); }) == reader_path + ": has no tensor \"two\"");
  CHECK_THAT(error_of([&] { file.values<float>("a\nb"); }), contains("has no tensor \"a\\nb\""));
  CHECK(error_of([&] { file.values<float>("ints"); }) == about("ints") + "holds integers (I32)");
  CHECK(error_of([&] { file.integers("halves"); }) == about("halves") + "holds no integers (F16)");
  CHECK(error_of([&] { file.values<float>("doubles"); }) ==
        about("doubles") + "has a value that is too large for a float");
  std::vector<double> values(5);
  CHECK(error_of([&] { file.read("doubles", values.data(), 5); }) == about("doubles") + "has 4 values, expected 5");
  CHECK(error_of([&] { file.read("doubles", values.data(), 3); }) == about("doubles") + "has 4 values, expected 3");
  CHECK(values == std::vector<double>(5));
}

TEST_CASE("the writer gives the bytes that Python gives") {
  const std::vector<std::int64_t> longs = {1, -2, std::numeric_limits<std::int64_t>::max()};
  const std::vector<double> doubles = {0.1, -2.0}, halves = {0.1, 65504.0, -0x1p-24};
  const std::vector<float> floats = {1.5f, -0.0f, 0.1f, static_cast<float>(infinity)};
  const std::string bytes = safetensors_bytes({{"a.halves", {3}, StoredType::F16, halves.data()},
                                               {"z.longs", {3}, StoredType::I64, longs.data()},
                                               {"b.floats", {2, 2}, StoredType::F32, floats.data()},
                                               {"doubles", {1, 2}, StoredType::F64, doubles.data()},
                                               {"from_double", {1}, StoredType::F32, doubles.data()}},
                                              {{"made", "für Prüfungen"}});
  CHECK(bytes == content(GRADUS_IO_FIXTURES "writer.safetensors"));
}

TEST_CASE("weights survive writing and reading, in half precision to within half of the last place") {
  std::vector<float> weights;
  for (int i = -500; i < 500; ++i) weights.push_back(static_cast<float>(std::sin(i) * std::exp(i / 60.0)));
  const TemporaryFolder folder;
  const std::string path = folder.path("model.safetensors");
  write_safetensors(path, {{"w", {10, 100}, StoredType::F32, weights.data()},
                           {"h", {1000}, StoredType::F16, weights.data()},
                           {"none", {0}, StoredType::F64, weights.data()}});
  const auto file = SafetensorsFile::load(path);
  CHECK(file.names() == TensorNames{"h", "none", "w"});
  CHECK(file.metadata().empty());
  CHECK(file.values<float>("w") == weights);
  const auto halves = file.values<double>("h");
  for (std::size_t i = 0; i < weights.size(); ++i) {
    CHECK(std::abs(halves[i] - weights[i]) <= std::max(0x1p-11 * std::abs(weights[i]), 0x1p-25));
  }
}

TEST_CASE("a file without tensors is valid") {
  const auto file = SafetensorsFile::parse(safetensors_bytes({}, {{"a", ""}}), "t");
  CHECK(file.names().empty());
  CHECK(file.metadata().at("a").empty());
  CHECK(SafetensorsFile::parse(safetensors_bytes({}), "t").metadata().empty());
  CHECK(safetensors_bytes({}).substr(8) == "{}      ");  // there is no entry for empty metadata
}

TEST_CASE("the writer rejects values that would be lost, and files that could not be read") {
  const double large = 70000, larger = 1e39;
  const float one = 1;
  const std::int64_t id = 7;
  const auto message = [](const std::vector<TensorToStore>& tensors) {
    return error_of([&] { safetensors_bytes(tensors); });
  };
  CHECK(message({{"w", {1}, StoredType::F16, &large}}) ==
        "cannot store tensor \"w\": a value is too large for F16");
  CHECK(message({{"w", {1}, StoredType::F32, &larger}}) ==
        "cannot store tensor \"w\": a value is too large for F32");
  CHECK_THAT(message({{"w", {1}, StoredType::F32, &one}, {"w", {1}, StoredType::F64, &one}}), contains("is taken"));
  CHECK_THAT(message({{"__metadata__", {1}, StoredType::F32, &one}}), contains("is taken"));
  CHECK_THAT(message({{"w", {1}, StoredType::F32, &id}}), contains("integers are stored as I64"));
  CHECK_THAT(message({{"w", {1}, StoredType::I32, &id}}), contains("integers are stored as I64"));
  CHECK_THAT(message({{"w", {1}, StoredType::I64, &one}}), contains("numbers are stored as F16, F32 or F64"));
  CHECK_THAT(message({{"\xff", {1}, StoredType::F32, &one}}), contains("not UTF-8"));
  CHECK_THAT(error_of([] { safetensors_bytes({}, {{"k", "\xff"}}); }), contains("not UTF-8"));
  CHECK_THAT(error_of([&] { write_safetensors(reader_path + "/x", {}); }), contains("Not a directory"));
}

TEST_CASE("safetensors: a header is read without the rest of the file, but the size of the rest must fit") {
  const TemporaryFolder folder;
  const std::vector<float> values(6, 0.5F);
  const std::string path = folder.path("file");
  write_safetensors(path, {{"w", {2, 3}, StoredType::F32, values.data()}}, {{"key", "value"}});
  const SafetensorsHeader header = read_safetensors_header(path);
  CHECK(header.metadata.at("key") == "value");
  CHECK(header.tensors.at("w").shape == std::vector<std::size_t>{2, 3});
  const auto size = std::filesystem::file_size(path);
  CHECK(header.data + 24 == size);

  const auto message = [&](std::uintmax_t bytes) {
    std::filesystem::resize_file(path, bytes);
    return error_of([&] { SafetensorsFile::load(path); });
  };
  const std::string begin = path + ": not a whole safetensors file: ";
  CHECK(message(7) == begin + "too short to be one");
  write_safetensors(path, {{"w", {2, 3}, StoredType::F32, values.data()}});
  CHECK(message(20) == begin + "cut short within its header");
  write_safetensors(path, {{"w", {2, 3}, StoredType::F32, values.data()}});
  CHECK(message(std::uintmax_t{1} << 40U).find(" bytes follow its last tensor") !=
        std::string::npos);  // a terabyte
}

TEST_CASE("a header longer than the format allows is an error before anything is written") {
  const auto size = [](std::size_t note) {
    return safetensors_bytes({}, {{"note", std::string(note, 'x')}}).size();
  };
  const std::size_t around = size(0) - 8;  // the header without the note; the first 8 bytes are its length
  CHECK(size(100'000'000 - around) == 8 + 100'000'000);
  CHECK(error_of([&] { size(100'000'008 - around); }).find("longer than 100 MB") != std::string::npos);
}
