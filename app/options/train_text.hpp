#pragma once
/// \file
/// Where the text of a training comes from: a folder, files of one language each, or files of pairs.

namespace CLI {
class App;
}

namespace gradus {

struct TrainOptions;

/// Fills the files, the output folder and the title of `options.request`. Throws UsageError, one line, if the options name no text, or
/// more than one.
void resolve_train_text(const CLI::App& command, TrainOptions& options);

}  // namespace gradus
