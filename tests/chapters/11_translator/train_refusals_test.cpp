// Options of `gradus train` that contradict each other or that have no effect.
#include "chapters/11_translator/word_training.hpp"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("train: choices that do not go together are refused") {
  const Playground place("together");
  const std::pair<const char*, const char*> choices[] = {
      {"--batch-tokens 100 --batch-sentences 8", "--batch-tokens and --batch-sentences exclude each other"},
      {"--keep-best --average-last 3", "--average-last and --keep-best exclude each other"},
      {"--momentum 0.9", "--momentum is for --optimizer sgd"},
      {"--optimizer sgd --adam-beta1 0.8", "--adam-beta1 is for --optimizer adam"},
      {"--decay coupled", "--decay has no effect without"},
      {"--attention-bias --no-attention-output-bias",
       "--attention-output-bias cannot be off with --attention-bias"},
      {"--decay-all", "--decay-all has no effect without"},
      {"--init pytorch --init-biases", "--init-biases has no effect with --init pytorch"},
      {"--init xavier --init-sigma 0.1", "--init-sigma is for --init normal"},
      {"--plateau-delay 3", "--plateau-delay is for --schedule plateau"},
      {"--schedule plateau --plateau-factor 1", "1 is not above 0 and below 1"},
      {"--schedule plateau --plateau-threshold 1", "1 is not between"},
      {"--schedule plateau --decay-steps 9", "--decay-steps is for --schedule linear"},
      {"--min-frequency 2", "--min-frequency needs --tokenizer word"},
      {"--learning-rate nan", "--learning-rate"},
      {"--config -", "--config needs the name of a file"},
      {"--adam-beta1 1", "1 is not at least 0 and below 1"},
      {"--learning-rate 0", "0 is not above 0 and at most 1000000"},
      {"--dropout 1", "1 is not between 0 and 0.99"},
      {"--warmup -3", "-3 is not between 0 and 1000000000"},
      {"--dropout inf", "--dropout"},
      {"--tokenizer letters", "sentencepiece, word"},
      {"--tokenizer imported", "--tokenizer imported needs --init-from"},
      {"--data a --train-source b", "--data and --train-source exclude each other"},
      {"--train-source b --output c", "the text is missing"},
      {"--data a --train b", "--data and --train exclude each other"},
      {"--data a --valid b", "--data and --valid exclude each other"},
      {"--train a --train-target b", "--train and --train-target exclude each other"},
      {"--train a --valid b --valid-source c", "--valid and --valid-source exclude each other"},
      {"--train a --valid b --valid-split 7", "--valid-split and --valid exclude each other"},
      {"--train - --valid - --output c", "--train and --valid both read the standard input"},
      {"--train a --output c", "the text for validation is missing; give --valid FILE"},
      {"--train a --valid-source b --output c", "the text for validation is missing"},
      {"--train-target a --valid b --output c", "the text is missing"},
      {"--valid-split 0", "0 is not between"},
      {"--no-tied", "there is no option --no-tied; did you mean --untied?"},
      {"--train a --valid b --mix-source c", "--mix-source and --mix-target belong together"},
      {"--train a --valid b --mix-target c", "--mix-source and --mix-target belong together"},
      {"--train a --valid b --mix-share 0.5", "--mix-share needs --mix-source"},
      {"--train a --valid b --preset fine-tune --output c", "--preset fine-tune needs --init-from"},
      {"--tokenizer word --symbols a", "--symbols needs --tokenizer sentencepiece"},
      {"--init-from en-de --symbols a", "--symbols needs --tokenizer sentencepiece, and no --init-from"},
      {"--layers 2 --encoder-layers 3 --decoder-layers 3", "--layers has no effect with both --encoder-layers"},
      {"--dropout 0.1 --embedding-dropout 0 --attention-dropout 0 --activation-dropout 0 --residual-dropout 0",
       "--dropout has no effect with all four of its places given"},
      {"--source-lang fr --train a --valid b", "--source-lang is for --data"},
      {"--target-lang fr --train-source a --train-target b", "--target-lang is for --data"},
      {"--train a --valid b --output c --ids c/model.json", "--ids c/model.json: the run keeps another file"},
      {"--train a --valid b --output ./c/ --log-json c/../c/recent-3.safetensors", "--log-json c/../c/recent-3"},
      {"--vocab-size 3", "--vocab-size of 3"}};
  for (const auto& [choice, about] : choices) {
    INFO(choice);
    expect_usage_error(gradus_program(place, std::string("train ") + choice), about);
  }
  for (const char* words :
       {"--layers 2 --encoder-layers 3", "--dropout 0.1 --embedding-dropout 0 --attention-dropout 0",
        "--source-lang fr", "--preset umar-jamil --layers 2"}) {
    INFO(words);
    CHECK(gradus_program(place, std::string("train --dump-config ") + words).status == 0);
  }
  const std::string text = word_training(place);
  expect_usage_error(gradus_program(place, text + "--output ''"), "--output is empty; give the name of a folder");
  expect_usage_error(gradus_program(place, text + "--log-json -"), "--log-json needs a file");
  expect_usage_error(gradus_program(place, text + "--source-lang de"), "are both de");
  expect_usage_error(gradus_program(place, text + "--products tf32"), "--products tf32 is for a GPU");
  const Result file =
      gradus_program(place, "train --data " + place.file("text/train.en") + " --output " + place.file("run"));
  expect_refusal(file, "--data " + place.file("text/train.en") + " is a file, and not a folder; a file of pairs");
  const Result missing = gradus_program(place, text + "--target-lang fr");
  CHECK(missing.status == 1);
  CHECK(contains(missing.err, "train.fr is missing"));
  CHECK_FALSE(std::filesystem::exists(place.file("run")));
}
