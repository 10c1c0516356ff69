#include "app/report/training_report.hpp"

#include <algorithm>
#include <sstream>

#include "11_translator/pictures/attention_page.hpp"
#include "app/report/report_pictures.hpp"
#include "app/report/report_tables.hpp"
#include "gradus/plot/markup.hpp"
#include "gradus/plot/page.hpp"
#include "gradus/plot/ticks.hpp"
#include "gradus/util/plural.hpp"
#include "gradus/util/quoted.hpp"

namespace gradus {
namespace {

constexpr std::size_t largest_page = 960 * 1024;  // bytes

const char* const report_style =
    ".scores{display:flex;flex-wrap:wrap;gap:1rem 3.2rem;margin:2rem 0 0}.scores div{min-width:6rem}\n"
    ".scores b{display:block;font-size:2.3rem;font-weight:400;line-height:1.1;font-variant-numeric:tabular-nums}\n"
    ".scores span{font:.78rem system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu "
    "Sans',sans-serif;color:var(--soft)}\n"
    ".masks{display:flex;flex-wrap:wrap;gap:1.5rem}\n"
    ".masks figure{flex:1 1 8rem}.scored{table-layout:fixed}th:first-child.number{width:4.5rem}"
    ".sample td{padding:.25rem 1rem .25rem 0}\n"
    ".sample{margin:1.6rem 0 2.2rem}.sample p{margin:0;max-width:none}\n"
    ".sample .note{margin-bottom:.5rem}.last td{color:var(--accent)}\n"
    // on a narrow screen a row of four columns becomes four lines, each with the column's name
    "@media (max-width:40rem){.validations th.number{white-space:normal}.validations th,.validations "
    "td{padding-right:"
    ".5rem;font-size:.8rem}\n"
    ".scored,.scored tbody,.scored tr,.scored td{display:block}\n"
    ".scored tr:first-child{display:none}.scored tr{border-bottom:1px solid var(--rule);padding:.6rem 0}\n"
    ".scored td,.scored td.number{border:0;padding:0;text-align:left;white-space:normal}\n"
    ".scored td::before{content:attr(data-name) ' ';font:.75rem system-ui,sans-serif;color:var(--soft)}}\n";

std::string paragraph(const std::string& classes, const std::string& text) {
  return "<p class=\"" + classes + "\">" + escaped(text) + "</p>\n";
}
std::string heading(const std::string& text) { return "<h2>" + escaped(text) + "</h2>\n"; }
/// The attribute of a cell that holds its column's name, for narrow screens.
std::string named(const std::string& column) {
  return column.empty() ? "" : " data-name=\"" + escaped(column) + "\"";
}
std::string cell(const std::string& text, const std::string& column = "") {
  return "<td" + named(column) + "><bdi>" + escaped(text) + "</bdi></td>";
}
std::string number_cell(const std::string& text, const std::string& column = "") {
  return "<td class=\"number\"" + named(column) + ">" + text + "</td>";
}

/// "2,613,760"
std::string count_text(std::size_t n) { return tick_text(static_cast<double>(n)); }

std::string scores(const ReportData& data) {
  std::string html = "<div class=\"scores\">\n";
  for (const Score& s : data.scores) {
    html += "<div><b>" + fixed(s.value, s.decimals) + "</b><span>" + escaped(s.name) + "</span></div>\n";
  }
  return html + "</div>\n";
}

/// At most six validations, evenly spread, including the first and the last.
std::vector<const ValidationRecord*> chosen(const std::vector<ValidationRecord>& all) {
  constexpr std::size_t most = 6;
  std::vector<const ValidationRecord*> some;
  const std::size_t n = std::min(most, all.size());
  for (std::size_t i = 0; i < n; ++i) some.push_back(&all[n == 1 ? 0 : i * (all.size() - 1) / (n - 1)]);
  return some;
}

/// The translations of the same sentences at successive validations.
std::string samples(const TrainingHistory& history) {
  const auto shown = chosen(history.validations);
  const std::size_t count = shown.empty() ? 0 : shown.back()->samples.size();
  std::string html = count == 0 ? "" : heading("Learning, seen");
  for (std::size_t i = 0; i < count; ++i) {
    const SampleTranslation& last = shown.back()->samples[i];
    html += "<div class=\"sample\"><p><bdi>" + escaped(last.source) + "</bdi></p>" +
            "<p class=\"note\">reference: <bdi>" + escaped(last.reference) +
            "</bdi></p>\n<table><tr><th class=\"number\">step</th><th>translation</th></tr>\n";
    for (const ValidationRecord* v : shown) {
      if (i >= v->samples.size()) continue;
      html += std::string(v == shown.back() ? "<tr class=\"last\">" : "<tr>") + number_cell(count_text(v->step)) +
              cell(v->samples[i].translation) + "</tr>\n";
    }
    html += "</table></div>\n";
  }
  return html;
}

std::string translations(const std::string& title, const std::string& score_name,
                         const std::vector<ScoredTranslation>& list) {
  if (list.empty()) return "";
  std::string html = heading(title) + "<table class=\"scored\"><tr><th class=\"number\">" + escaped(score_name) +
                     "</th><th>source</th><th>reference</th><th>translation</th></tr>\n";
  for (const ScoredTranslation& t : list) {
    html += "<tr>" + number_cell(fixed(t.score, 1), score_name) + cell(t.source, "source") +
            cell(t.reference, "reference") + cell(t.translation, "translation") + "</tr>\n";
  }
  return html + "</table>\n";
}

/// As many sentences as fit into `capacity` bytes.
std::string attention(const std::vector<AttentionRecord>& records, std::size_t capacity) {
  if (records.empty()) return "";
  std::string html =
      heading("What it looks at") +
      paragraph("note",
                "Every layer and every head. The fuller a square's colour, the more of its row's attention it "
                "got. Choose an attention above, a layer and a head on the left.");
  std::size_t left = records.size();
  for (const AttentionRecord& record : records) {
    const std::string section = attention_section(record, records.size() - left + 1);
    if (html.size() + section.size() > capacity) break;
    html += section;
    --left;
  }
  if (left == 0) return html;
  return html +
         paragraph("note", "Left out, because this page would grow beyond a megabyte: " + plural(left, "sentence") +
                               ". gradus translate --attention draws any sentence.");
}

std::string model_table(const ReportData& data) {
  const ModelConfig& m = data.model;
  const auto& text = count_text;
  const char* const tying[] = {"three tables", "output = target embedding", "one table for all"};
  const char* const activation[] = {"ReLU", "GELU", "swish"};
  std::vector<std::pair<std::string, std::string>> all{
      {"parameters", text(parameter_count(m))},
      {"layers", text(m.encoder_layers) + " + " + text(m.decoder_layers) +
                     (m.norm == Norm::pre ? ", pre-norm" : ", post-norm") +
                     (m.decoder_unit == DecoderUnit::ssru ? ", SSRU in the decoder" : "")},
      {"width D", text(m.d_model)},
      {"heads H", text(m.heads)},
      {"inner width F", text(m.ffn) + ", " + activation[static_cast<int>(m.activation)]},
      {"vocabulary",
       text(m.source_vocab) + " source, " + text(m.target_vocab) + " target, " + tying[static_cast<int>(m.tying)]},
      {"dropout", "embedding " + number(m.embedding_rate) + ", attention " + number(m.attention_rate) +
                      ", activation " + number(m.activation_rate) + ", residual " + number(m.residual_rate)}};
  for (const auto& facts : {unknown_facts(data.history), data.facts})
    all.insert(all.end(), facts.begin(), facts.end());
  return heading("The model") + fact_list(all);
}

std::string command_block(const std::vector<std::string>& words) {
  if (words.empty()) return "";
  std::string html = heading("The command") +
                     paragraph("note",
                               "It makes this run again, in any folder DIR: with the same bits on the same kind of "
                               "machine. File names are those of the folder in which it was given.") +
                     "<pre>";
  std::istringstream lines(shell_command(words));
  for (std::string line; std::getline(lines, line);) html += escaped(line) + "\n";
  return html + "</pre>\n";
}

}  // namespace

std::string shell_command(const std::vector<std::string>& words) {
  std::string command;
  for (const std::string& word : words) {
    if (!command.empty()) command += word.rfind("--", 0) == 0 ? " \\\n    " : " ";
    command += shell_word(word);
  }
  return command;
}

std::string training_report(const ReportData& data) {
  Page page;
  page.title = "Training: " + data.title;
  page.style = attention_style(data.attention) + report_style;
  page.script = data.attention.empty() ? "" : attention_script;
  const auto& h = data.history;
  page.body = paragraph("eyebrow", "gradus · training report") + "<h1>" + escaped(data.title) + "</h1>\n";
  if (!h.steps.empty()) {
    page.body +=
        paragraph("lede", count_text(h.steps.back().step) + " steps in " + count_text(h.steps.back().epoch) +
                              " epochs, " + count_text(parameter_count(data.model)) + " parameters.");
  }
  if (!data.note.empty()) page.body += paragraph("note", data.note);
  page.body += scores(data) + heading("Curves") + curves(h) + validations_table(h.validations) + samples(h) +
               translations("Translated best", data.score_name, data.best) +
               translations("Translated worst", data.score_name, data.worst);
  std::string end = "<div class=\"pair\">\n";
  if (!data.positions.empty()) {
    end +=
        "<section>" + heading("Positions") + positions_picture(data.positions, data.model.d_model) + "</section>\n";
  }
  end += "<section>" + heading("Masks") + masks_picture() + "</section>\n</div>\n" + model_table(data) +
         lengths_section(data.lengths) + command_block(h.command);
  const std::size_t used = page.body.size() + end.size() + page.style.size();
  // The part that differs between equal runs is small and comes last, so that it changes nothing before it.
  page.body +=
      attention(data.attention, largest_page - std::min(largest_page, used)) + end + machine_section(data.timing);
  return html_page(page);
}

}  // namespace gradus
