#include "11_translator/pictures/attention_page.hpp"

#include "11_translator/pictures/attention_map.hpp"
#include "gradus/plot/markup.hpp"
#include "gradus/plot/page.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/plural.hpp"

namespace gradus {
std::string attention_page(const std::vector<AttentionRecord>& records) {
  Page page;
  page.title = records.size() == 1 ? "Attention: " + records[0].source_text : "Attention";
  page.style = attention_style(records);
  page.script = attention_script;
  page.body =
      "<p class=\"eyebrow\">gradus · attention</p>\n<h1>What a translation looked at</h1>\n"
      "<p class=\"lede\">" +
      plural(records.size(), "sentence") +
      ", every layer and every head. The fuller a square's colour, the more of its row's attention it got.</p>\n";
  for (std::size_t i = 0; i < records.size(); ++i) page.body += attention_section(records[i], i + 1);
  return html_page(page);
}

std::string attention_svg(const AttentionRecord& record) {
  if (record.cross.layers == 0) fail("there is nothing to draw: the sentence is empty");
  HeatMap map = attention_map(record, AttentionKind::cross, record.cross.layers - 1, record.cross.heads);
  map.description += ". " + visible(record.source_text) + " → " + visible(record.translation);
  return svg_file(heat_map_svg(map));
}

std::string attention_text(const AttentionRecord& record) {
  const AttentionMaps& cross = record.cross;
  if (cross.layers == 0) return "nothing was looked at: the sentence is empty\n";
  return visible(record.source_text) + "\n" + visible(record.translation) + "\n" + "cross-attention, layer " +
         std::to_string(cross.layers) + ", mean of " + plural(cross.heads, "head") +
         ": which pieces above each piece on the left looked at\n" +
         heat_map_text(attention_map(record, AttentionKind::cross, cross.layers - 1, cross.heads));
}

}  // namespace gradus
