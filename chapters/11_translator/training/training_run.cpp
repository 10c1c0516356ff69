#include "11_translator/training/training_run.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "11_translator/training/initial_model.hpp"
#include "11_translator/training/record/recipe_differences.hpp"
#include "11_translator/training/record/run_files.hpp"
#include "11_translator/training/same_training.hpp"
#include "11_translator/training/text_quality.hpp"
#include "11_translator/training/text_sides.hpp"
#include "11_translator/training/train_on.hpp"
#include "11_translator/training/training_ids.hpp"
#include "11_translator/training/training_memory.hpp"
#include "11_translator/training/training_recipe.hpp"
#include "11_translator/training/without_effect.hpp"
#include "11_translator/translator/translator_engine.hpp"
#include "gradus/device/on_device.hpp"
#include "gradus/device/tf32_override.hpp"
#include "gradus/io/folder.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/plural.hpp"

namespace gradus {
namespace {

/// The checks that need no text.
void check_choices(const TrainingRequest& r) {
  ModelConfig model = r.model;
  if (!r.joint_vocabulary && model.tying == Tying::all)
    throw UsageError("with two vocabularies the source table cannot be tied to the target's");
  model.source_vocab = model.target_vocab =
      static_cast<std::size_t>(std::max(Specials::count, r.tokenizer.vocab_size));
  model.check(option_of);
  const Products given = r.plan.products.value_or(Products::exact);
  if (given != Products::exact && device_taken(r.device) == DeviceChoice::cpu)
    throw UsageError(std::string("--products ") + name_of(given) +
                     " is for a GPU; a processor's products are always exact");
  check_no_run_file("--ids", r.ids, r.output);
  std::error_code none;  // if one does not exist, they are not the same folder
  if (!r.init_from.empty() && std::filesystem::equivalent(r.init_from, r.output, none))
    throw UsageError("--init-from and --output name the same folder, " + r.output + "; give another --output");
}

/// Reports the pairs that were left out, as a warning if they are more than half.
void tell_of_dropped(const TrainingRequest& r, const TrainingData& data, const TrainingListener& listener) {
  if (data.dropped + data.dropped_valid == 0) return;
  const bool most = data.dropped > data.training_pairs().size() || data.dropped_valid > data.valid.size();
  const std::string line = "left out " + std::to_string(data.dropped) + " training and " +
                           std::to_string(data.dropped_valid) +
                           " validation pairs: empty on one side or longer than " + plural(data.longest, "token");
  if (!most) return listener.say(line);
  const char* const option = data.longest < r.model.max_length ? "--batch-tokens" : "--max-length";
  listener.warn(line + "; more than half; if they are long, a larger " + option + " takes them");
}

/// Reports that a small text gives no vocabulary of the size that was asked for.
void tell_of_few_subwords(int wanted, const Tokenizers& t, const TrainingListener& listener) {
  const std::size_t most = static_cast<std::size_t>(std::max(0, wanted));
  if (t.source.size() >= most && t.target.size() >= most) return;
  listener.say("the text gives no more subwords, so there are not the " + std::to_string(wanted) +
               " of --vocab-size; fewer of them are usually better for a small text");
}

TrainingData read_data(TrainingRequest& r, IdsPlace& place, const TrainingListener& listener) {
  const bool words = r.tokenizer.kind == TokenizerKind::word;
  std::optional<ModelFiles> initial;
  if (!r.init_from.empty()) {
    initial = initial_model(r);
    r.tokenizer.rules.words = initial->tokenizers.source.rules().words;
  }
  const ModelFiles* const model = initial ? &*initial : nullptr;
  place = ids_place(r, model);
  auto ids = find_ids(place, r, listener.say);
  if (ids) {
    listener.say("taking vocabulary and ids from " + place.path);
  } else if (initial) {
    listener.say("reading the text in the vocabulary of " + r.init_from);
  } else {
    listener.say(std::string("reading the text, learning ") + (words ? "its words" : "subwords"));
  }
  TrainingData data = training_data(r, model, std::move(ids));
  const std::size_t source = data.tokenizers.source.size(), target = data.tokenizers.target.size();
  listener.say(plural(data.training_pairs().size(), "pair") + " to train on, " + std::to_string(data.valid.size()) +
               " to validate on; " + std::to_string(source) +
               (r.joint_vocabulary ? "" : " and " + std::to_string(target)) + (words ? " words" : " subwords"));
  if (data.mixed != 0) listener.say("mixed in " + plural(data.mixed, "older pair"));
  if (!initial && !words) tell_of_few_subwords(r.tokenizer.vocab_size, data.tokenizers, listener);
  tell_of_dropped(r, data, listener);
  const TextQuality quality = text_quality(data, r.plan.marks);
  data.unknown = quality.unknown;
  for (const std::string& fault : faults_of_text(r, quality)) listener.warn(fault);
  for (const std::string& fault : faults_of_sides(r, data, quality)) listener.warn(fault);
  const std::size_t shared = shared_pairs(data);
  if (2 * shared > data.valid_lines.source.size())
    listener.warn(std::to_string(shared) + " of " + std::to_string(data.valid_lines.source.size()) +
                  " validation pairs are training pairs too, so validation cannot show how much of the text "
                  "was memorised; " +
                  (r.valid_split == 0 ? "take other pairs"
                                      : "the text repeats its pairs: sort -u of a file of pairs keeps each once"));
  return data;
}

/// Puts the ids into their file, unless they are there. A text that changed while it was read has none.
void keep_ids_of(const TrainingRequest& r, const IdsPlace& place, TrainingData& data,
                 const TrainingListener& listener) {
  if (place.path.empty() || data.mapped || text_digests(r) != place.texts) return;
  keep_ids(place, r, data);
  listener.say("the ids are kept in " + place.path);
}

/// The same for the other ranks, after rank 0: they take the file if they see it, or else keep theirs in memory.
void find_kept_ids(const TrainingRequest& r, const IdsPlace& place, TrainingData& data) {
  if (place.path.empty() || data.mapped) return;
  if (auto ids = find_ids(place, r, [](const std::string&) {})) take_ids(std::move(ids), data);
}

/// The run's folder: free, or with this very run, or with one that its first checkpoint may replace.
RunFolder claim(const TrainingRequest& r, const std::string& recipe) {
  const auto present = run_files(r.output);
  RunFolder folder(r.output);
  if (!folder.has_checkpoint()) {
    if (!present.empty() && present != std::vector<std::string>{"checkpoint-next.safetensors"})
      throw UsageError(r.output + " holds a " + present.front() + " but no run; give another --output" +
                       (is_there(r.output + "/model.json")
                            ? ", where --init-from " + r.output + " begins with the weights of its model"
                            : ""));
    return folder;
  }
  if (!r.overwrite) check_recipe(r, recipe, folder.recipe());
  return folder;
}

/// The recipe of the run that continues; none if a new one begins.
std::optional<std::string> stored_recipe(const TrainingRequest& r) {
  if (r.overwrite || run_files(r.output).empty()) return {};
  const RunFolder folder(r.output);
  if (!folder.has_checkpoint()) return {};
  return folder.recipe();
}

/// M, the number of micro-batches, which decides the bits. An existing run keeps its M on every device; a new run
/// takes the number that suits its device: on GPUs one for each rank.
std::size_t micro_batches(const TrainingRequest& r, const std::optional<std::string>& stored,
                          const TrainingListener& listener, const Ranks& ranks) {
  const bool on_gpu = device_taken(r.device) == DeviceChoice::cuda;
  const std::size_t usual = on_gpu ? ranks.size() : r.plan.micro_batches;
  if (!stored) return usual;
  const std::size_t kept = micro_batches_of(*stored);
  if (kept != usual) {
    listener.say("this run began on other devices: it keeps its " + std::to_string(kept) +
                 " micro-batches, and from here on its bits depend on those that it has now");
  }
  return kept;
}

/// The products of a training that asks for none: those of the run that continues, else those of its device.
Products usual_products(const TrainingRequest& r, const std::optional<std::string>& stored,
                        const TrainingListener& listener) {
  if (stored) return products_of(*stored);
  const Products usual = default_products(device_taken(r.device));
  if (usual != Products::exact)
    listener.say(std::string("multiplying with ") + name_of(usual) +
                 " products, which are usual on a GPU; --products " + name_of(Products::exact) +
                 " takes more time and rounds less");
  return usual;
}

/// Throws UsageError if the device cannot compute the training's products.
void check_products(const TrainingRequest& r) {
  const Products products = *r.plan.products;
  if (device_taken(r.device) == DeviceChoice::cpu) {
    if (products != Products::exact)
      throw UsageError(r.output + " holds a run with " + name_of(products) +
                       " products, which need a GPU; continue it on one, or give another --output");
    return;
  }
  for (const Products each : {products, Products::exact}) {  // validation and translation need exact ones
    if (const std::string reason = tf32_override(each); !reason.empty()) throw UsageError(reason);
  }
}

/// A report's command shall train the same anywhere, so on a GPU it names the products, also if nobody did.
void add_products_to_command(TrainingRequest& r) {
  if (device_taken(r.device) == DeviceChoice::cpu || r.command.empty()) return;
  r.command.insert(std::find(r.command.begin(), r.command.end(), "--output"),
                   {"--products", name_of(*r.plan.products)});
}

/// The run that continues keeps its normalisation, and the report's command names it.
void keep_normalisation(TrainingRequest& r, const std::string& kept) {
  const auto normalisation = parse<Normalisation>(kept);
  Normalisation& usual = r.tokenizer.rules.normalisation;
  if (normalisation != usual && !r.command.empty())
    r.command.insert(std::find(r.command.begin(), r.command.end(), "--output"), {"--normalise", kept});
  usual = normalisation;
}

/// How many gradients this rank computes in a step.
std::size_t gradients(const TrainingRequest& r, const Ranks& ranks) {
  return slots_of(ranks.rank(), ranks.size(), r.plan.micro_batches).size();
}

/// The checks before the text is read. Rank 0's folder decides the number of micro-batches, and products and warm-up if none
/// were asked for; a run that continues cuts words as it began.
void prepare(TrainingRequest& r, const TrainingListener& listener, Ranks& ranks) {
  together(ranks, [&] { check_choices(r); });
  const std::string warning = require_same_training(r, ranks);
  if (!warning.empty()) listener.warn(warning);
  std::string products, warmup, words, normalisation = name_of(r.tokenizer.rules.normalisation);
  on_first(ranks, [&] {
    check_writable_folder(r.output);
    if (!r.overwrite) check_run_files(r.output);
    const auto stored = stored_recipe(r);
    if (stored && !r.warmup_is_given) warmup = std::to_string(warmup_of(*stored));
    r.plan.micro_batches = micro_batches(r, stored, listener, ranks);
    products = name_of(r.plan.products ? *r.plan.products : usual_products(r, stored, listener));
    words = name_of(stored ? word_rules_of(*stored) : r.tokenizer.rules.words);
    if (r.normalises_like_run && stored) normalisation = name_of(normalisation_of(*stored));
  });
  r.tokenizer.rules.words = parse<WordRules>(broadcast(ranks, words));
  keep_normalisation(r, broadcast(ranks, normalisation));
  r.plan.micro_batches = std::stoul(broadcast(ranks, std::to_string(r.plan.micro_batches)));
  products = broadcast(ranks, products);
  warmup = broadcast(ranks, warmup);
  if (!warmup.empty()) {
    r.plan.schedule.warmup = static_cast<std::uint32_t>(std::stoul(warmup));
    r.warmup_is_given = true;
  }
  if (!r.plan.products) {
    r.plan.products = parse<Products>(products);
    add_products_to_command(r);
  }
  together(ranks, [&] { check_products(r); });
  r.model.source_vocab = r.model.target_vocab = 4;  // the smallest size, until the text is read
  together(ranks, [&] { require_training_memory(r, gradients(r, ranks)); });
}

/// A default warm-up must not be most of a short run: its rate would never be high enough to learn.
void fit_warmup(TrainingRequest& r, const TrainingData& data, const TrainingListener& listener) {
  if (r.warmup_is_given) return;
  const std::uint32_t usual = r.plan.schedule.warmup;
  r.plan.schedule.warmup = warmup_that_fits(r.plan, data.training_pairs());
  if (r.plan.schedule.warmup == usual) return;
  listener.say("the warm-up takes " + plural(r.plan.schedule.warmup, "step") +
               ", an eighth of this short run, and not " + std::to_string(usual) + "; --warmup sets it");
}

}  // namespace

TrainingEnd train(const TrainingRequest& given, const TrainingListener& given_listener, Ranks& ranks) {
  TrainingListener listener;  // of other ranks: silent
  listener.interrupted = given_listener.interrupted, listener.save_asked = given_listener.save_asked;
  listener.on_texts_read = given_listener.on_texts_read;
  if (is_first(ranks)) listener = given_listener;
  TrainingRequest r = given;
  prepare(r, listener, ranks);
  std::optional<FolderLock> lock;
  on_first(ranks, [&] {
    if (is_folder(r.output)) lock.emplace(r.output);  // a new folder is made when the text is read
  });
  std::optional<TrainingData> read;
  IdsPlace place;
  together(ranks, [&] { read = read_data(r, place, listener); });
  listener.on_texts_read();
  TrainingData& data = *read;
  r.model.source_vocab = data.tokenizers.source.size();
  r.model.target_vocab = data.tokenizers.target.size();
  together(ranks, [&] { require_training_memory(r, gradients(r, ranks)); });
  together(ranks, [&] { fit_warmup(r, data, listener); });
  const std::string hint = hint_at_few_steps(r, data.training_pairs(), data.tokenizers.source.size());
  if (!hint.empty()) listener.say(hint);
  const std::string recipe = recipe_of(r, data);
  require_same_recipe(recipe, ranks);
  std::optional<RunFolder> folder;
  on_first(ranks, [&] {
    if (!lock) lock.emplace(r.output);
    folder = claim(r, recipe);
    keep_ids_of(r, place, data, listener);
  });
  if (!is_first(ranks)) find_kept_ids(r, place, data);
  return train_on(r.device, r, data, listener, folder, recipe, ranks);
}

}  // namespace gradus
