#pragma once
/// \file
/// Files from the network. Apart from gradus/io because it needs libcurl.

#include <cstdint>
#include <functional>
#include <string>

namespace gradus {

/// How far a download is, in bytes; `all` is 0 while nobody knows. An answer of false stops it.
using DownloadProgress = std::function<bool(std::uint64_t done, std::uint64_t all)>;

/// How a download ended. Neither whole nor failed: `progress` stopped it.
struct DownloadEnd {
  bool whole = false;
  std::string failure;  ///< one line with the URL and the reason why the file cannot be had from there, or empty
};

/// Fetches `url`, of at most `most` bytes, into `path`, a file of the caller's that nobody reads yet. The URL begins with
/// http, https or file; whoever is redirected stays with the first two.
///
/// ensures:  a `path` that is there is the beginning of the file from an earlier try, and only the rest is fetched; a
///           server that cannot do that sends all of it. What came before a failure stays, for the next try; where
///           nothing came there is no file, and of one that is longer than `most` nothing stays. Follows redirects,
///           honours the proxy variables of the environment, and gives up after a minute in which next to nothing came.
///           Throws Error, with the path and the system's reason, where `path` cannot be written.
DownloadEnd download(const std::string& url, const std::string& path, std::uint64_t most,
                     const DownloadProgress& progress = {});

}  // namespace gradus
