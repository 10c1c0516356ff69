#pragma once
/// \file
/// The lessons for a script: plain functions and flat numbers. A script writes a lesson's given numbers into memory, calls
/// live_run, and reads the computed ones. Lessons and ways are counted from 0 in the order of live_describe.

extern "C" {

/// All lessons as JSON: {"lessons": [{"chapter", "ways": [name], "given": [tensor with "numbers"], "computed": [tensor]}]}, where a
/// tensor has "name", "part" and "shape".
const char* live_describe();

/// A lesson's given numbers, all tensors one after another; at first those of the page. The caller may write them.
double* live_given(int lesson);

/// Computes the lesson's numbers by this way; returns what is wrong, "" if nothing is.
const char* live_run(int lesson, int way);

/// What live_run has computed, all tensors one after another. Valid until the next call for this lesson.
const double* live_computed(int lesson);

/// The gradients of the given numbers by finite differences with this step, in their order, 0 for seeds; null if a run fails.
const double* live_slopes(int lesson, int way, double step);
}
