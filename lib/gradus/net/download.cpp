#include "gradus/net/download.hpp"

#include <curl/curl.h>

#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <memory>

#include "gradus/io/own_file.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

using Session = std::unique_ptr<CURL, void (*)(CURL*)>;

int tell(void* progress, curl_off_t all, curl_off_t done, curl_off_t, curl_off_t) {
  const auto& ask = *static_cast<const DownloadProgress*>(progress);
  return ask(static_cast<std::uint64_t>(done), static_cast<std::uint64_t>(all)) ? 0 : 1;
}

/// A file or a text, how many more bytes it may take, and the first error on it.
struct Sink {
  int file = -1;
  std::string* text = nullptr;
  std::uint64_t capacity = 0;
  bool too_long = false;
  int error = 0;
};

/// Writes the bytes that arrived. If it returns another number than `count`, libcurl stops the download.
std::size_t keep(const char* bytes, std::size_t, std::size_t count, void* place) {
  Sink& sink = *static_cast<Sink*>(place);
  sink.too_long = count > sink.capacity;
  if (sink.too_long) return 0;
  sink.capacity -= count;
  if (sink.text != nullptr) {
    sink.text->append(bytes, count);
    return count;
  }
  if (write_all(sink.file, {bytes, count})) return count;
  sink.error = errno;
  return 0;
}

/// The reason that libcurl's error code does not give itself.
std::string reason(CURLcode code, const char* detail, long status) {
  if (code == CURLE_HTTP_RETURNED_ERROR) return "the server answered " + std::to_string(status);
  return *detail != '\0' ? detail : curl_easy_strerror(code);
}

/// One try, from byte `offset` of the file on.
CURLcode fetch(CURL* curl, Sink& sink, std::uint64_t offset, const std::string& url,
               const DownloadProgress& progress, char* detail) {
  curl_easy_reset(curl);
  curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
  // the protocols that a URL may use, and those that a redirect may use; libcurl knows many more
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https,file");
  curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, keep);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &sink);
  // The limit for a size that the server announces: of the rest, or of the whole file if it cannot send a part (the
  // download is then tried again from the start).
  curl_easy_setopt(curl, CURLOPT_MAXFILESIZE_LARGE, static_cast<curl_off_t>(offset + sink.capacity));
  curl_easy_setopt(curl, CURLOPT_RESUME_FROM_LARGE, static_cast<curl_off_t>(offset));
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, detail);
  curl_easy_setopt(curl, CURLOPT_FAILONERROR, 1L);
  curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
  curl_easy_setopt(curl, CURLOPT_MAXREDIRS, 50L);  // as curl itself; older libraries have no limit
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, 20L);
  curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 10L);  // bytes per second,
  curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, 60L);   // for this many seconds
  if (progress) {
    curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, tell);
    curl_easy_setopt(curl, CURLOPT_XFERINFODATA, &progress);
  }
  return curl_easy_perform(curl);
}

/// Status codes that mean: the server cannot continue from there. It has no ranges, or our part is longer than its
/// file.
bool refuses_to_resume(CURLcode code, long status) {
  return code == CURLE_RANGE_ERROR || code == CURLE_BAD_DOWNLOAD_RESUME || status == 416;
}

/// A new session. Throws Error if there is none.
Session session() {
  static const CURLcode ready = curl_global_init(CURL_GLOBAL_DEFAULT);
  Session curl(ready == CURLE_OK ? curl_easy_init() : nullptr, curl_easy_cleanup);
  if (!curl) fail("libcurl cannot be used");
  return curl;
}

std::string longer_than(std::uint64_t most) {
  return ": longer than the " + std::to_string(most) + " bytes that are wanted";
}

}  // namespace

std::string without_user(std::string url) {
  const std::size_t scheme = url.find("://"), first = scheme == url.npos ? 0 : scheme + 3;
  const std::size_t at = url.substr(0, url.find_first_of("/?#", first)).rfind('@');
  return at == url.npos || at < first ? url : url.erase(first, at + 1 - first);
}

DownloadEnd download(const std::string& url, const std::string& path, std::uint64_t most,
                     const DownloadProgress& progress) {
  const Session curl = session();
  std::error_code none;
  std::uint64_t offset = std::filesystem::file_size(path, none);
  if (none || offset > most) offset = 0;
  const DownloadProgress of_the_whole = [&](std::uint64_t done, std::uint64_t all) {
    return progress(offset + done, all == 0 ? 0 : offset + all);
  };

  char detail[CURL_ERROR_SIZE] = "";
  CURLcode code = CURLE_OK;
  long status = 0;
  Sink sink;
  for (bool again = true; again;) {
    const Descriptor file = open_own_file(path, offset != 0);
    sink = {file.get(), nullptr, most - offset};
    code = fetch(curl.get(), sink, offset, url, progress ? of_the_whole : progress, detail);
    curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &status);
    again = offset != 0 && refuses_to_resume(code, status);
    if (again) offset = 0;
  }
  if (code != CURLE_OK && std::filesystem::file_size(path, none) == 0) std::filesystem::remove(path, none);
  if (sink.error != 0) fail_system("write", path, sink.error);
  if (code == CURLE_ABORTED_BY_CALLBACK) return {};
  if (code == CURLE_OK) return {true, ""};
  if (!sink.too_long && code != CURLE_FILESIZE_EXCEEDED)
    return {false, without_user(url) + ": " + reason(code, detail, status)};
  std::filesystem::remove(path, none);
  return {false, without_user(url) + longer_than(most)};
}

DownloadedText download_text(const std::string& url, std::uint64_t most, const DownloadProgress& progress) {
  const Session curl = session();
  char detail[CURL_ERROR_SIZE] = "";
  DownloadedText end;
  Sink sink{-1, &end.text, most};
  const CURLcode code = fetch(curl.get(), sink, 0, url, progress, detail);
  long status = 0;
  curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &status);
  const char* address = nullptr;
  curl_easy_getinfo(curl.get(), CURLINFO_EFFECTIVE_URL, &address);
  end.address = address == nullptr ? url : address;
  const bool is_too_long = sink.too_long || code == CURLE_FILESIZE_EXCEEDED;
  end.whole = code == CURLE_OK;
  if (code != CURLE_OK && code != CURLE_ABORTED_BY_CALLBACK)
    end.failure = without_user(url) + (is_too_long ? longer_than(most) : ": " + reason(code, detail, status));
  return end;
}

}  // namespace gradus
