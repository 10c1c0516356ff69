#include "support/gradient_table.hpp"

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

namespace gradus::test {
namespace {

struct Table {
  nlohmann::ordered_json gradients = nlohmann::ordered_json::array(), zero = nlohmann::ordered_json::array();

  ~Table() {
    if (const char* path = std::getenv("GRADUS_GRADIENTS")) {
      std::ofstream(path) << nlohmann::ordered_json{{"gradients", gradients}, {"zero", zero}}.dump(1) << "\n";
    }
  }
};

Table& table() {
  static Table the_table;
  return the_table;
}

}  // namespace

void record_gradients(const Verdicts& differences, const Verdicts& duals) {
  for (const Verdict& d : duals) {
    if (d.judge == "zero by theorem") {
      table().zero.push_back(
          {{"component", d.component}, {"tensor", d.tensor}, {"device", d.device}, {"largest", d.error}});
      continue;
    }
    nlohmann::ordered_json row{{"component", d.component},     {"tensor", d.tensor}, {"device", d.device},
                               {"finite_difference", nullptr}, {"h", nullptr},       {"dual", d.error}};
    for (const Verdict& f : differences) {
      if (f.tensor == d.tensor) row["finite_difference"] = f.error, row["h"] = f.step;
    }
    table().gradients.push_back(row);
  }
}

}  // namespace gradus::test
