#include "support/judges.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "gradus/util/error.hpp"
#include "support/gradient_table.hpp"

namespace gradus::test {
namespace {

using Vector = std::vector<double>;

double largest(const Vector& v) {
  double m = 0;
  for (const double x : v) m = worse(m, std::abs(x));
  return m;
}

double largest_gradient(const Named& gradients) {
  double m = 0;
  for (const auto& [name, g] : gradients) m = worse(m, largest(g));
  return m;
}

/// sum over the outputs of dy . change
double project(const Component& c, const Values& values, const Named& change) {
  double sum = 0;
  for (const TensorSpec& t : c.description.tensors()) {
    if (t.role != Role::output) continue;
    const Vector &dy = values.value.at("d" + t.name), &y = change.at(t.name);
    for (std::size_t i = 0; i < y.size(); ++i) sum += dy[i] * y[i];
  }
  return sum;
}

Named difference(const Named& a, const Named& b, double h) {
  Named d = a;
  for (auto& [name, v] : d) {
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = (v[i] - b.at(name)[i]) / (2 * h);
  }
  return d;
}

/// The directions in which a tensor of n elements is probed: all unit vectors up to `limit` elements; above, `some`
/// of them and three random directions.
std::vector<Vector> directions(std::size_t n, std::size_t limit, std::size_t some) {
  std::mt19937_64 generator(n);
  std::normal_distribution<double> normal;
  std::vector<Vector> result;
  const std::size_t step = n <= limit ? 1 : n / some;
  for (std::size_t i = 0; i < n; i += step) {
    Vector unit(n, 0.0);
    unit[i] = 1;
    result.push_back(std::move(unit));
  }
  for (int k = 0; n > limit && k < 3; ++k) {
    Vector random(n);
    for (double& x : random) x = normal(generator);
    result.push_back(std::move(random));
  }
  return result;
}

double dot(const Vector& a, const Vector& b) {
  double s = 0;
  for (std::size_t i = 0; i < a.size(); ++i) s += a[i] * b[i];
  return s;
}

bool is_unit(const Vector& u) {
  return std::count(u.begin(), u.end(), 0.0) == static_cast<std::ptrdiff_t>(u.size()) - 1;
}

/// Compares the measured slopes along `along` with those that follow from the gradient.
double slope_error(const Vector& gradient, const std::vector<Vector>& along, const Vector& found, double scale) {
  const double floor = std::max(largest(gradient), 1e-3 * scale);
  double error = 0;
  for (std::size_t k = 0; k < along.size(); ++k) {
    double size = floor;
    if (!is_unit(along[k])) {
      size = 0;
      for (std::size_t i = 0; i < gradient.size(); ++i) size += std::abs(gradient[i] * along[k][i]);
      size = std::max(size, floor);
    }
    size = std::max(size, std::abs(found[k]));
    if (size == 0) size = 1;
    error = worse(error, std::abs(dot(gradient, along[k]) - found[k]) / size);
  }
  return error;
}

template <class F>
void each_differentiable(const Component& c, F&& f) {
  for (const TensorSpec& t : c.description.tensors()) {
    if (t.role != Role::output && t.differentiable && t.size() != 0) f(t);
  }
}

}  // namespace

Values random_values(const Description& description, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  Values values;
  for (const TensorSpec& t : description.tensors()) {
    const bool is_output = t.role == Role::output;
    Vector v(t.size());
    for (double& x : v) x = (is_output ? 1 : t.scale) * normal(generator);
    values.value[is_output ? "d" + t.name : t.name] = std::move(v);
  }
  return values;
}

Verdicts finite_differences(const Component& c, const Runner& r, const Bounds& bounds) {
  const Values at = random_values(c.description);
  const Named gradient = r.run(at, {}).gradient;
  const double scale = largest_gradient(gradient);
  RunOptions forward_only;
  forward_only.backward = false;
  Verdicts verdicts;
  each_differentiable(c, [&](const TensorSpec& t) {
    const auto along = directions(t.size(), 2000, 200);
    Verdict best{"finite differences",
                 c.description.component,
                 t.name,
                 r.device,
                 std::numeric_limits<double>::quiet_NaN(),
                 bounds.finite_differences,
                 0};
    for (const double h : {1e-4, 1e-5, 1e-6, 1e-7}) {
      Vector found;
      for (const Vector& u : along) {
        Values plus = at, minus = at;
        for (std::size_t i = 0; i < u.size(); ++i) {
          plus.value[t.name][i] += h * u[i];
          minus.value[t.name][i] -= h * u[i];
        }
        const Named y = r.run(plus, forward_only).output, z = r.run(minus, forward_only).output;
        found.push_back(project(c, at, difference(y, z, h)));
      }
      const double error = slope_error(gradient.at(t.name), along, found, scale);
      if (std::isnan(best.error) || error < best.error) best.error = error, best.step = h;
    }
    if (!t.zero_by_theorem) verdicts.push_back(best);
  });
  return verdicts;
}

Verdicts dual_numbers(const Component& c, const Runner& r, const Bounds& bounds) {
  const Values at = random_values(c.description);
  const Named gradient = r.run(at, {}).gradient;
  const double scale = largest_gradient(gradient);
  Verdicts verdicts;
  each_differentiable(c, [&](const TensorSpec& t) {
    if (t.zero_by_theorem) {
      verdicts.push_back({"zero by theorem", c.description.component, t.name, r.device,
                          largest(gradient.at(t.name)) / (scale == 0 ? 1 : scale), bounds.zero, 0});
      return;
    }
    const auto along = directions(t.size(), 300, 30);
    Vector found;
    for (const Vector& u : along) {
      Values tilted = at;
      tilted.slope[t.name] = u;
      found.push_back(project(c, at, c.dual.run(tilted, {}).slope));
    }
    verdicts.push_back({"dual numbers", c.description.component, t.name, r.device,
                        slope_error(gradient.at(t.name), along, found, scale), bounds.dual, 0});
  });
  return verdicts;
}

Verdicts parity(const Component& c, const Runner& r, const Bounds& bounds) {
  const Values at = random_values(c.description, 2);
  const Run expected = c.devices.front().run(at, {}), found = r.run(at, {});
  const double bound = r.is_double ? bounds.parity_double : bounds.parity_float;
  const double gradient_bound = r.is_double ? bounds.parity_double : bounds.parity_float_gradient;
  const double scale = largest_gradient(expected.gradient);
  Verdicts verdicts;
  for (const auto& [name, y] : expected.output) {
    verdicts.push_back(
        {"parity", c.description.component, name, r.device, relative_error(found.output.at(name), y), bound, 0});
  }
  each_differentiable(c, [&](const TensorSpec& t) {
    if (t.zero_by_theorem) return;
    verdicts.push_back({"parity", c.description.component, "d" + t.name, r.device,
                        relative_error(found.gradient.at(t.name), expected.gradient.at(t.name), scale),
                        gradient_bound, 0});
  });
  return verdicts;
}

bool rejected(const Verdicts& verdicts) {
  return std::any_of(verdicts.begin(), verdicts.end(), [](const Verdict& v) { return !v.passed(); });
}

void append(Verdicts& to, const Verdicts& more) { to.insert(to.end(), more.begin(), more.end()); }

Verdicts gradients(const Component& c, const Bounds& bounds) {
  Verdicts all;
  for (const Runner& r : c.devices) {
    if (!r.is_double) continue;
    const Verdicts differences = finite_differences(c, r, bounds), duals = dual_numbers(c, r, bounds);
    record_gradients(differences, duals);
    append(all, differences);
    append(all, duals);
  }
  return all;
}

Verdicts all_judges(const Component& c, const Bounds& bounds) {
  Verdicts all = gradients(c, bounds);
  for (const Runner& r : c.devices) {
    if (&r != &c.devices.front()) append(all, parity(c, r, bounds));
    append(all, contract(c, r));
  }
  return all;
}

Verdicts golden(const Component& c, const std::string& file, const Bounds& bounds) {
  Verdicts all;
  for (const Runner& r : c.devices) {
    if (r.is_double) append(all, golden(c, r, file, bounds));
  }
  return all;
}

}  // namespace gradus::test
