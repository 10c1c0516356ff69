#pragma once
/// \file
/// A self-contained HTML page: one file, no network, readable in light and dark mode and on paper.

#include <string>

namespace gradus {

struct Page {
  std::string title;   ///< plain text
  std::string body;    ///< HTML that is well-formed XML too; text in it must have passed through escaped()
  std::string style;   ///< CSS, added to the project's own
  std::string script;  ///< JavaScript; the page must work without it; no < and no & in it
};

/// The page. A policy in its head forbids the browser to load anything, whatever the body contains.
std::string html_page(const Page& page);

}  // namespace gradus
