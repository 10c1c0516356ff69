#pragma once
/// \file
/// The orders in which the host layer can run a kernel's threads.

#include "gradus/gpu/host/block.hpp"

namespace gradus::test {

/// Runs `f` in each kind of order (two of them shuffled), and then restores the ascending one.
template <class F>
void in_every_order(F&& f) {
  using gpu::host::Order;
  for (const unsigned seed : {7U, 8U}) {
    for (const Order order : {Order::descending, Order::shuffled, Order::ascending}) {
      gpu::host::set_order(order, seed);
      f();
    }
  }
}

}  // namespace gradus::test
