#pragma once
/// \file
/// Ctrl-C: the first asks the command to stop where nothing is lost, the second stops the program at once.

namespace gradus {

/// From now on interrupts are noted, and a reader of our messages that ends, as `tee` does with the same Ctrl-C, stops
/// nothing: what it does not read is lost. `answer`, a literal, is what the first interrupt is told.
void catch_interrupts(const char* answer = "\nfinishing this step and saving; once more stops at once\n");
bool was_interrupted();

}  // namespace gradus
