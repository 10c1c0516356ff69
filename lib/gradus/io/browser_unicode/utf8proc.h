#pragma once
/// \file
/// The part of utf8proc's interface that gradus/io uses, where the tables are those of the browser: for WebAssembly. What no function
/// of the page calls is declared only.

#include <cstddef>
#include <cstdint>

using utf8proc_uint8_t = std::uint8_t;
using utf8proc_int32_t = std::int32_t;
using utf8proc_ssize_t = std::ptrdiff_t;

/// The general categories, in utf8proc's order.
enum utf8proc_category_t {
  UTF8PROC_CATEGORY_CN,
  UTF8PROC_CATEGORY_LU,
  UTF8PROC_CATEGORY_LL,
  UTF8PROC_CATEGORY_LT,
  UTF8PROC_CATEGORY_LM,
  UTF8PROC_CATEGORY_LO,
  UTF8PROC_CATEGORY_MN,
  UTF8PROC_CATEGORY_MC,
  UTF8PROC_CATEGORY_ME,
  UTF8PROC_CATEGORY_ND,
  UTF8PROC_CATEGORY_NL,
  UTF8PROC_CATEGORY_NO,
  UTF8PROC_CATEGORY_PC,
  UTF8PROC_CATEGORY_PD,
  UTF8PROC_CATEGORY_PS,
  UTF8PROC_CATEGORY_PE,
  UTF8PROC_CATEGORY_PI,
  UTF8PROC_CATEGORY_PF,
  UTF8PROC_CATEGORY_PO,
  UTF8PROC_CATEGORY_SM,
  UTF8PROC_CATEGORY_SC,
  UTF8PROC_CATEGORY_SK,
  UTF8PROC_CATEGORY_SO,
  UTF8PROC_CATEGORY_ZS,
  UTF8PROC_CATEGORY_ZL,
  UTF8PROC_CATEGORY_ZP,
  UTF8PROC_CATEGORY_CC,
  UTF8PROC_CATEGORY_CF,
  UTF8PROC_CATEGORY_CS,
  UTF8PROC_CATEGORY_CO
};

enum utf8proc_option_t {
  UTF8PROC_STABLE = 1 << 1,
  UTF8PROC_COMPAT = 1 << 2,
  UTF8PROC_COMPOSE = 1 << 3,
  UTF8PROC_DECOMPOSE = 1 << 4
};
enum utf8proc_decomp_type_t {
  UTF8PROC_DECOMP_TYPE_SUPER = 1,
  UTF8PROC_DECOMP_TYPE_SUB,
  UTF8PROC_DECOMP_TYPE_FRACTION,
  UTF8PROC_DECOMP_TYPE_OTHER
};

struct utf8proc_property_t {
  int combining_class;  ///< of the classes only 0 and 9, the viramas, are themselves; all others are 1
  int ignorable;
  int decomp_type;  ///< of a character with parts that are only compatible; right for numerals
};

utf8proc_ssize_t utf8proc_iterate(const utf8proc_uint8_t* text, utf8proc_ssize_t size, utf8proc_int32_t* c);
utf8proc_ssize_t utf8proc_encode_char(utf8proc_int32_t c, utf8proc_uint8_t* to);
utf8proc_category_t utf8proc_category(utf8proc_int32_t c);
utf8proc_int32_t utf8proc_tolower(utf8proc_int32_t c);
utf8proc_int32_t utf8proc_toupper(utf8proc_int32_t c);
const utf8proc_property_t* utf8proc_get_property(utf8proc_int32_t c);  ///< valid until the next call

/// The parts of `c` in form D, or KD with UTF8PROC_COMPAT. Returns their number, and writes no more than `most` of them.
utf8proc_ssize_t utf8proc_decompose_char(utf8proc_int32_t c, utf8proc_int32_t* to, utf8proc_ssize_t most,
                                         utf8proc_option_t options, int* last_class);

/// Form C of a text of this size, in memory of malloc; returns its size. `options` are UTF8PROC_STABLE | UTF8PROC_COMPOSE.
utf8proc_ssize_t utf8proc_map(const utf8proc_uint8_t* text, utf8proc_ssize_t size, utf8proc_uint8_t** to,
                              utf8proc_option_t options);

const char* utf8proc_errmsg(utf8proc_ssize_t code);
/// Whether a reader sees these two as two characters; nothing before them counts.
bool utf8proc_grapheme_break_stateful(utf8proc_int32_t c, utf8proc_int32_t next, utf8proc_int32_t* state);
int utf8proc_charwidth(utf8proc_int32_t c);
const char* utf8proc_unicode_version();
const char* utf8proc_version();
