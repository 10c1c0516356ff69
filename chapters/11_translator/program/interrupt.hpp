#pragma once
/// \file
/// Ctrl-C: the first asks the training to finish its step and save, the second stops the program at once.

namespace gradus {

void catch_interrupts();
bool was_interrupted();

}  // namespace gradus
