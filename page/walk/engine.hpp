#pragma once
/// \file
/// The whole model for a script: plain functions and flat numbers. There is one model at a time. A function that fails returns null, 0 or
/// -1, and walk_problem says what is wrong.

extern "C" {

/// The tasks, by number, as JSON: [{"name", "learnt", "sourceWords", "targetWords", "pairs": [{"source", "target"}]}], where the pairs
/// are at most 20 of those that judge, as ids.
const char* walk_tasks();

/// Begins a model of this task: `without` is a number of Without; seed 0 takes the learnt weights, others random ones. Returns its
/// parameters as JSON: [{"name", "shape", "first"}], or null.
const char* walk_begin(int task, int without, int seed);

/// All parameters, which the caller may write; `first` of walk_begin is the place of each.
double* walk_weights();

/// Takes `count` steps by this plan: optimiser 0 is SGD, 1 Adam. Returns three numbers for each step: loss, norm of the gradient, rate; or null.
const double* walk_steps(int count, int optimiser, double peak, int warmup, double smoothing);

/// The share of the judging pairs whose translation is right, or -1.
double walk_score();

/// What the model says for judging pair `pair`, as ids in JSON, or null.
const char* walk_says(int pair);

/// What flows through the model for judging pair `pair`, as JSON: [{"name", "part", "shape", "first"}]; the numbers are in walk_numbers().
const char* walk_flow(int pair, double smoothing);
const double* walk_numbers();

const char* walk_problem();
}
