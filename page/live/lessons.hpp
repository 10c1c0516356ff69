#pragma once
/// \file
/// The lessons that are live, each in lessons/NN_chapter.cpp.

#include "live/lesson.hpp"

namespace gradus::page {

Lesson linear_lesson();        // 00
Lesson lookup_lesson();        // 01
Lesson embed_lesson();         // 02
Lesson attention_lesson();     // 03
Lesson masks_lesson();         // 04
Lesson layer_norm_lesson();    // 05
Lesson feed_forward_lesson();  // 06
Lesson encoder_lesson();       // 07
Lesson decoder_lesson();       // 08
Lesson transformer_lesson();   // 09

}  // namespace gradus::page
