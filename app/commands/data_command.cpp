/// \file
/// gradus data: gets Multi30k from the network or from a folder.

#include <CLI/CLI.hpp>
#include <memory>

#include "11_translator/data/multi30k.hpp"
#include "11_translator/data/multi30k_ids.hpp"
#include "11_translator/storage/model_files.hpp"
#include "app/commands/commands.hpp"
#include "app/models/known_models.hpp"
#include "app/options/shared_options.hpp"
#include "app/terminal/console.hpp"
#include "app/terminal/download_listener.hpp"
#include "app/terminal/interrupt.hpp"
#include "gradus/io/own_file.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/quoted.hpp"

namespace gradus {
namespace {

struct DataRequest {
  std::string output = "multi30k", target_lang = "de", mirror = multi30k().mirror, from, ids,
              model = default_model();
};

/// An interrupted command writes no file.
void write_ids(const DataRequest& r) {
  const IdCorpus corpus = multi30k_ids(r.output, load_model(r.model).tokenizers, was_interrupted);
  if (was_interrupted()) return;
  write_parts_atomically(r.ids, {to_text(corpus)}, links_at(r.ids, {r.output, r.model}));
  console().say("the ids are in " + printable(r.ids));
}

int run_data(const DataRequest& r) {
  check_links(r.output + "/", {r.model});
  check_named_file(r.ids, {r.output, r.model});
  const DataListener listener = download_listener();
  const DataSet set = multi30k(r.target_lang);
  if (r.from.empty()) {
    fetch_data(set, r.mirror, r.output, listener);
  } else {
    copy_data(set, r.from, r.output, listener);
  }
  if (!was_interrupted()) {
    console().say(about_multi30k(r.target_lang, r.output));
    if (!r.ids.empty()) write_ids(r);
  }
  return was_interrupted() ? interrupted_download() : 0;
}

}  // namespace

Command add_data(CLI::App& app) {
  const auto r = std::make_shared<DataRequest>();
  CLI::App* const c =
      app.add_subcommand("data", "get Multi30k: 31,014 English photo captions and their translations");
  c->add_option("--output", r->output, "folder for its files")->type_name("DIR")->capture_default_str();
  auto* const language =
      c->add_option("--target-lang", r->target_lang, "language of the translations: de, fr or cs")
          ->type_name("LANG")
          ->check(one_of(multi30k_languages()))
          ->capture_default_str();
  auto* const mirror =
      c->add_option("--mirror", r->mirror, "address of a folder that holds the files")->type_name("URL");
  c->add_option("--from", r->from, "a folder on this machine that holds them")->type_name("DIR")->excludes(mirror);
  auto* const ids = c->add_option("--ids", r->ids, "then write them as ids to this file, for gpu_check")
                        ->type_name("FILE")
                        ->excludes(language);
  add_model_option(*c, r->model)->needs(ids);
  return {c, [r] { return run_data(*r); }};
}

}  // namespace gradus
