/// \file
/// gradus report: the page of one run, or of two side by side.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "11_translator/training/record/history_csv.hpp"
#include "app/commands/commands.hpp"
#include "app/options/shared_options.hpp"
#include "app/report/run_comparison.hpp"
#include "app/terminal/console.hpp"
#include "gradus/io/atomic_file.hpp"
#include "gradus/io/own_file.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

struct ReportRequest {
  std::vector<std::string> runs;
  std::string output, csv;
  DeviceChoice device = DeviceChoice::automatic;
};

/// The page's default path.
std::string usual_place(const ReportRequest& request) {
  return request.runs.size() == 1 ? request.runs[0] + "/report.html" : "comparison.html";
}

/// The run of a folder, with a warning for each file of it that is damaged.
StoredRun told_run(const std::string& folder) {
  StoredRun run = stored_run(folder);
  for (const std::string& fault : run.faults) console().warn(fault);
  return run;
}

/// Refuses to replace the page of a finished run that an older program made: that page shows more than the folder's
/// files.
void check_results(const StoredRun& run, const std::string& output) {
  const std::string report = run.folder + "/report.html";
  std::error_code none;
  if (run.results || !run.finished || !std::filesystem::equivalent(report, output, none)) return;
  fail(run.folder +
       " has no results.json of its model; run the command of its training again, which measures the "
       "model and writes the report. --output FILE writes the curves alone");
}

/// Refuses a file that the user named if it cannot be written or is of another kind. Nothing for "-".
void check_named(const std::string& path, const std::string& beginning, const char* kind,
                 const ReportRequest& request) {
  if (path == "-") return;
  check_named_file(path, request.runs);
  check_replaceable(path, beginning, kind);
}

/// Writes to the file, or to the standard output for "-". A run's folder may come from strangers.
void write_result(const std::string& path, const std::string& text, const ReportRequest& request) {
  if (path == "-") {
    std::fputs(text.c_str(), stdout);
    return;
  }
  write_parts_atomically(path, {text}, links_at(path, request.runs));
  std::printf("%s\n", path.c_str());
}

int write_csv(const ReportRequest& request) {
  if (request.runs.size() != 1)
    throw UsageError("--csv is of one run, not of " + std::to_string(request.runs.size()));
  if (!request.output.empty())
    throw UsageError("--csv and --output exclude each other: a table is written, or a page");
  const StoredRun run = told_run(request.runs[0]);
  if (run.history.steps.empty() && !run.faults.empty()) fail(run.folder + " has no history for a table");
  const std::string table = to_csv(run.history);
  check_named(request.csv, table.substr(0, table.find('\n')), "table of a history", request);
  write_result(request.csv, table, request);
  return 0;
}

int run_report(const ReportRequest& request) {
  if (!request.csv.empty()) return write_csv(request);
  if (request.runs.size() > 2)
    throw UsageError("a report is of one run or of two, not of " + std::to_string(request.runs.size()));
  const std::string output = request.output.empty() ? usual_place(request) : request.output;
  const StoredRun first = told_run(request.runs[0]);
  check_named(output, request.output.empty() ? "" : "<!DOCTYPE html>", "page", request);
  if (request.runs.size() == 1) check_results(first, output);
  const std::string page = request.runs.size() == 1 ? training_report(report_data(first, request.device))
                                                    : run_comparison(first, told_run(request.runs[1]));
  write_result(output, page, request);
  return 0;
}

}  // namespace

Command add_report(CLI::App& app) {
  const auto r = std::make_shared<ReportRequest>();
  CLI::App* const c = app.add_subcommand("report", "the page of a training, or of two side by side");
  c->footer(
      "Example: gradus report run            writes run/report.html again, also while the run goes on\n"
      "         gradus report run other-run  writes comparison.html\n"
      "A row of --csv has the step of its end, and the means of training loss, gradient norm and\n"
      "learning rate over the steps since the row before.\n");
  c->add_option("run", r->runs, "folder of a training; two: one page of both")
      ->type_name("DIR")
      ->required()
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  c->add_option("--output", r->output, "file for the page; -: the standard output")->type_name("FILE");
  c->add_option("--csv", r->csv, "instead of the page: losses, rates and scores as a table; -: the standard output")
      ->type_name("FILE");
  add_device_option(*c, r->device);
  return {c, [r] { return run_report(*r); }};
}

}  // namespace gradus
