#include "11_translator/data/multi30k.hpp"

#include <cstddef>

#include "gradus/util/error.hpp"
#include "gradus/util/quoted.hpp"

namespace gradus {
namespace {

/// One side of the training, validation and test pairs.
struct Side {
  std::string language, citation;
  DataFile files[3];
};

/// The MD5 digests are those of torchtext 0.9. Its digests of the English and German files belong to the same files as
/// the SHA-256 digests here.
const std::vector<Side>& sides() {
  static const std::vector<Side> all = {
      {"en",
       "",
       {{"train.en.gz", "d79cfa999dd4c51d2cb42499b6796d5a882c3a8a961923c25a898c90f8bbd56f", 568929},
        {"val.en.gz", "14f7d25ddd868909a9213e361768460edcacdd6ab9d1e77b92560dc10c10dc28", 21650},
        {"test_2016_flickr.en.gz", "611d361c6334bc7246101d48097c13cf5c4413c5befc793cc629934359d532d9", 21077}}},
      {"de",
       "Elliott, Frank, Sima'an, Specia (2016), Multi30K: Multilingual English-German Image Descriptions",
       {{"train.de.gz", "726e39b2fa9eb9ffb6dc763fb35a179f80fae06ffc5d28b6ace5faa883de28a6", 637044},
        {"val.de.gz", "f0cba2f995189cf5770f29a8a9a537a3ad3f51657ad873405082ff6863a5e75a", 24681},
        {"test_2016_flickr.de.gz", "9204244e408ccb38d2a55cfcd344df15005fc42a07a6e55ca6c52b6ababb8cc8", 22890}}},
      {"fr",
       "Elliott, Frank, Barrault, Bougares, Specia (2017), Findings of the Second Shared Task on Multimodal "
       "Machine "
       "Translation and Multilingual Image Description",
       {{"train.fr.gz", "6cb767741dcad3931f966fefbc05203f"},
        {"val.fr.gz", "93fc564584b7e5ba410c761ea5a1c682"},
        {"test_2016_flickr.fr.gz", "08dc7cd4a662f31718412de95ca9bfe3"}}},
      {"cs",
       "Barrault, Bougares, Specia, Lala, Elliott, Frank (2018), Findings of the Third Shared Task on Multimodal "
       "Machine Translation",
       {{"train.cs.gz", "d9a5fc268917725a2b0efce3a0cc8607"},
        {"val.cs.gz", "83cdc082f646b769095615384cf5c0ca"},
        {"test_2016_flickr.cs.gz", "3104872229daa1bef3b401d44dd2220b"}}}};
  return all;
}

}  // namespace

std::vector<std::string> multi30k_languages() {
  std::vector<std::string> names;
  for (std::size_t i = 1; i < sides().size(); ++i) names.push_back(sides()[i].language);
  return names;
}

DataSet multi30k(const std::string& language) {
  DataSet set{
      "Multi30k",
      "https://raw.githubusercontent.com/multi30k/dataset/a3d2e0d26b56f3846f66a952536ffed4e401d05a/data/task1/raw",
      {},
      "",
      "for non-commercial research and education"};
  const Side& english = sides().front();
  for (const Side& side : sides()) {
    if (side.language != language || &side == &english) continue;
    set.citation = side.citation;
    for (std::size_t i = 0; i < 3; ++i) set.files.insert(set.files.end(), {english.files[i], side.files[i]});
    return set;
  }
  fail("Multi30k has no translations into " + gradus::quoted(language));
}

std::string about_multi30k(const std::string& language, const std::string& folder) {
  const DataSet set = multi30k(language);
  return printable(folder) + " holds Multi30k, " + set.terms + ".\nPlease cite " + set.citation +
         ".\nNext: gradus train --data " + shell_word(folder) +
         (language == "de" ? "" : " --target-lang " + language) + " --output my-model";
}

}  // namespace gradus
