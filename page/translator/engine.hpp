#pragma once
/// \file
/// A bundled translator for a script: plain functions and texts. An engine has one model. A function that fails returns null, and
/// translate_problem says what is wrong.

extern "C" {

/// Memory for so many bytes that the script writes: 0 the model's description, 1 its vocabulary, 2 its weights, 3 a text to translate.
char* translate_room(int which, int bytes);

/// Makes the model of what was written, and gives that memory back. Returns its parameters' number as a text, or null.
const char* translate_load();

/// Translates the text that was written, with a beam of this size; returns its translation, or null.
const char* translate_text(int beam);

/// What the last translation comes from, as JSON, or null:
///
///     the members of translation_json.hpp, without n_best's tokens; nothing more for a text that is copied
///     attention, steps   as in inside_json.hpp
///     tree               [[{"parent", "text", "log_prob", "ended"}]]: the beams that each step of the search keeps, the best first.
///                        "parent" is the place of a beam among those of the step before that have not ended.
const char* translate_inside();

const char* translate_problem();
}
