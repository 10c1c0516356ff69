#pragma once
/// \file
/// The lessons that are live, each in lessons/NN_chapter.cpp.

#include "live/lesson.hpp"

namespace gradus::page {

Lesson linear_lesson();        // 00
Lesson attention_lesson();     // 03
Lesson layer_norm_lesson();    // 05
Lesson feed_forward_lesson();  // 06

}  // namespace gradus::page
