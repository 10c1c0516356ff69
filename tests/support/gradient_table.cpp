#include "support/gradient_table.hpp"

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "gradus/util/error.hpp"

namespace gradus::test {
namespace {

using Json = nlohmann::ordered_json;

/// The results of both judges for one gradient.
struct Row {
  std::string component, tensor, device;
  std::optional<Verdict> difference, dual;
};

/// The verdict with the larger error; NaN is the largest.
void keep_worse(std::optional<Verdict>& kept, const Verdict& v) {
  if (!kept || !(v.error <= kept->error)) kept = v;
}

bool is_zero(const Row& row) { return row.dual->judge == "zero by theorem"; }

Json json_of(const Row& row) {
  Json json{{"component", row.component}, {"tensor", row.tensor}, {"device", row.device}};
  if (is_zero(row)) {
    json["largest"] = row.dual->error, json["bound"] = row.dual->bound;
    return json;
  }
  const auto of_difference = [&](double Verdict::*number) {
    return row.difference ? Json((*row.difference).*number) : Json(nullptr);
  };
  json["finite_difference"] = of_difference(&Verdict::error);
  json["finite_difference_bound"] = of_difference(&Verdict::bound);
  json["h"] = of_difference(&Verdict::step);
  json["dual"] = row.dual->error, json["dual_bound"] = row.dual->bound;
  return json;
}

struct Table {
  std::vector<Row> rows;  ///< a verdict "zero by theorem" is stored in `dual`

  Row& row_of(const Verdict& v, bool may_be_there) {
    for (Row& row : rows) {
      if (row.component != v.component || row.tensor != v.tensor || row.device != v.device) continue;
      if (may_be_there) return row;
      fail("two cases are called " + v.component + ": " + v.tensor + " on " + v.device + " comes twice");
    }
    rows.push_back({v.component, v.tensor, v.device, {}, {}});
    return rows.back();
  }

  void add(const Verdicts& differences, const Verdicts& duals, bool may_be_there) {
    for (const Verdict& d : duals) {
      Row& row = row_of(d, may_be_there);
      keep_worse(row.dual, d);
      for (const Verdict& f : differences) {
        if (f.tensor == d.tensor) keep_worse(row.difference, f);
      }
    }
  }

  ~Table() {
    const char* const path = std::getenv("GRADUS_GRADIENTS");
    if (path == nullptr) return;
    Json gradients = Json::array(), zero = Json::array();
    for (const Row& row : rows) (is_zero(row) ? zero : gradients).push_back(json_of(row));
    std::ofstream(path) << Json{{"gradients", gradients}, {"zero", zero}}.dump(1) << "\n";
  }
};

Table& table() {
  static Table the_table;
  return the_table;
}

}  // namespace

void record_gradients(const Verdicts& differences, const Verdicts& duals) {
  table().add(differences, duals, false);
}

void record_kernel_gradients(const Verdicts& differences, const Verdicts& duals) {
  table().add(differences, duals, true);
}

bool only_gradients_wanted() { return std::getenv("GRADUS_GRADIENTS") != nullptr; }

}  // namespace gradus::test
