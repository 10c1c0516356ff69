/// \file
/// gradus train: the output of a training on the screen.

#include <CLI/CLI.hpp>
#include <cstdio>

#include "11_translator/training/record/run_files.hpp"
#include "11_translator/training/training_run.hpp"
#include "app/commands/commands.hpp"
#include "app/options/train_options.hpp"
#include "app/report/run_report.hpp"
#include "app/terminal/console.hpp"
#include "app/terminal/interrupt.hpp"
#include "app/terminal/progress.hpp"
#include "app/terminal/train_log.hpp"
#include "gradus/io/own_file.hpp"
#include "gradus/ranks/world.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/process.hpp"

namespace gradus {
namespace {

/// How a training ended: for programs, for people, and as exit status.
struct Ending {
  const char* name;
  std::string text;
  int status;
};

Ending ending(TrainingEnd end, const TrainingRequest& request) {
  switch (end) {
    case TrainingEnd::finished:
      return {"finished", "finished", 0};
    case TrainingEnd::already_finished:
      return {"already finished", "this run is finished; its model is in " + request.output, 0};
    case TrainingEnd::stopped:
      if (request.max_steps != 0)
        return {"stopped", "stopped; without --max-steps, or with a larger one, the run continues from here", 0};
      return {"stopped", "stopped; the same command continues from here", 0};
    case TrainingEnd::interrupted:
      break;
  }
  return {"interrupted", "interrupted and saved; the same command continues from here", 130};
}

/// What the first Ctrl-C does. mpirun passes it on, and kills the ranks a second later.
const char* answer_to_interrupt(const Ranks& ranks) {
  if (ranks.size() == 1) return "\nfinishing this step and saving; Ctrl-C again stops at once\n";
  return "\nfinishing this step and saving; if mpirun kills the ranks before that, the last checkpoint is kept\n";
}

/// What a rank besides rank 0 does: it trains, and rank 0 reports.
int help_to_train(const TrainingRequest& request, Ranks& ranks) {
  console().quiet = true;
  ignore_closed_pipes();
  catch_wishes_to_save();
  TrainingListener silent;
  silent.interrupted = was_interrupted, silent.save_asked = was_asked_to_save;
  silent.on_texts_read = [&] { catch_interrupts(answer_to_interrupt(ranks)); };
  return ending(train(request, silent, ranks), request).status;
}

int run_train(const TrainOptions& options, Ranks& ranks) {
  const TrainingRequest& request = options.request;
  check_links(request.output + "/", {options.data, request.init_from});
  check_no_run_file("--log-json", options.log_json, request.output);
  ignore_closed_pipes();  // a training saves first, whoever reads its messages
  TrainLog log(options.log_json, {request.output, options.data, request.init_from});
  catch_wishes_to_save();
  Progress progress;
  TrainingListener listener;
  listener.on_texts_read = [&] { catch_interrupts(answer_to_interrupt(ranks)); };
  listener.say = [&](const std::string& text) { progress.line(text); };
  listener.warn = [&](const std::string& text) {
    progress.clear();
    console().warn(text);
  };
  listener.on_begin = [&] {
    progress.begin();
    log.begin();
  };
  listener.on_step = [&](const StepReport& report, std::uint32_t all) {
    progress.step(report, all);
    log.step(report, all);
  };
  listener.on_validation = [&](const ValidationRecord& record, bool is_best) {
    progress.validation(record, is_best);
    log.validation(record, is_best);
  };
  listener.on_finished = [&](const StoredRun& run, DeviceChoice device) {
    const std::string page = write_report(run, device);
    if (!page.empty()) progress.line("the report is " + page);
  };
  listener.interrupted = was_interrupted, listener.save_asked = was_asked_to_save;
  try {
    const Ending how = ending(train(request, listener, ranks), request);
    log.end(how.name);
    char memory[60];
    std::snprintf(memory, sizeof memory, "peak memory%s %.0f MB", ranks.size() > 1 ? " of rank 0" : "",
                  static_cast<double>(peak_memory()) / 1e6);
    progress.line(memory);
    progress.line(how.text);
    return how.status;
  } catch (const Error&) {
    progress.clear();
    log.failed();
    throw;
  }
}

void check_preset(const TrainOptions& o) {
  if (o.preset == "fine-tune" && o.init_from.empty() && !o.dump_config)
    throw UsageError("--preset fine-tune needs --init-from, the finished model that it trains further");
}

}  // namespace

Command add_train(CLI::App& app) {
  const auto options = std::make_shared<TrainOptions>();
  CLI::App* const c = app.add_subcommand("train", "train a translator; the same command continues a run");
  c->footer(
      "Example: gradus train --data multi30k --output run --preset quick\n"
      "Ctrl-C finishes the step, saves and ends; the same command continues from there.\n"
      "SIGUSR1 (kill -USR1, or Slurm's --signal) saves the run, which then goes on.\n"
      "mpirun -n 4 gradus train ... shares the work among 4 processes; the weights are the same.\n");
  add_train_options(*c, *options);
  return {c,
          [c, options] {
            Ranks& ranks = world();
            together(ranks, [&] {
              resolve_train_options(*c, *options);
              check_preset(*options);
            });
            require_same(ranks, "--dump-config", options->dump_config ? "given" : "absent");
            if (!is_first(ranks)) return options->dump_config ? 0 : help_to_train(options->request, ranks);
            console().quiet = options->quiet;
            for (const std::string& line : options->warnings) console().warn(line);
            if (options->dump_config) {
              std::fputs(config_text(*c, *options).c_str(), stdout);
              return 0;
            }
            return run_train(*options, ranks);
          },
          true};
}

}  // namespace gradus
