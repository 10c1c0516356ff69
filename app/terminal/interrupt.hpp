#pragma once
/// \file
/// Ctrl-C: the first one asks the command to stop where nothing is lost; the second one stops the program at once.

namespace gradus {

/// If a program that reads our messages ends (such as `tee`, with the same Ctrl-C), this program continues; unread
/// messages are lost.
void ignore_closed_pipes();

/// From now on interrupts are noted, and closed pipes ignored. `answer`, a literal, is the message for the first
/// interrupt: what the command then does.
void catch_interrupts(const char* answer);
bool was_interrupted();
bool was_ended_by_control_c();  ///< the interrupt was SIGINT, and not SIGTERM or SIGHUP

/// From now on SIGUSR1 is noted, instead of ending the program. Slurm can send it before a job's time ends.
void catch_wishes_to_save();
bool was_asked_to_save();  ///< true once after it came

}  // namespace gradus
