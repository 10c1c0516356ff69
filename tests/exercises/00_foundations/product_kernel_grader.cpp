#include "exercises/00_foundations/product_kernel_exercise.hpp"
#include "exercises/grader.hpp"

using namespace gradus::test;

int main(int count, char** arguments) {
  Graded g = graded<ProductKernelExercise>("00_foundations");
  g.errors = {{"thread-returns-early", "after some threads of the block have returned"},
              {"thread-returns-early", "a thread returned while others of its block wait"}};
  return grade(g, count, arguments);
}
