#include "app/options/manual.hpp"

namespace gradus {
namespace {

/// Plain text for roff: every special character is escaped.
std::string plain(const std::string& text) {
  std::string all;
  for (const char c : text) {
    const bool begins_line = all.empty() || all.back() == '\n';
    if (begins_line && (c == '.' || c == '\'')) all += "\\&";
    if (c == '-')
      all += "\\-";
    else if (c == '\\')
      all += "\\e";
    else
      all += c;
  }
  return all;
}

std::string option_entry(const OptionText& option) {
  std::string names;
  for (const std::string& name : option.names) {
    if (!names.empty()) names += ", ";
    names += option.is_argument ? "\\fI" + plain(name) + "\\fR" : "\\fB" + plain(name) + "\\fR";
  }
  if (!option.is_argument && !option.value.empty()) names += " \\fI" + plain(option.value) + "\\fR";
  return ".TP\n" + names + "\n" + plain(option.text) + "\n";
}

std::string command_entry(const CommandText& command) {
  std::string text = ".SS gradus " + plain(command.name) + "\n" + plain(command.text) + "\n";
  for (const OptionText& option : command.options) {
    if (option.names.back() != "--help") text += option_entry(option);
  }
  if (!command.footer.empty()) text += ".PP\n.nf\n" + plain(command.footer) + "\n.fi\n";
  return text;
}

constexpr const char* rest = R"(.SH EXIT STATUS
.TP
0
All went well.
.TP
1
Something could not be done; a line on the standard error stream says what and why.
.TP
2
The command line could not be read, or asks for something impossible.
.TP
130
Interrupted by Ctrl\-C. A training has saved its state; the same command continues it.
.SH ENVIRONMENT
.TP
.B NO_COLOR
If it is not empty, warnings have no colour.
.TP
.B COLUMNS
The width of help and progress if no terminal reports it.
.TP
.B OPENBLAS_CORETYPE
The kernels that OpenBLAS uses, instead of those that gradus chooses.
)";

}  // namespace

std::string manual_page(const std::vector<CommandText>& tree) {
  std::string text =
      ".TH GRADUS 1 \"\" \"gradus\" \"User Commands\"\n"
      ".SH NAME\ngradus \\- trains a Transformer that translates, and translates with it\n"
      ".SH SYNOPSIS\n.B gradus\n\\fICOMMAND\\fR [\\fIOPTIONS\\fR]\n"
      ".SH DESCRIPTION\n";
  text += plain(tree.front().text) + "\n";
  text += "Results go to the standard output, everything else to the standard error stream.\n";
  text += ".SH OPTIONS\n";
  for (const OptionText& option : tree.front().options) text += option_entry(option);
  text += ".SH COMMANDS\n";
  for (const CommandText& command : tree) {
    if (!command.name.empty()) text += command_entry(command);
  }
  return text + rest;
}

}  // namespace gradus
