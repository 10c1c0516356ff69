#include "gradus/tensor/view.hpp"

#include <numeric>
#include <vector>

#include "gradus/tensor/check.hpp"
#include "gradus/tensor/segments.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// 4 x 6 with value 10 row + column, inside rows of 8.
struct Table {
  std::vector<double> memory = std::vector<double>(4 * 8, -1);
  View<double, 2, Host> view{memory.data(), {4, 6}, 8};

  Table() {
    for (std::size_t i = 0; i < 4; ++i) std::iota(view.row(i), view.row(i) + 6, 10.0 * static_cast<double>(i));
  }
};

}  // namespace

TEST_CASE("views: rows and columns show the same memory") {
  Table t;
  const auto some_rows = rows(t.view, 1, 2);
  CHECK(some_rows.extent == std::array<std::size_t, 2>{2, 6});
  CHECK(some_rows.row(1)[5] == 25);

  const auto some_columns = columns(t.view, 2, 3);
  CHECK(some_columns.extent == std::array<std::size_t, 2>{4, 3});
  CHECK(some_columns.row(3)[0] == 32);

  const auto inner = columns(rows(t.view, 2, 2), 4, 2);
  CHECK(inner.row(1)[1] == 35);
  inner.row(1)[1] = 99;
  CHECK(t.view.row(3)[5] == 99);

  const View<const double, 2, Host> read_only = t.view;
  CHECK(columns(read_only, 5, 1).row(0)[0] == 5);
}

TEST_CASE("views: vectors, their slices and the matrices they are") {
  std::vector<double> memory(12);
  std::iota(memory.begin(), memory.end(), 0.0);
  const View<double, 1, Host> v{memory.data(), {12}, 12};
  CHECK(slice(v, 5, 3).extent[0] == 3);
  CHECK(slice(v, 5, 3)[2] == 7);
  const auto m = as_matrix(v, 3, 4);
  CHECK(m.row(2)[1] == 9);
  CHECK(as_vector(m).extent[0] == 12);
  CHECK(as_vector(m)[11] == 11);
  CHECK_THROWS_WITH(as_vector(columns(m, 0, m.extent[1] - 1)), contains("gaps"));
  CHECK(as_vector(rows(columns(m, 0, 2), 1, 1)).extent[0] == 2);  // one row has no gap
}

TEST_CASE("views: an empty range of rows or columns is empty, and still there") {
  Table t;
  CHECK(rows(t.view, 4, 0).extent == std::array<std::size_t, 2>{0, 6});
  CHECK(columns(t.view, 0, 0));
}

TEST_CASE("shape checks name the tensor and both shapes") {
  Table t;
  CHECK_NOTHROW(check_shape("leaf: x", t.view, {4, 6}));
  CHECK_THROWS_WITH(check_shape("leaf: x", t.view, {4, 5}),
                    contains("leaf: x") && contains("(4, 6)") && contains("(4, 5)"));
  CHECK_NOTHROW(check_optional("leaf: b", View<double, 1, Host>{}, {7}));
  CHECK_THROWS_AS(check_optional("leaf: x", t.view, {6, 4}), Error);
}

TEST_CASE("segments: packed from row 0, in order, empty sentences too") {
  const SegmentTable table = SegmentTable::packed({3, 0, 5});
  CHECK(table.begin == std::vector<std::int32_t>{0, 3, 3});
  CHECK(table.rows == 8);
  CHECK(table.longest == 5);
  CHECK(table.view().sentences() == 3);
  CHECK(table.view().length[2] == 5);

  const SegmentTable nothing = SegmentTable::packed({});
  CHECK(nothing.rows == 0);
  CHECK(nothing.view().sentences() == 0);
}
