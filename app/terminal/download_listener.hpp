#pragma once
/// \file
/// A download on the terminal.

#include "11_translator/data/data_set.hpp"

namespace gradus {

/// Notes interrupts from now on (catch_interrupts). The listener's lines go to the console; on a terminal, a line says how far
/// the download is. The first interrupt stops it.
DataListener download_listener();

/// Says that the same command goes on. Returns the exit status of a command that was interrupted.
int interrupted_download();

}  // namespace gradus
