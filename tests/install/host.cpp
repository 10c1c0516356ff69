// A program that uses OpenBLAS itself, and catches the library's exceptions. Prints one line for each fault.
#include <iostream>
#include <string>

#include "09_transformer/config.hpp"
#include "11_translator/translator/translator.hpp"

extern "C" int openblas_get_num_threads(void);
extern "C" void openblas_set_num_threads(int);

namespace {

void expect(bool holds, const char* what) {
  if (!holds) std::cout << what << '\n';
}

/// An exception caught by reference to its base class keeps its type.
void expect_error() {
  try {
    gradus::Translator::load("/no/such/model");
    expect(false, "a model that is not there was loaded");
  } catch (const gradus::Error& error) {
    expect(dynamic_cast<const gradus::UsageError*>(&error) == nullptr, "an Error takes itself for a UsageError");
    expect(std::string(error.what()).find("/no/such/model") != std::string::npos,
           "the error does not name the folder");
  }
}

void expect_usage_error() {
  try {
    gradus::ModelConfig().check();
    expect(false, "a model without words was accepted");
  } catch (const gradus::Error& error) {
    expect(dynamic_cast<const gradus::UsageError*>(&error) != nullptr, "a UsageError does not know what it is");
  }
}

}  // namespace

int main() {
  openblas_set_num_threads(3);
  const int before = openblas_get_num_threads();  // 1 if OpenBLAS was built without threads
  expect(gradus::Translator::load(MODEL).translate("A dog runs through the snow.") ==
             "Ein Hund rennt durch den Schnee.",
         "another translation");
  expect(openblas_get_num_threads() == before, "OpenBLAS has another number of threads than before");
  expect_error();
  expect_usage_error();
}
