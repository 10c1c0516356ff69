#include "gradus/net/download.hpp"

#include <curl/curl.h>

#include <cstdio>
#include <filesystem>
#include <memory>

#include "gradus/util/error.hpp"

namespace gradus {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
struct EndCurl {
  void operator()(CURL* curl) const { curl_easy_cleanup(curl); }
};
using Session = std::unique_ptr<CURL, EndCurl>;
using File = std::unique_ptr<std::FILE, CloseFile>;

int tell(void* progress, curl_off_t all, curl_off_t done, curl_off_t, curl_off_t) {
  const auto& ask = *static_cast<const DownloadProgress*>(progress);
  return ask(static_cast<std::uint64_t>(done), static_cast<std::uint64_t>(all)) ? 0 : 1;
}

/// What libcurl's codes do not say by themselves.
std::string reason(CURLcode code, const char* detail, long status) {
  if (code == CURLE_HTTP_RETURNED_ERROR) return "the server answered " + std::to_string(status);
  return *detail != '\0' ? detail : curl_easy_strerror(code);
}

/// One try, from byte `offset` of the file on.
CURLcode fetch(CURL* curl, std::FILE* file, std::uint64_t offset, const std::string& url,
               const DownloadProgress& progress, char* detail) {
  curl_easy_reset(curl);
  curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, file);
  curl_easy_setopt(curl, CURLOPT_RESUME_FROM_LARGE, static_cast<curl_off_t>(offset));
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, detail);
  curl_easy_setopt(curl, CURLOPT_FAILONERROR, 1L);
  curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, 20L);
  curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 10L);  // bytes a second, for
  curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, 60L);   // so many seconds
  if (progress) {
    curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, tell);
    curl_easy_setopt(curl, CURLOPT_XFERINFODATA, &progress);
  }
  return curl_easy_perform(curl);
}

/// Answers that mean: not from there on. A server without ranges, or a beginning that is longer than the file.
bool refuses_to_resume(CURLcode code, long status) {
  return code == CURLE_RANGE_ERROR || code == CURLE_BAD_DOWNLOAD_RESUME || status == 416;
}

}  // namespace

bool download(const std::string& url, const std::string& path, const DownloadProgress& progress) {
  static const CURLcode ready = curl_global_init(CURL_GLOBAL_DEFAULT);
  const Session curl(ready == CURLE_OK ? curl_easy_init() : nullptr);
  if (!curl) fail("libcurl cannot be used");
  std::error_code none;
  std::uint64_t offset = std::filesystem::file_size(path, none);
  if (none) offset = 0;

  char detail[CURL_ERROR_SIZE] = "";
  CURLcode code = CURLE_OK;
  long status = 0;
  for (bool again = true; again;) {
    const File file(std::fopen(path.c_str(), offset == 0 ? "wb" : "ab"));
    if (!file) fail(path + ": cannot be written");
    code = fetch(curl.get(), file.get(), offset, url, progress, detail);
    curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &status);
    again = offset != 0 && refuses_to_resume(code, status);
    if (again) offset = 0;
    if (std::fflush(file.get()) != 0) fail(path + ": cannot be written: the disk may be full");
  }
  if (code == CURLE_ABORTED_BY_CALLBACK) return false;
  if (code != CURLE_OK) fail(url + ": " + reason(code, detail, status));
  return true;
}

}  // namespace gradus
