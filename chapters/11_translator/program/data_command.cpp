/// \file
/// gradus data: Multi30k, from the network or from a folder.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "11_translator/data_set.hpp"
#include "11_translator/id_file.hpp"
#include "11_translator/model_files.hpp"
#include "11_translator/program/bundled.hpp"
#include "11_translator/program/commands.hpp"
#include "11_translator/program/console.hpp"
#include "11_translator/program/interrupt.hpp"
#include "11_translator/program/shared_options.hpp"
#include "gradus/io/atomic_file.hpp"
#include "gradus/io/lines.hpp"
#include "gradus/text/packed_file.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

struct DataRequest {
  std::string output = "multi30k", mirror = multi30k().mirror, from, ids, model = default_model();
};

/// A line that renews itself, on a terminal.
bool show_progress(const std::string& name, std::uint64_t done, std::uint64_t all) {
  if (console().is_terminal() && !console().quiet && all != 0) {
    std::fprintf(stderr, "\r\x1b[K%s: %llu of %llu KB%s", name.c_str(),
                 static_cast<unsigned long long>(done / 1000), static_cast<unsigned long long>(all / 1000),
                 done == all ? "\r\x1b[K" : "");
  }
  return !was_interrupted();
}

/// The three parts of the set in the ids of a model, end marks not included. Who is interrupted gets no file.
void write_ids(const DataRequest& r) {
  const Tokenizers words = load_model(r.model).tokenizers;
  IdCorpus corpus{words.source.size(), words.target.size(), {}};
  for (const auto& [part, file] : {std::pair{"train", "train"}, {"val", "val"}, {"test", "test_2016_flickr"}}) {
    const std::string path = r.output + "/" + file;
    const LinePairs lines = read_pairs(path + ".en.gz", path + ".de.gz", read_packed_file);
    for (std::size_t i = 0; i < lines.source.size(); ++i) {
      if (was_interrupted()) return;
      corpus.parts[part].source.push_back(words.source.encode(lines.source[i]));
      corpus.parts[part].target.push_back(words.target.encode(lines.target[i]));
    }
  }
  write_atomically(r.ids, to_text(corpus));
  console().say("the ids are in " + r.ids);
}

int run_data(const DataRequest& r) {
  catch_interrupts("\nstopping, and keeping what has come; once more stops at once\n");
  const DataListener listener{[](const std::string& text) { console().say(text); }, show_progress};
  if (r.from.empty()) {
    fetch_data(multi30k(), r.mirror, r.output, listener);
  } else {
    copy_data(multi30k(), r.from, r.output, listener);
  }
  if (!was_interrupted()) {
    console().say(r.output + " holds Multi30k, " + multi30k().terms + ".\nPlease cite " + multi30k().citation +
                  ".\nNext: gradus train --data " + r.output + " --output my-model");
    if (!r.ids.empty()) write_ids(r);
  }
  if (!was_interrupted()) return 0;
  console().say("interrupted; the same command goes on from here");
  return 130;
}

}  // namespace

Command add_data(CLI::App& app) {
  const auto r = std::make_shared<DataRequest>();
  CLI::App* const c =
      app.add_subcommand("data", "get Multi30k: 31,014 English photo captions and their German versions");
  c->add_option("--output", r->output, "folder for its files")->capture_default_str();
  auto* const mirror = c->add_option("--mirror", r->mirror, "address of a folder that holds the files");
  c->add_option("--from", r->from, "a folder on this machine that holds them")->excludes(mirror);
  auto* const ids = c->add_option("--ids", r->ids, "then write them as ids to this file, for gpu_check");
  add_model_option(*c, r->model)->needs(ids);
  return {c, [r] { return run_data(*r); }};
}

}  // namespace gradus
