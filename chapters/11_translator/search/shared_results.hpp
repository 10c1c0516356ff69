#pragma once
/// \file
/// Translations that travel between ranks.

#include <vector>

#include "11_translator/search/search_host.hpp"
#include "gradus/ranks/ranks.hpp"

namespace gradus {

/// One result for each batch. Rank r has computed batches r, r + R, r + 2 R, ...; afterwards every rank has all.
void exchange_results(Ranks& ranks, std::vector<std::vector<NBest>>& results);

}  // namespace gradus
