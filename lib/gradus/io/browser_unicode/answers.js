// What utf8proc.cpp asks of the browser: it answers by its normalisation, and by the properties of its regular expressions. Emscripten links
// those of these functions that are called.
mergeInto(LibraryManager.library, {
  $browserHas: function (properties, c) {
    return new RegExp("^[" + properties + "]$", "u").test(String.fromCodePoint(c));
  },

  browser_category__deps: ["$browserHas"],
  browser_category: function (c) {
    const names = "Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Zl Zp Cc Cf Cs Co".split(" ");
    return 1 + names.findIndex((name) => browserHas("\\p{" + name + "}", c));
  },

  browser_is_ignorable__deps: ["$browserHas"],
  browser_is_ignorable: function (c) {
    return Number(browserHas("\\p{Default_Ignorable_Code_Point}", c));
  },

  // Form D sorts neighbouring marks by their classes, which tells where a class lies: U+0334 is of class 1, U+0345 of 240, U+3099 of 8,
  // U+05B0 of 10. Class 0 is never sorted.
  browser_combining_class: function (c) {
    const own = String.fromCodePoint(c);
    const isSorted = (text) => text.normalize("NFD") !== text;
    if (isSorted(own)) return 0; // it has parts
    if (isSorted(own + "\u3099") && isSorted("\u05B0" + own)) return 9;
    return Number(isSorted(own + "\u0334") || isSorted("\u0345" + own));
  },

  browser_lower: function (c) {
    return String.fromCodePoint(c).toLowerCase().codePointAt(0);
  },
  browser_upper: function (c) {
    return String.fromCodePoint(c).toUpperCase().codePointAt(0);
  },

  browser_parts: function (c, to, most, isCompatible) {
    const parts = Array.from(String.fromCodePoint(c).normalize(isCompatible ? "NFKD" : "NFD"));
    parts.slice(0, most).forEach((part, i) => { HEAP32[to / 4 + i] = part.codePointAt(0); });
    return parts.length;
  },

  browser_form_c: function (text, to, most) {
    stringToUTF8(UTF8ToString(text).normalize("NFC"), to, most);
  },

  // East Asian letters, emoji and full-width signs have two columns.
  browser_columns__deps: ["$browserHas"],
  browser_columns: function (c) {
    const scripts = "Han Hiragana Katakana Hangul Bopomofo Yi Tangut Khitan_Small_Script Nushu".split(" ").map((name) => "\\p{Script=" + name + "}").join("");
    const isHalf = (c > 0xFF60 && c < 0xFFE0) || (c >= 0x1160 && c < 0x1200) || (c >= 0xD7B0 && c < 0xD800); // and parts of a Hangul syllable
    if (browserHas("\\p{Mn}\\p{Me}\\p{Cf}\\p{Cc}", c)) return 0;
    return !isHalf && browserHas(scripts + "\\p{Emoji_Presentation}\\u3000-\\u303E\\uFF01-\\uFF60\\uFFE0-\\uFFE6", c) ? 2 : 1;
  },

  browser_breaks: function (c, next) {
    return Number(Array.from(new Intl.Segmenter("en").segment(String.fromCodePoint(c, next))).length > 1);
  },
});
