// Translates its arguments, one sentence each, with the model that is installed beside the library.
#include <exception>
#include <iostream>

#include "11_translator/translator/translator.hpp"

int main(int argc, char** argv) try {
  const auto translator = gradus::Translator::load(MODEL);
  for (int i = 1; i < argc; ++i) std::cout << translator.translate(argv[i]) << '\n';
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
