#include "01_embedding/vocabulary.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "gradus/io/atomic_file.hpp"
#include "gradus/util/error.hpp"
#include "support/catch.hpp"

using gradus::Error;
using gradus::Specials;
using gradus::Vocabulary;
using gradus::VocabularyOptions;
using gradus::words_of;
using gradus::test::contains;
using Ids = std::vector<int>;
using Words = std::vector<std::string>;

namespace {

const Words training = {"the cat sleeps", "the dog sees the cat", "a dog."};

VocabularyOptions options(bool lower_case, int min_frequency, Specials specials = {}) {
  VocabularyOptions result;
  result.lower_case = lower_case;
  result.min_frequency = min_frequency;
  result.specials = specials;
  return result;
}

/// A file of this process, removed at the end of the test.
struct TemporaryFile {
  std::string path =
      (std::filesystem::temp_directory_path() / ("gradus_vocabulary_" + std::to_string(getpid()))).string();
  ~TemporaryFile() { std::filesystem::remove(path); }
};

}  // namespace

TEST_CASE("white space separates words and punctuation marks are words of their own") {
  CHECK(words_of("A dog, a cat.", false) == Words{"A", "dog", ",", "a", "cat", "."});
  CHECK(words_of(" \t two\r\n words  ", false) == Words{"two", "words"});
  CHECK(words_of("what?!", false) == Words{"what", "?", "!"});
  CHECK(words_of(std::string("a\0b\x7f", 4) + "c", false) == Words{"a", "b", "c"});
  CHECK(words_of("", false).empty());
  CHECK(words_of(" \n", false).empty());
}

TEST_CASE("hyphens and apostrophes belong to a word only between letters") {
  CHECK(words_of("a T-shirt, man's", false) == Words{"a", "T-shirt", ",", "man's"});
  CHECK(words_of("'dogs' - the boys' co-", false) == Words{"'", "dogs", "'", "-", "the", "boys", "'", "co", "-"});
  CHECK(words_of("a--b .-c", false) == Words{"a", "-", "-", "b", ".", "-", "c"});
}

TEST_CASE("characters beyond ASCII are letters and stay whole") {
  CHECK(words_of("Die Bäume blühen, ÄÖÜß!", false) == Words{"Die", "Bäume", "blühen", ",", "ÄÖÜß", "!"});
  CHECK(words_of("Süd-Öl", false) == Words{"Süd-Öl"});
  CHECK(words_of("Die BÄUME", true) == Words{"die", "bäume"});
}

TEST_CASE("white space of every kind separates words, and so do control characters") {
  for (const char* space : {"\u00A0", "\u202F", "\u2009", "\u3000", "\u2003", "\u1680", "\u205F", "\u2028",
                            "\u2029", "\u0085", "\u200B", "\t", "\r\n", "\x1c", "\u009F"}) {
    CHECK(words_of(std::string("ein") + space + "Hund" + space, false) == Words{"ein", "Hund"});
    CHECK(words_of(std::string(space) + "." + space + "a", false) == Words{".", "a"});
  }
  CHECK(words_of("a\u200Db c\u00ADd \u2060e", false) ==
        Words{"a\u200Db", "c\u00ADd", "\u2060e"});  // invisible, no space
}

TEST_CASE("punctuation marks and signs of every script are words of their own") {
  CHECK(words_of("«Oui», dit-il\u202F: ¿Qué? ¡Sí!", false) ==
        Words{"«", "Oui", "»", ",", "dit-il", ":", "¿", "Qué", "?", "¡", "Sí", "!"});
  CHECK(words_of("„Hallo“ – “so” ‚x‘…", false) ==
        Words{"„", "Hallo", "“", "–", "“", "so", "”", "‚", "x", "‘", "…"});
  CHECK(words_of("你好。世界，「再见」！", false) == Words{"你好", "。", "世界", "，", "「", "再见", "」", "！"});
  CHECK(words_of("एक कुत्ता।رجل؟ Ինչո՞ւ։", false) == Words{"एक", "कुत्ता", "।", "رجل", "؟", "Ինչո", "՞", "ւ", "։"});
  CHECK(words_of("5€ 20°C ½+①", false) == Words{"5", "€", "20", "°", "C", "½", "+", "①"});
  CHECK(words_of("Nr.\u00A05\u2009%", false) == Words{"Nr", ".", "5", "%"});
}

TEST_CASE("letters keep their marks, and what is seen as one character is one word") {
  CHECK(words_of("u\u0308ber cafe\u0301", false) == Words{"u\u0308ber", "cafe\u0301"});
  CHECK(words_of("कुत्ता ผู้หญิง", false) == Words{"कुत्ता", "ผู้หญิง"});
  CHECK(words_of("👍🏽👩‍👩‍👧!🇩🇪🇫🇷❤️", false) ==
        Words{"👍🏽", "👩‍👩‍👧", "!", "🇩🇪", "🇫🇷", "❤️"});
  CHECK(words_of("a\u20DD .\u0308 \u0308", false) == Words{"a\u20DD", ".\u0308", "\u0308"});
}

TEST_CASE("other hyphens, apostrophes and marks inside words join letters as those of ASCII do") {
  CHECK(words_of("c’est l’air T\u2010Shirt T\u2011Shirt paral·lel צה״ל", false) ==
        Words{"c’est", "l’air", "T\u2010Shirt", "T\u2011Shirt", "paral·lel", "צה״ל"});
  CHECK(words_of("’a’ b’ ‐c d‑", false) == Words{"’", "a", "’", "b", "’", "‐", "c", "d", "‑"});
  CHECK(words_of("1’2 a–b", false) == Words{"1’2", "a", "–", "b"});  // a dash joins nothing
}

TEST_CASE("the rules of older vocabularies: every byte above ASCII is a letter") {
  using gradus::words_by_bytes;
  CHECK(words_by_bytes("«Oui», ein\u00A0Hund 你好。 c’est", false) ==
        Words{"«Oui»", ",", "ein\u00A0Hund", "你好。", "c’est"});
  CHECK(words_by_bytes("A T-shirt's \"dog\".\x7f\x01 DIE Ä", true) ==
        Words{"a", "t-shirt's", "\"", "dog", "\"", ".", "die", "ä"});
  CHECK(words_by_bytes("a-- 'b' -c", false) == Words{"a", "-", "-", "'", "b", "'", "-", "c"});
  VocabularyOptions old;
  old.rules = gradus::WordRules::bytes;
  const Vocabulary vocabulary = Vocabulary::learn({"«Oui» ein\u00A0Hund"}, old);
  CHECK(vocabulary.encode("«Oui» Oui") == Ids{5, 1});
  CHECK(vocabulary.decode({4, 5}) == "ein\u00A0Hund «Oui»");
  const Vocabulary back = Vocabulary::parse(vocabulary.text(), "v", false, gradus::WordRules::bytes);
  CHECK(back.encode("«Oui» ein\u00A0Hund") == Ids{5, 4});
  CHECK_THROWS_WITH(Vocabulary::parse(vocabulary.text(), "v"), contains("is not one word"));
}

TEST_CASE("marks of other scripts close up when words are joined") {
  const auto again = [](const std::string& text, gradus::WordRules rules) {
    VocabularyOptions o;
    o.rules = rules;
    const Vocabulary vocabulary = Vocabulary::learn({text}, o);
    return vocabulary.decode(vocabulary.encode(text));
  };
  for (const char* text :
       {"你好，世界。", "（再见）！", "他说：「好」。", "¿Qué? ¡Sí!", "क्या है।", "من هذا؟", "Ja…"})
    CHECK(again(text, gradus::WordRules::unicode) == text);
  CHECK(again("« Oui » – „ja“", gradus::WordRules::unicode) ==
        "« Oui » – „ ja “");  // these open in one language and close in another
  CHECK(again("¿ Qué …", gradus::WordRules::bytes) == "¿ Qué …");
}

TEST_CASE("ids follow frequency, and the alphabet where frequencies are equal") {
  const Vocabulary vocabulary = Vocabulary::learn(training);
  const Words expected = {"<pad>", "<unk>", "<bos>", "<eos>", "the", "cat", "dog", ".", "a", "sees", "sleeps"};
  REQUIRE(vocabulary.size() == 11);
  for (int id = 0; id < 11; ++id) CHECK(vocabulary.word(id) == expected[id]);
  const Vocabulary reversed = Vocabulary::learn({training[2], training[1], training[0]});
  CHECK(reversed.encode(training[1]) == vocabulary.encode(training[1]));
}

TEST_CASE("words become ids and ids words, and nothing is added") {
  const Vocabulary vocabulary = Vocabulary::learn(training);
  CHECK(vocabulary.encode("the cat sleeps") == Ids{4, 5, 10});
  CHECK(vocabulary.decode({4, 5, 10}) == "the cat sleeps");
  for (const std::string& sentence : training) CHECK(vocabulary.decode(vocabulary.encode(sentence)) == sentence);
  CHECK_THROWS_WITH(vocabulary.decode({4, 11}), contains("id 11"));
  CHECK_THROWS_AS(vocabulary.word(-1), Error);
}

TEST_CASE("an empty sentence has no ids, and an empty corpus a vocabulary of specials") {
  CHECK(Vocabulary::learn(training).encode("").empty());
  CHECK(Vocabulary::learn(training).decode({}).empty());
  CHECK(Vocabulary::learn({}).size() == 4);
  CHECK(Vocabulary::learn({"", " "}).encode("a dog") == Ids{1, 1});
}

TEST_CASE("unknown words become unk and no text spells a special word") {
  const Vocabulary vocabulary = Vocabulary::learn(training);
  CHECK(vocabulary.encode("the Cat meows") == Ids{4, 1, 1});
  CHECK(vocabulary.decode({4, 1}) == "the <unk>");
  CHECK(vocabulary.encode("<pad>") == Ids{1, 1, 1});
}

TEST_CASE("a vocabulary contains only words of the training side") {
  const Words test = {"a bird sees the dog."};
  const Vocabulary vocabulary = Vocabulary::learn(training);
  CHECK(vocabulary.encode(test[0]) == Ids{8, 1, 9, 4, 6, 7});
  CHECK(vocabulary.decode(vocabulary.encode(test[0])) == "a <unk> sees the dog.");
}

TEST_CASE("words below the frequency cut-off are unknown") {
  const Vocabulary vocabulary = Vocabulary::learn(training, options(false, 2));
  CHECK(vocabulary.size() == 7);
  CHECK(vocabulary.encode("the cat sees a dog") == Ids{4, 5, 1, 1, 6});
  CHECK(Vocabulary::learn(training, options(false, 4)).size() == 4);
}

TEST_CASE("lower-casing joins what differs by case alone, umlauts too") {
  const Words sentences = {"Äpfel", "äpfel", "Die", "die"};
  CHECK(Vocabulary::learn(sentences).size() == 8);
  const Vocabulary vocabulary = Vocabulary::learn(sentences, options(true, 2));
  CHECK(vocabulary.size() == 6);
  CHECK(vocabulary.encode("DIE ÄPFEL") == Ids{4, 5});
  CHECK(vocabulary.decode({4, 5}) == "die äpfel");
  CHECK_THROWS_AS(vocabulary.encode("\xff"), Error);
}

TEST_CASE("punctuation closes up when words are joined") {
  const Words sentences = {"A dog, a cat (two) [or three]: run; stop! why? \"so\" it's."};
  const Vocabulary vocabulary = Vocabulary::learn(sentences);
  CHECK(vocabulary.decode(vocabulary.encode(sentences[0])) ==
        "A dog, a cat (two) [or three]: run; stop! why? \" so \" it's.");
  CHECK(vocabulary.decode(vocabulary.encode(". (A dog")) == ". (A dog");
}

TEST_CASE("two languages may number their specials differently") {
  const Vocabulary english = Vocabulary::learn({"the cat"});
  const Vocabulary german = Vocabulary::learn({"die Katze"}, options(false, 1, {3, 0, 1, 2}));
  CHECK(german.specials().pad == 3);
  CHECK(german.word(3) == "<pad>");
  CHECK(english.encode("die cat") == Ids{1, 4});
  CHECK(german.encode("die cat") == Ids{5, 0});
  CHECK(english.decode({2, 5, 4, 3, 0, 0}) == "the cat");
  CHECK(german.decode({1, 5, 4, 2, 3, 3}) == "die Katze");
  CHECK_THROWS_WITH(Vocabulary::learn({}, options(false, 1, {0, 1, 2, 2})), contains("special ids"));
  CHECK_THROWS_AS(Vocabulary::learn({}, options(false, 1, {0, 1, 2, 4})), Error);
  CHECK_THROWS_AS(Vocabulary::learn({}, options(false, 1, {0, -1, 2, 3})), Error);
}

TEST_CASE("a vocabulary is a text file with one word a line, and comes back the same") {
  const TemporaryFile file;
  const Vocabulary german = Vocabulary::learn({"Die Bäume, die Äpfel"}, options(true, 1, {3, 0, 1, 2}));
  german.save(file.path);
  CHECK(gradus::read_file(file.path) == "<unk>\n<bos>\n<eos>\n<pad>\ndie\n,\nbäume\näpfel\n");

  const Vocabulary back = Vocabulary::load(file.path, true);
  CHECK(back.size() == german.size());
  CHECK(back.specials().pad == 3);
  CHECK(back.specials().unk == 0);
  CHECK(back.specials().bos == 1);
  CHECK(back.specials().eos == 2);
  CHECK(back.encode("DIE Birnen, die Äpfel") == Ids{4, 0, 5, 4, 7});
  CHECK(Vocabulary::load(file.path).encode("DIE die") == Ids{0, 4});
}

TEST_CASE("files that are no vocabulary are refused with the line that is wrong") {
  const TemporaryFile file;
  const auto load = [&](const std::string& text, bool lower_case = false) {
    std::ofstream(file.path, std::ios::binary) << text;
    return Vocabulary::load(file.path, lower_case);
  };
  const std::string specials = "<pad>\n<unk>\n<bos>\n<eos>\n";
  CHECK(load(specials + "the\ncat").size() == 6);
  CHECK(load("<pad>\r\n<unk>\r\n<bos>\r\n<eos>\r\nthe\r\n").encode("the") == Ids{4});

  CHECK_THROWS_WITH(load(specials + "the\ncat\nthe\n"), contains(file.path + ":7") && contains("twice"));
  CHECK_THROWS_WITH(load(specials + "<pad>\n"), contains(":5"));
  CHECK_THROWS_WITH(load("<pad>\n<pad>\n<unk>\n<bos>\n<eos>\n"), contains(":2") && contains("twice"));
  CHECK_THROWS_WITH(load(specials + "the cat\n"), contains(":5") && contains("not one word"));
  CHECK_THROWS_WITH(load(specials + "the\n\ncat\n"), contains(":6") && contains("not one word"));
  CHECK_THROWS_WITH(load(specials + "Cat\n", true), contains("lower case"));
  CHECK_THROWS_WITH(load(""), contains(file.path) && contains("<pad>"));
  CHECK_THROWS_WITH(load("the\n<pad>\n<unk>\n<bos>\n<eos>\n"), contains("<eos>"));
  CHECK_THROWS_WITH(load(specials + "K\xe4tze\n"), contains(file.path) && contains("UTF-8"));
  CHECK_THROWS_WITH(Vocabulary::load("no/such/file"), contains("no/such/file"));
}
