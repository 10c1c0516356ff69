#include "gradus/net/package_index.hpp"

#include <curl/curl.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "gradus/net/download.hpp"
#include "gradus/util/ends_with.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

constexpr std::uint64_t longest_page = 10'000'000;

/// `link`, which may be relative, on the page at `base`; without what follows its path. Empty if it is no address.
std::string resolved(const std::string& base, const std::string& link) {
  const std::unique_ptr<CURLU, void (*)(CURLU*)> url(curl_url(), curl_url_cleanup);
  char* text = nullptr;
  if (curl_url_set(url.get(), CURLUPART_URL, base.c_str(), 0) != CURLUE_OK ||
      curl_url_set(url.get(), CURLUPART_URL, link.c_str(), 0) != CURLUE_OK ||
      curl_url_set(url.get(), CURLUPART_FRAGMENT, nullptr, 0) != CURLUE_OK ||
      curl_url_get(url.get(), CURLUPART_URL, &text, 0) != CURLUE_OK)
    return "";
  const std::unique_ptr<char, void (*)(void*)> owner(text, curl_free);
  return text;
}

}  // namespace

std::string package_address(const std::string& index, const std::string& package, const std::string& file,
                            const std::string& advice) {
  const std::string page = index + (ends_with(index, "/") ? "" : "/") + package + "/";
  const DownloadedText found = download_text(page, longest_page);
  if (!found.failure.empty()) fail(found.failure + advice);
  const std::string attribute = "href=";
  for (std::size_t at = found.text.find(attribute); at != std::string::npos; at = found.text.find(attribute, at)) {
    at += attribute.size();
    if (at >= found.text.size()) break;
    const std::size_t end = found.text.find(found.text[at], at + 1);  // the same quotation mark
    if (end == std::string::npos) break;
    std::string address = resolved(found.address, found.text.substr(at + 1, end - at - 1));
    if (ends_with(address, "/" + file)) return address;
  }
  fail(without_user(page) + " has no " + file + advice);
}

}  // namespace gradus
