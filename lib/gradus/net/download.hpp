#pragma once
/// \file
/// Downloads files. It is separate from gradus/io because it needs libcurl.

#include <cstdint>
#include <functional>
#include <string>

namespace gradus {

/// The URL without the name and the password of a user: for messages.
std::string without_user(std::string url);

/// Reports the progress of a download, in bytes of the whole file, also if a part was there; `all` is 0 if the size is unknown. Returning false stops the
/// download.
using DownloadProgress = std::function<bool(std::uint64_t done, std::uint64_t all)>;

/// How a download ended. If it is neither whole nor failed, `progress` stopped it.
struct DownloadEnd {
  bool whole = false;
  std::string failure;  ///< one line with the URL and the reason of the failure, or empty
};

/// Downloads `url`, of at most `most` bytes, to `path`, a file of the program (gradus/io/own_file.hpp) that no other code reads yet. The URL begins with
/// http, https or file; redirects may use http and https only. A message shows it without a user's name and password.
///
/// ensures   If `path` exists, it holds the start of the file from an earlier try, and only the rest is downloaded;
///           a server that cannot send the rest sends the whole file. After a failure the bytes that arrived stay
///           for the next try; if none arrived there is no file, and a file longer than `most` is removed. Follows
///           50 redirects, uses the proxy variables of the environment, and gives up after a minute with almost no
///           data. Throws Error, with the path and the system's reason, if `path` cannot be written.
DownloadEnd download(const std::string& url, const std::string& path, std::uint64_t most,
                     const DownloadProgress& progress = {});

/// A short text from the network.
struct DownloadedText {
  std::string text;
  std::string address;  ///< where it was found, behind all redirects
  bool whole = false;   ///< whole, failure: as DownloadEnd's
  std::string failure;
};

/// Downloads `url`, of at most `most` bytes, by the rules above.
DownloadedText download_text(const std::string& url, std::uint64_t most, const DownloadProgress& progress);

}  // namespace gradus
