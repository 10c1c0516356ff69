#include "gradus/params/layout.hpp"

#include "gradus/device/device.hpp"
#include "gradus/params/flat_vector.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

using Dev = Cpu<double>;

/// The parameters as a composite lists them: weights, norms and tables mixed, one name twice.
struct Params {
  View<double, 2, Host> table, w, output, second;
  View<double, 1, Host> gamma, b;
};
Params list(Binder<Dev>& bind) {
  Params p;
  p.table = bind.table("table", 5, 2, true);
  p.w = bind.weight("w", 2, 3);
  p.gamma = bind.gain("gamma", 3);
  p.output = bind.table("table", 5, 2, true);
  p.second = bind.weight("second", 3, 2);
  p.b = bind.bias("b", 2, 3);
  return p;
}

Layout declared() {
  Layout layout;
  Binder<Dev> bind(layout);
  list(bind);
  layout.finish();
  return layout;
}

}  // namespace

TEST_CASE("layout: what decays stands first, slices of like sizes in the order of declaration") {
  const Layout layout = declared();
  std::vector<std::string> names;
  std::size_t end = 0;
  for (const Slice& slice : layout.slices()) {
    names.push_back(slice.name);
    CHECK(slice.offset == end);
    CHECK((slice.kind == Kind::weight) == (slice.offset < layout.decaying()));
    end += slice.size();
  }
  CHECK(names == std::vector<std::string>{"w", "second", "table", "gamma", "b"});
  CHECK(layout.decaying() == 6 + 6);
  CHECK(layout.size() == 6 + 6 + 10 + 3 + 2);
  CHECK(end == layout.size());
}

TEST_CASE("layout: a bias of an odd size moves no other slice from its multiple of 16 bytes") {
  Layout layout;
  layout.declare({"odd_bias", Kind::bias, {5}});
  layout.declare({"gamma", Kind::gain, {8}});
  layout.declare({"weight", Kind::weight, {2, 4}});
  layout.declare({"table", Kind::embedding, {3, 4}});
  layout.declare({"last_bias", Kind::bias, {3}});
  layout.finish();
  const auto at = [&](const char* name) { return layout.find(name).offset; };
  CHECK(at("weight") == 0);
  CHECK(layout.decaying() == 8);
  CHECK(at("gamma") == 8);
  CHECK(at("table") == 8 + 8);
  CHECK(at("odd_bias") == 8 + 8 + 12);
  CHECK(at("last_bias") == 8 + 8 + 12 + 5);
  CHECK(layout.size() == 8 + 8 + 12 + 5 + 3);
  CHECK(layout.slices()[1].name == "odd_bias");  // files and first weights keep the order of declaration
}

TEST_CASE("layout: a weight of an odd size lies behind the other weights, and before all that does not decay") {
  Layout layout;
  layout.declare({"odd", Kind::weight, {3, 3}});
  layout.declare({"gamma", Kind::gain, {8}});
  layout.declare({"even", Kind::weight, {2, 4}});
  layout.finish();
  CHECK(layout.find("even").offset == 0);
  CHECK(layout.find("odd").offset == 8);
  CHECK(layout.decaying() == 8 + 9);
  CHECK(layout.find("gamma").offset == 8 + 9);
}

TEST_CASE("layout: a model without weights that decay has its boundary at the start") {
  Layout layout;
  layout.declare({"b", Kind::bias, {4}});
  layout.finish();
  CHECK(layout.decaying() == 0);
  CHECK(layout.size() == 4);
}

TEST_CASE("layout: a name declared twice is one slice, and must have one shape") {
  Layout layout;
  layout.declare({"table", Kind::embedding, {5, 2}});
  layout.declare({"table", Kind::embedding, {5, 2}});
  CHECK(layout.slices().size() == 1);
  CHECK_THROWS_WITH(layout.declare({"table", Kind::embedding, {2, 5}}), contains("table"));
  CHECK_THROWS_WITH(layout.find("no_such"), contains("no_such"));
}

TEST_CASE("binder: tied names share their memory, other names do not") {
  const Layout layout = declared();
  FlatVector<Dev> flat(layout);
  for (std::size_t i = 0; i < layout.size(); ++i) flat.flat().data[i] = static_cast<double>(i);
  Binder<Dev> bind(layout, flat.flat());
  const Params p = list(bind);
  CHECK(p.output.data == p.table.data);
  CHECK(p.w.data == flat.flat().data);
  CHECK(p.second.data == flat.flat().data + 6);
  CHECK(p.table.data == flat.flat().data + 12);
  CHECK(p.gamma.data == flat.flat().data + 22);
  CHECK(p.b.data == flat.flat().data + 25);
  CHECK(p.w.row(1)[2] == 5);
  CHECK(p.second.extent == std::array<std::size_t, 2>{3, 2});
}

TEST_CASE("binder: without a flat vector it declares, and hands out views that are absent") {
  Layout layout;
  Binder<Dev> bind(layout);
  const Params p = list(bind);
  CHECK_FALSE(p.w);
  CHECK(layout.slices().size() == 5);
}
