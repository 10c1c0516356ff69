#pragma once

#include "chapters/11_translator/cached_decoder_case.hpp"
#include "exercises/exercise.hpp"

namespace gradus::test {

struct CacheExercise : Exercise {
  static Component judged(const CachedDecoderCase& c) { return cached_decoder(c); }
  template <class F>
  static void each_case(F&& f) {
    f(CachedDecoderCase{Norm::pre}, "");
    f(CachedDecoderCase{Norm::post}, "");
  }
};

}  // namespace gradus::test
