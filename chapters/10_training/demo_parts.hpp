#pragma once
/// \file
/// The second file of the demo: ranks, which need no model.

namespace gradus::demo {

void three_ranks();
void what_travels();
void when_ranks_pay();

}  // namespace gradus::demo
