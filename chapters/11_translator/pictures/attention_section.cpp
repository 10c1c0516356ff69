#include <algorithm>
#include <cmath>

#include "11_translator/pictures/attention_map.hpp"
#include "11_translator/pictures/attention_page.hpp"
#include "gradus/plot/markup.hpp"

namespace gradus {
namespace {

/// The CSS class of a map, shared by its selector and its picture. The mean has number 0.
std::string map_class(const AttentionMaps& maps, std::size_t layer, std::size_t head) {
  return "m" + std::to_string(layer + 1) + "-" + std::to_string(head == maps.heads ? 0 : head + 1);
}

/// Calls f(layer, head) in the order of the selectors: the mean, then the heads in order.
template <class F>
void each_map(const AttentionMaps& maps, F&& f) {
  for (std::size_t layer = 0; layer < maps.layers; ++layer) {
    f(layer, maps.heads);
    for (std::size_t head = 0; head < maps.heads; ++head) f(layer, head);
  }
}

/// Thousandths, two characters each (base 36), for the script.
std::string packed(const std::vector<double>& values) {
  static const char* const digits = "0123456789abcdefghijklmnopqrstuvwxyz";
  std::string text;
  for (const double v : values) {
    const long n = std::lround(1000 * std::clamp(v, 0.0, 1.0));
    text += digits[n / 36], text += digits[n % 36];
  }
  return text;
}

std::string lines(const std::vector<std::string>& labels) {
  std::string text;
  for (const std::string& label : labels) text += (text.empty() ? "" : "&#10;") + escaped(label);
  return text;
}

bool starts(const AttentionMaps& maps, std::size_t layer, std::size_t head) {
  return layer + 1 == maps.layers && head == maps.heads;
}

/// A table of small maps, one row for each layer; each map is a button that shows it large.
std::string chooser(const AttentionRecord& record, AttentionKind kind, const std::string& id) {
  const AttentionMaps& maps = maps_of(record, kind);
  const std::string box =
      "viewBox=\"0 0 " + std::to_string(maps.columns.size()) + " " + std::to_string(maps.rows.size()) + "\"";
  std::string html = "<div class=\"chooser\" style=\"--heads:" + std::to_string(maps.heads + 1) +
                     "\">\n<span class=\"layer\">" + (maps.heads > 5 ? "head" : "") + "</span><span>mean</span>";
  for (std::size_t h = 1; h <= maps.heads; ++h) {  // with many heads the columns are narrow
    html += (maps.heads > 5 ? "<span>" : "<span>head ") + std::to_string(h) + "</span>";
  }
  each_map(maps, [&](std::size_t layer, std::size_t head) {
    if (head == maps.heads) html += "\n<span class=\"layer\">layer " + std::to_string(layer + 1) + "</span>";
    const std::string name = map_class(maps, layer, head);
    const HeatMap map = attention_map(record, kind, layer, head);
    html += "<label title=\"" + map_name(maps, layer, head) + "\"><input type=\"radio\" name=\"" + id +
            "\" class=\"" + name + "\"" + (starts(maps, layer, head) ? " checked=\"checked\"" : "") +
            " aria-label=\"" + map_name(maps, layer, head) + "\"/><svg class=\"plot\" " + box +
            " preserveAspectRatio=\"none\" aria-hidden=\"true\"><rect class=\"tile\" width=\"100%\" "
            "height=\"100%\"/><g id=\"" +
            id + name + "\" data-weights=\"" + packed(map.values) + "\">" +
            heat_cells(map.values, map.columns.size()) + "</g></svg></label>\n";
  });
  return html + "</div>\n";
}

/// The axes once, and inside them all maps; the style shows the chosen one.
std::string large(const AttentionRecord& record, AttentionKind kind, const std::string& id) {
  const AttentionMaps& maps = maps_of(record, kind);
  std::string cells, names;
  each_map(maps, [&](std::size_t layer, std::size_t head) {
    const std::string name = map_class(maps, layer, head);
    const std::string shown = "class=\"shown " + name + (starts(maps, layer, head) ? " start" : "") + "\"";
    cells += "<use " + shown + " href=\"#" + id + name + "\"/>";
    names += "<span " + shown + ">" + map_name(maps, layer, head) + "</span>";
  });
  HeatMap axes = attention_map(record, kind, maps.layers - 1, maps.heads);
  axes.description = names_of(kind).title;
  return "<figure class=\"large\" data-rows=\"" + lines(maps.rows) + "\" data-columns=\"" + lines(maps.columns) +
         "\">\n" + inline_svg(heat_map_svg(axes, cells)) + "\n<figcaption>" + names_of(kind).title + ", " + names +
         "<output></output></figcaption></figure>\n";
}

}  // namespace

std::string attention_section(const AttentionRecord& record, std::size_t number) {
  const std::string id = "a" + std::to_string(number);
  std::string html = "<section class=\"attention\" id=\"" + id + "\">\n<p class=\"said\"><bdi>" +
                     escaped(record.source_text) + "</bdi></p>\n";
  if (record.cross.layers == 0)
    return html + "<p class=\"note\">An empty sentence: nothing was looked at.</p>\n</section>\n";
  html += "<p class=\"said translation\"><bdi>" + escaped(record.translation) +
          "</bdi></p>\n<div class=\"kinds\" role=\"radiogroup\" aria-label=\"which attention\">";
  std::string panels;
  for (const AttentionKind kind : attention_kinds) {
    if (maps_of(record, kind).layers == 0) continue;  // a decoder without self-attention
    const std::string k = "k" + std::to_string(static_cast<int>(kind));
    const bool first = kind == attention_kinds[0];
    html += "<label><input type=\"radio\" name=\"" + id + "\" class=\"" + k + "\"" +
            (first ? " checked=\"checked\"" : "") + "/><span>" + names_of(kind).title + "</span></label>\n";
    panels += "<div class=\"panel " + k + (first ? " start" : "") + "\">\n<p class=\"note\">" +
              names_of(kind).explanation + "</p>\n<div class=\"split\">\n" + chooser(record, kind, id + k) +
              large(record, kind, id + k) + "</div>\n</div>\n";
  }
  return html + "</div>\n" + panels + "</section>\n";
}

}  // namespace gradus
