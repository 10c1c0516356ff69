#include "gradus/plot/svg.hpp"

#include <cmath>

#include "gradus/plot/markup.hpp"

namespace gradus {
namespace {

/// The attributes of the element, with `margin` pixels of paper around the picture.
std::string attributes(const Svg& svg, double margin) {
  return "xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" viewBox=\"" + number(-margin) + " " +
         number(-margin) + " " + number(svg.width + 2 * margin) + " " + number(svg.height + 2 * margin) +
         "\" role=\"img\" aria-label=\"" + escaped(svg.description) + "\"";
}

}  // namespace

const char* const palette_style =
    ":root{color-scheme:light dark;--paper:#fcfbf8;--ink:#1c1e22;--soft:#62666e;--rule:#dcd8cf;--tile:#f1eee7;"
    "--accent:#27489b}\n"
    "@media (prefers-color-scheme:dark){:root{--paper:#15171a;--ink:#e8e5de;--soft:#a0a5ad;--rule:#363a41;"
    "--tile:#1f2227;--accent:#8fb4ff}}\n";

const char* const plot_style =
    ".plot text{font:12px system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue','Noto Sans','DejaVu Sans',"
    "sans-serif;fill:var(--ink)}\n"
    ".plot .soft{fill:var(--soft)}.plot .heading{font-weight:600}\n"
    ".plot .end{text-anchor:end}.plot .middle{text-anchor:middle}\n"
    ".plot .rule{stroke:var(--rule);fill:none}.plot .tile{fill:var(--tile)}\n"
    ".cells{stroke:var(--accent);fill:none;shape-rendering:crispEdges}\n"  // also for pages that use only the cells
    ".plot .cell{fill:var(--accent);shape-rendering:crispEdges}\n"
    ".plot .grid{stroke:var(--paper);fill:none}\n"
    ".plot .line{fill:none;stroke-width:1.6;stroke-linejoin:round;stroke-linecap:round}\n"
    ".plot .s0{stroke:var(--accent)}.plot .s1{stroke:var(--soft)}.plot .s2{stroke:var(--ink);stroke-dasharray:6 "
    "3}\n"
    ".plot .s3{stroke:var(--soft);stroke-dasharray:2 3}.plot .line.s1,.plot .line.s3{stroke-width:1.2}\n"
    ".plot .ring{fill:none;stroke-width:1.4}.plot circle{stroke:none}.plot .dot0{fill:var(--accent)}.plot "
    ".dot1,.plot .dot3{fill:var(--soft)}"
    ".plot .dot2{fill:var(--ink)}\n";

std::string inline_svg(const Svg& svg) {
  const std::string least = number(std::ceil(svg.width * 0.6)) + "px";
  // A padding in per cent is relative to the width: so the hint has a height only if the picture is wider than its
  // place.
  return "<div class=\"picture\"><div class=\"hint\" aria-hidden=\"true\" style=\"padding-top:clamp(0px,calc((" +
         least +
         " - 100%)*999),1.6em)\"><span>wider than this screen: move it sideways →</span></div>\n"
         "<div class=\"scroller\"><svg " +
         attributes(svg, 0) + " style=\"width:100%;max-width:" + number(svg.width) + "px;min-width:" + least +
         "\">" + svg.content + "</svg></div></div>";
}

std::string svg_file(const Svg& svg) {
  constexpr double margin = 16;
  const std::string width = number(svg.width + 2 * margin), height = number(svg.height + 2 * margin);
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg " + attributes(svg, margin) + " width=\"" + width +
         "\" height=\"" + height + "\">\n<style>" + palette_style + plot_style + "</style>\n<rect x=\"" +
         number(-margin) + "\" y=\"" + number(-margin) + "\" width=\"" + width + "\" height=\"" + height +
         "\" style=\"fill:var(--paper)\"/>" + svg.content + "\n</svg>\n";
}

}  // namespace gradus
