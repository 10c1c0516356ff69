#include "support/names.hpp"

#include "gradus/device/choice.hpp"
#include "gradus/device/products.hpp"

namespace {

enum class Colour { red, green, blue, none };

}  // namespace

namespace gradus {

template <>
struct Names<Colour> {
  static constexpr const char* noun = "colour";
  static constexpr Name<Colour> table[] = {{Colour::blue, "blue"}, {Colour::red, "red"}, {Colour::green, "green"}};
};

}  // namespace gradus

using namespace gradus;

TEST_CASE("names: a value has its word and a word its value, whatever the order of the table") {
  CHECK(std::string(name_of(Colour::green)) == "green");
  CHECK(std::string(name_of(Colour::blue)) == "blue");
  CHECK(parse<Colour>("red") == Colour::red);
  CHECK(value_named<Colour>("blue") == Colour::blue);
  CHECK_FALSE(value_named<Colour>("Red"));
  CHECK(all_names<Colour>() == std::vector<std::string>{"blue", "red", "green"});
}

TEST_CASE("names: another word is refused with those that there are, and so is a value without one") {
  CHECK_THROWS_AS(parse<Colour>("mauve"), UsageError);
  CHECK_THROWS_WITH(parse<Colour>("mau\nve"), "there is no colour \"mau\\nve\": blue, red or green");
  CHECK_THROWS_WITH(parse<Colour>(""), "there is no colour \"\": blue, red or green");
  CHECK_THROWS_WITH(name_of(Colour::none), "there is no name for colour number 3");
}

TEST_CASE("names: of devices and products") {
  test::check_names<DeviceChoice>({"auto", "cpu", "cuda"});
  test::check_names<Products>({"exact", "tf32", "bf16"});
}
