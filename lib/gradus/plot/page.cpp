#include "gradus/plot/page.hpp"

#include "gradus/plot/markup.hpp"
#include "gradus/plot/svg.hpp"

namespace gradus {
namespace {

const char* const house_style =
    "*{box-sizing:border-box}\n"
    "body{margin:0 auto;max-width:68rem;padding:3.5rem 1.5rem 5rem;background:var(--paper);color:var(--ink);"
    "font:16px/1.55 Charter,'Bitstream Charter','Iowan Old Style',Palatino,Georgia,'DejaVu Serif',serif;"
    "-webkit-text-size-adjust:100%}\n"
    "h1{font-size:2.1rem;line-height:1.15;font-weight:600;letter-spacing:-.01em;margin:.2rem 0 .6rem;"
    "overflow-wrap:anywhere}\n"
    "h2{font-size:1.25rem;font-weight:600;margin:3.6rem 0 .4rem;padding-top:1rem;border-top:1px solid "
    "var(--rule)}\n"
    "h3{font-size:1rem;font-weight:600;margin:1.8rem 0 .3rem}\n"
    "p{max-width:44rem;margin:.4rem 0 1rem}\n"
    ".eyebrow,.note,figcaption,th,legend,label,dt,output,summary{font-family:system-ui,-apple-system,'Segoe UI',"
    "Roboto,'Helvetica Neue','Noto Sans','DejaVu Sans',sans-serif}\n"
    ".eyebrow{color:var(--accent);font-size:.78rem;font-weight:600;letter-spacing:.08em;text-transform:uppercase;"
    "margin:0}\n"
    ".lede{font-size:1.1rem;color:var(--soft)}.note,figcaption{font-size:.82rem;color:var(--soft)}\n"
    "figure{margin:0;min-width:0}.scroller{overflow-x:auto;scrollbar-width:thin}figcaption{margin:.3rem 0 "
    "0;max-width:40rem}svg{display:block}\n"
    ".hint{position:relative;overflow:hidden;height:0;box-sizing:content-box;font:.75rem system-ui,-apple-system,"
    "'Segoe UI',Roboto,'DejaVu Sans',sans-serif;color:var(--accent)}.hint span{position:absolute;top:0;left:0}\n"
    ".pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,25rem),1fr));gap:2rem 2.5rem;"
    "margin:1.2rem 0}\n"
    "table{border-collapse:collapse;width:100%;font-size:.94rem}\n"
    "th{font-size:.75rem;font-weight:600;color:var(--soft);text-align:left}\n"
    "th,td{padding:.45rem 1rem .45rem 0;border-bottom:1px solid var(--rule);vertical-align:top;"
    "overflow-wrap:anywhere}\n"
    "td.number,th.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}\n"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1.5rem;margin:1rem 0}dt{font-size:.82rem;"
    "line-height:1.9;color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}\n"
    "pre{background:var(--tile);padding:1rem 1.2rem;border-radius:4px;overflow-x:auto;"
    "font:.82rem/1.6 ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace}\n"
    "@media (max-width:40rem){pre{white-space:pre-wrap;overflow-wrap:anywhere}}\n"
    "@media "
    "print{.hint{display:none}body{padding:0;max-width:none}h2{break-after:avoid}figure,tr{break-inside:avoid}}\n";

}  // namespace

std::string html_page(const Page& page) {
  std::string html = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n";
  html +=
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src 'unsafe-inline'\"/>\n";
  html += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n";
  html += "<title>" + escaped(page.title) + "</title>\n<style>\n";
  html += std::string(palette_style) + house_style + plot_style + page.style + "</style>\n</head>\n<body>\n";
  html += page.body;
  if (!page.script.empty()) html += "\n<script>\n" + page.script + "</script>";
  return html + "\n</body>\n</html>\n";
}

}  // namespace gradus
