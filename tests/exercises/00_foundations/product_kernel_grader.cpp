#include "exercises/00_foundations/product_kernel_exercise.hpp"
#include "exercises/grader.hpp"

using namespace gradus::test;

int main(int count, char** arguments) {
  return grade(graded<ProductKernelExercise>("00_foundations"), count, arguments);
}
