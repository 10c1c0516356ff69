#include "app/answers/attention_file.hpp"

#include <algorithm>
#include <cstdio>

#include "11_translator/pictures/attention_page.hpp"
#include "app/terminal/console.hpp"
#include "gradus/io/own_file.hpp"
#include "gradus/util/ends_with.hpp"
#include "gradus/util/error.hpp"

namespace gradus {

void check_attention_name(const std::string& name) {
  if (name == "-" || ends_with(name, ".svg") || is_attention_page(name)) return;
  throw UsageError("--attention needs a name that ends in .html or .svg, or - for the terminal");
}

bool is_attention_page(const std::string& name) { return ends_with(name, ".html"); }

void draw_attention(const Translator& translator, std::vector<std::string> lines, const TranslateRequest& request) {
  const std::string& name = request.attention;
  constexpr std::size_t most_pictures = 50;  // of a page: each takes about ten kilobytes
  lines.erase(std::remove(lines.begin(), lines.end(), ""), lines.end());
  const bool page = is_attention_page(name), svg = !page && name != "-";
  const std::size_t most = svg ? 1 : page ? most_pictures : lines.size();
  if (lines.empty() && name != "-") console().warn("no sentence, so no picture in " + name);
  if (lines.size() > most) {
    console().warn(name + " shows the first " + (svg ? "sentence" : std::to_string(most) + " sentences"));
    lines.resize(most);
  }
  std::vector<AttentionRecord> records;
  for (const std::string& line : lines) records.push_back(translator.attention(line, request.options));
  const auto is_empty = [](const AttentionRecord& record) { return record.cross.layers == 0; };  // of a copied line
  records.erase(std::remove_if(records.begin(), records.end(), is_empty), records.end());
  if (name == "-") {
    for (const AttentionRecord& record : records) std::printf("\n%s", attention_text(record).c_str());
  } else if (!records.empty()) {
    const std::string text = svg ? attention_svg(records.front()) : attention_page(records);
    write_parts_atomically(name, {text}, links_at(name, {request.model}));
  }
}

}  // namespace gradus
