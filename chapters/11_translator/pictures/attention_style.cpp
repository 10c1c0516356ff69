#include <set>

#include "11_translator/pictures/attention_map.hpp"
#include "11_translator/pictures/attention_page.hpp"

namespace gradus {

const char* const attention_script =
    R"(for (const figure of document.querySelectorAll('.attention .large')) {
  const rows = figure.dataset.rows.split('\n'), columns = figure.dataset.columns.split('\n');
  const tile = figure.querySelector('.table .tile'), says = figure.querySelector('output');
  const place = (at, from, size, count) => Math.min(count - 1, Math.max(0, Math.floor((at - from) / size * count)));
  tile.parentNode.addEventListener('pointermove', (event) => {
    const box = tile.getBoundingClientRect();
    const row = place(event.clientY, box.top, box.height, rows.length);
    const column = place(event.clientX, box.left, box.width, columns.length);
    const chosen = figure.closest('.panel').querySelector('input:checked');
    const weights = document.getElementById(chosen.name + chosen.className).dataset.weights;
    const thousandths = parseInt(weights.substr(2 * (row * columns.length + column), 2), 36);
    says.textContent = rows[row] + ' → ' + columns[column] + ': ' + (thousandths / 10).toFixed(1) + ' %';
  });
  tile.parentNode.addEventListener('pointerleave', () => { says.textContent = ''; });
}
)";

std::string attention_style(const std::vector<AttentionRecord>& records) {
  std::string css =
      ".attention{margin:2.6rem 0 3.4rem}\n"
      ".said{font-size:1.15rem;margin:0;max-width:none}.translation{font-style:italic;color:var(--accent);"
      "margin-bottom:1rem}\n"
      ".kinds{display:flex;flex-wrap:wrap;gap:0 1.6rem;border-bottom:1px solid var(--rule);margin:0 0 .8rem}\n"
      ".kinds label{cursor:pointer;font-size:.85rem}.attention "
      "input{position:absolute;opacity:0;pointer-events:none}\n"
      ".kinds span{display:block;padding:.35rem 0 .45rem;color:var(--soft);border-bottom:2px solid transparent;"
      "margin-bottom:-1px}\n"
      ".kinds input:checked+span{color:var(--ink);border-color:var(--accent)}\n"
      ".kinds input:focus-visible+span,.chooser input:focus-visible+svg{outline:2px solid var(--accent);"
      "outline-offset:3px}\n"
      ".split{display:grid;grid-template-columns:minmax(0,22rem) minmax(0,1fr);gap:2rem;align-items:start}\n"
      ".chooser{display:grid;grid-template-columns:auto repeat(var(--heads),minmax(0,4.6rem));gap:.35rem;"
      "align-items:center;justify-content:start;font:.68rem system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu "
      "Sans',sans-serif;"
      "color:var(--soft)}\n"
      ".chooser span{text-align:center;white-space:nowrap}.chooser .layer{text-align:right;"
      "padding-right:.3rem}\n"
      ".chooser label{cursor:pointer;min-width:0}.chooser svg{width:100%;aspect-ratio:1;border-radius:2px}\n"
      ".chooser input:checked+svg{outline:2px solid var(--accent);outline-offset:2px}\n"
      ".large figcaption{display:flex;flex-wrap:wrap;gap:.2rem .3rem;min-height:1.4em}\n"
      ".large output{margin-left:auto;color:var(--ink);font-variant-numeric:tabular-nums}\n"
      "@media (max-width:52rem){.split{grid-template-columns:minmax(0,1fr)}}\n"
      ".panel,.shown{display:none}\n"
      "@supports not selector(:has(a)){.panel{display:block}.shown.start{display:inline}}\n";
  std::set<std::string> maps;
  for (const AttentionRecord& record : records) {
    for (const AttentionKind kind : attention_kinds) {
      const AttentionMaps& m = maps_of(record, kind);
      for (std::size_t layer = 1; layer <= m.layers; ++layer) {
        for (std::size_t head = 0; head <= m.heads; ++head) {
          maps.insert(".m" + std::to_string(layer) + "-" + std::to_string(head));
        }
      }
    }
  }
  for (const char* k : {".k0", ".k1", ".k2"}) {
    css += ".attention:has(input" + std::string(k) + ":checked) " + k + ".panel{display:block}\n";
  }
  for (const std::string& m : maps) css += ".panel:has(input" + m + ":checked) .shown" + m + "{display:inline}\n";
  return css;
}

}  // namespace gradus
