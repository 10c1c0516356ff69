#pragma once
/// \file
/// A self-contained HTML page: one file, no network, readable in light and in dark and on paper.

#include <string>

namespace gradus {

struct Page {
  std::string title;   ///< plain text
  std::string body;    ///< HTML, well-formed as XML too: whatever is text in it went through escaped()
  std::string style;   ///< CSS beside that of the house
  std::string script;  ///< JavaScript that the page can do without; no < and no & in it
};

/// The page. A policy in its head forbids the browser to fetch anything, whatever the body says.
std::string html_page(const Page& page);

}  // namespace gradus
