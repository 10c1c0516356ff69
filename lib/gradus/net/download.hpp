#pragma once
/// \file
/// Files from the network. Apart from gradus/io because it needs libcurl.

#include <cstdint>
#include <functional>
#include <string>

namespace gradus {

/// How far a download is, in bytes; `all` is 0 while nobody knows. An answer of false stops it.
using DownloadProgress = std::function<bool(std::uint64_t done, std::uint64_t all)>;

/// Fetches `url` into `path`, a file of the caller's that nobody reads yet.
///
/// ensures:  a `path` that is there is the beginning of the file from an earlier try, and only the rest is fetched; a
///           server that cannot do that sends all of it. Throws Error, one line with the URL and the reason, where the
///           file cannot be had; what came until then stays, for the next try. Returns false if `progress` stopped it. Follows redirects, honours the proxy
///           variables of the environment, and gives up after a minute in which next to nothing came.
bool download(const std::string& url, const std::string& path, const DownloadProgress& progress = {});

}  // namespace gradus
