#pragma once
/// \file
/// Bounds for the limits of warnings, chosen on six kinds of text by tests/measure/bench/warning_rates.py.

namespace gradus {

/// Nats a token: a translation of at least this mean log probability is a sure one, whatever the model's validation was
/// like. A model that is always sure would otherwise be called unsure of its least sure translation.
constexpr double unusual_at_most = -0.35, hesitant_at_most = -0.25;

/// The limit of hesitation lies where the mean chrF2 of the translations below is this share of the mean of all.
constexpr double worse_share = 0.75;

/// Models of earlier versions have no limit of hesitation. This share of unusual_below was chosen on every second sentence
/// of the list that tests/measure/bench/warning_rates.py uses.
constexpr double earlier_hesitant_share = 0.5;

}  // namespace gradus
