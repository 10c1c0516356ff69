#include "app/options/help_format.hpp"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "app/options/command_tree.hpp"
#include "app/terminal/console.hpp"
#include "app/terminal/wrapped.hpp"

namespace gradus {
namespace {

constexpr std::size_t names_column = 31, two_columns = 64, least = 30, most = 100;

class Help : public CLI::Formatter {
 public:
  Help() : width_(std::clamp(terminal_columns(STDOUT_FILENO), least, most)) {}

  std::string make_option(const CLI::Option* option, bool is_argument) const override {
    return row(make_option_name(option, is_argument) + make_option_opts(option), described(*option));
  }

  std::string make_subcommand(const CLI::App* command) const override {
    return row(command->get_name(), command->get_description());
  }

  std::string make_option_name(const CLI::Option* option, bool is_argument) const override {
    std::string name = CLI::Formatter::make_option_name(option, is_argument);
    const auto negative = name.find(",--no-");
    if (negative != std::string::npos) return "--[no-]" + name.substr(2, negative - 2);
    const std::string value = "{false}";  // of the negated name, which shows it itself
    const auto at = name.find(value);
    return at == std::string::npos ? name : name.erase(at, value.size());
  }

  std::string make_option_opts(const CLI::Option* option) const override {
    const std::string value = value_name(*option);
    return value.empty() ? "" : " " + value;
  }

  std::string make_description(const CLI::App* command) const override {
    return wrapped(CLI::Formatter::make_description(command), width_);
  }

  std::string make_footer(const CLI::App* command) const override {
    return wrapped(CLI::Formatter::make_footer(command), width_, 2);
  }

 private:
  std::string row(const std::string& name, const std::string& text) const {
    std::string left = "  " + name;
    if (width_ < two_columns) return left + "\n" + wrapped(std::string(6, ' ') + text, width_) + "\n";
    std::string right = wrapped(std::string(names_column, ' ') + text, width_);
    if (left.size() >= names_column) return left + "\n" + right + "\n";
    return right.replace(0, left.size(), left) + "\n";
  }

  std::size_t width_;
};

}  // namespace

std::shared_ptr<CLI::FormatterBase> help_format() { return std::make_shared<Help>(); }

}  // namespace gradus
