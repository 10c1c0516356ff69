#pragma once
/// \file
/// The fields of a training's plan, each once: what the command line and a run's recipe call it, what it may be, what it needs.

#include <cstring>
#include <string>

#include "10_training/run/plan.hpp"

namespace gradus {

/// A choice without which a field has no effect.
struct Need {
  bool holds = true;
  std::string complaint = "";  ///< of an option that is given nevertheless; follows its name
};

struct PlanField {
  const char* recipe;       ///< its place in a run's recipe: "plateau/factor"
  const char* group = "";   ///< of the help of `gradus train`
  const char* option = "";  ///< of `gradus train`, without dashes; none: the user cannot choose it
  std::string help = "";
  double least = 0, most = 0;  ///< of a number, ends included
  Need need = {};
  bool shows_default = true;  ///< in the help: the default is the value that is used

  bool is(const char* name) const { return std::strcmp(recipe, name) == 0; }
  bool has_option() const { return *option != '\0'; }

  PlanField with(const Need& other) const {
    PlanField field = *this;
    field.need = other;
    return field;
  }
  PlanField without_default() const {
    PlanField field = *this;
    field.shows_default = false;
    return field;
  }
};

/// Makes the fields of a group.
struct PlanGroup {
  const char* name;

  PlanField number(const char* option, const char* recipe, const std::string& help, double least,
                   double most) const {
    return {recipe, name, option, help, least, most};
  }
  /// An enum, whose table has the words, or a flag.
  PlanField choice(const char* option, const char* recipe, const std::string& help) const {
    return {recipe, name, option, help};
  }
};

/// The largest numbers: of a share, of a mean's decay, of a count.
struct PlanLimits {
  static constexpr double rate = 0.99, decay = 0.999999, many = 1e9;
};

template <class Value>
Need only_for(const char* option, Value wanted, Value chosen, const std::string& hint = "") {
  return {chosen == wanted, std::string("is for --") + option + " " + name_of(wanted) + hint};
}

template <class Options, class Visitor>
void each_batch_field(Options& options, const PlanGroup& g, const Visitor& visit) {
  auto& [tokens, sentences, order] = options;
  visit(g.number("batch-tokens", "batch tokens", "most source and most target tokens a step", 8, 1e7)
            .with({sentences == 0, "and --batch-sentences exclude each other"}),
        tokens);
  visit(g.number("batch-sentences", "batch sentences", "pairs a step instead", 1, 1e6).without_default(),
        sentences);
  visit(g.choice("batches", "batches", "which pairs form a step: by " + names_phrase<BatchOrder>()), order);
}

template <class Options, class Visitor>
void each_schedule_field(Options& options, const PlanGroup& g, const Visitor& visit) {
  auto& [kind, peak, warmup, decay_steps, factor, patience, threshold, delay] = options;
  constexpr double many = PlanLimits::many;
  const Need plateau = only_for("schedule", ScheduleKind::plateau, kind);
  const Need end = {has_an_end(kind), "is for --schedule " + names_with_an_end("or") + "; the others have no end"};
  visit(g.number("learning-rate", "learning rate", "at the end of the warm-up", 1e-30, 1e6), peak);
  visit(g.choice("schedule", "schedule", names_phrase<ScheduleKind>()), kind);
  visit(g.number("warmup", "warmup", "steps during which the rate rises [1000; of a short run an eighth]", 0, many)
            .without_default(),
        warmup);
  visit(g.number("decay-steps", "decay steps", "length of " + names_with_an_end("and") + "; 0: all epochs", 0, many)
            .with(end),
        decay_steps);
  const auto of_plateau = [&](const char* option, const char* recipe, const char* help, double least, double most,
                              auto& value) {
    visit(g.number(option, recipe, help, least, most).with(plateau), value);
  };
  of_plateau("plateau-factor", "plateau/factor", "what plateau multiplies the rate with", 1e-30, PlanLimits::decay,
             factor);
  of_plateau("plateau-patience", "plateau/patience",
             "validations that may be no better; the next one reduces the rate", 0, many, patience);
  of_plateau("plateau-threshold", "plateau/threshold", "a loss is better if it is lower by this share", 0,
             PlanLimits::rate, threshold);
  of_plateau("plateau-delay", "plateau/delay", "validations at the beginning that plateau leaves out", 0, many,
             delay);
}

/// The update of the optimiser that is used. gradus train gives both the same.
template <class Options>
auto& update_of(Options& optimiser) {
  return optimiser.kind == Optimiser::adam ? optimiser.adam.update : optimiser.sgd.update;
}

template <class Options, class Visitor>
void each_decay_field(Options& optimiser, const PlanGroup& g, const Visitor& visit) {
  auto& [clip, weight_decay, decay, decaying] = update_of(optimiser);  // the step sets `decaying` from the layout
  const Need decays = {weight_decay > 0, "has no effect without a --weight-decay above 0"};
  const std::string places = std::string("beside the step: ") + name_of(Decay::decoupled) +
                             "; in the gradient: " + name_of(Decay::coupled);
  visit(g.number("weight-decay", "weight decay", "how fast matrices shrink towards 0", 0, 1), weight_decay);
  visit(g.choice("decay-all", "decay of all", "tables, biases and norms shrink too").with(decays),
        optimiser.decays_all);
  visit(g.choice("decay", "decay", places).with(decays), decay);
}

template <class Options, class Visitor>
void each_adam_or_sgd_field(Options& optimiser, const PlanGroup& g, const Visitor& visit) {
  auto& [kind, adam, sgd, decays_all, frozen] = optimiser;
  auto& [beta1, beta2, epsilon, adam_update] = adam;
  auto& [momentum, sgd_update] = sgd;
  const Need of_adam = only_for("optimizer", Optimiser::adam, kind);
  const Need of_sgd = only_for("optimizer", Optimiser::sgd, kind,
                               std::string("; ") + name_of(Optimiser::adam) + " has --adam-beta1");
  constexpr double most = PlanLimits::decay;
  visit(g.number("clip", "clip", "largest norm of the gradient; 0: none", 0, PlanLimits::many),
        update_of(optimiser).clip);
  visit(g.number("adam-beta1", "optimizer/beta1", "decay of the mean gradient", 0, most).with(of_adam), beta1);
  visit(g.number("adam-beta2", "optimizer/beta2", "decay of the mean square", 0, most).with(of_adam), beta2);
  visit(g.number("adam-epsilon", "optimizer/epsilon", "added to its root", 1e-30, 1).with(of_adam), epsilon);
  visit(g.number("momentum", "optimizer/momentum", "of sgd", 0, most).with(of_sgd), momentum);
  auto& [embeddings, encoder, decoder] = frozen;
  visit(g.choice("freeze-embeddings", "frozen/embeddings",
                 "tables of words, and an output layer tied to them, stay as they are"),
        embeddings);
  visit(g.choice("freeze-encoder", "frozen/encoder", "its weights stay as they are"), encoder);
  visit(g.choice("freeze-decoder", "frozen/decoder", "its weights stay as they are"), decoder);
}

/// Shows `visit(field, value)` each field of a plan, const or not, in the order in which the help lists them. `value` is a
/// number, a flag, an enum with a table of names or an optional one, or the marks.
///
/// A new member of the plan, or of a struct that it holds, needs one line here: the option, the recipe, all messages and the
/// tests' rows follow. Each struct is unpacked by its number of members, so without a name here it does not compile.
template <class Plan, class Visitor>
void each_plan_field(Plan& plan, const Visitor& visit) {
  auto& [batches, marks, schedule, optimiser, smoothing, seed, micro_batches, products, epochs, valid_every,
         patience, average_last] = plan;
  constexpr double many = PlanLimits::many;
  visit(PlanField{"marks"}, marks);
  visit(PlanField{"micro-batches"}, micro_batches);

  const PlanGroup recipe{"Recipe"};
  visit(recipe.number("epochs", "epochs", "passes over the pairs; schedules span them", 1, 1e6), epochs);
  each_batch_field(batches, recipe, visit);
  visit(recipe.number("valid-every", "validate every", "steps between validations; 0: each epoch", 0, many),
        valid_every);
  visit(recipe.number("patience", "patience", "validations without a better one before it ends; 0: never", 0, many),
        patience);
  visit(recipe.number("average-last", "average last",
                      "number of last validations to average, if their mean beats the best", 1, 1000),
        average_last);
  visit(recipe.number("seed", "seed", "of every random draw", 0, 1e18), seed);
  visit(recipe.choice("products", "products",
                      std::string("of matrices: ") + name_of(Products::exact) + ", or on a GPU " +
                          name_of(Products::tf32) + " or " + name_of(Products::bf16) + ", coarser"),
        products);

  const PlanGroup regularisation{"Regularisation"};
  visit(regularisation.number("label-smoothing", "label smoothing",
                              "share of the target probability that goes to all words", 0, PlanLimits::rate),
        smoothing);
  each_decay_field(optimiser, regularisation, visit);

  const PlanGroup optimisers{"Optimiser"};
  visit(optimisers.choice("optimizer", "optimizer/kind", names_phrase<Optimiser>()), optimiser.kind);
  each_schedule_field(schedule, optimisers, visit);
  each_adam_or_sgd_field(optimiser, optimisers, visit);
}

}  // namespace gradus
