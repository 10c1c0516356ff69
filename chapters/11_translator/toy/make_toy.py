#!/usr/bin/env python3
"""Writes the toy corpus beside this file: English-German sentence pairs from a small grammar, with a fixed seed.

    python3 make_toy.py

The German side has the difficulties of German: gender, case and number of articles, nouns and adjectives; the verb in
second place, with the subject before or after it; the verb at the end of a subordinate clause; the infinitive at the end after
a modal verb. The words decide the case: motion takes the accusative (auf die Bank), rest the dative (auf der Bank),
and the receiver of something is in the dative.
"""

import random
from collections import Counter
from pathlib import Path

# English: its plural; German: singular, gender, plural, dative plural; adjectives that suit it.
NOUNS = {
    "man": ("men", "Mann", "m", "Männer", "Männern", "young old tired"),
    "woman": ("women", "Frau", "f", "Frauen", "Frauen", "young old happy"),
    "child": ("children", "Kind", "n", "Kinder", "Kindern", "little happy tired"),
    "girl": ("girls", "Mädchen", "n", "Mädchen", "Mädchen", "little happy young"),
    "boy": ("boys", "Junge", "m", "Jungen", "Jungen", "little happy tired"),
    "dog": ("dogs", "Hund", "m", "Hunde", "Hunden", "brown black white big old"),
    "cat": ("cats", "Katze", "f", "Katzen", "Katzen", "black white little old"),
    "horse": ("horses", "Pferd", "n", "Pferde", "Pferden", "brown black white big"),
    "bird": ("birds", "Vogel", "m", "Vögel", "Vögeln", "little black white"),
    "ball": ("balls", "Ball", "m", "Bälle", "Bällen", "red green big new"),
    "hat": ("hats", "Hut", "m", "Hüte", "Hüten", "red black old new"),
    "apple": ("apples", "Apfel", "m", "Äpfel", "Äpfeln", "red green big little"),
    "flower": ("flowers", "Blume", "f", "Blumen", "Blumen", "red white little"),
    "bag": ("bags", "Tasche", "f", "Taschen", "Taschen", "black brown new big"),
    "book": ("books", "Buch", "n", "Bücher", "Büchern", "old new red"),
    "picture": ("pictures", "Bild", "n", "Bilder", "Bildern", "little old new"),
    "park": ("", "Park", "m", "", "", "big old green"),
    "garden": ("", "Garten", "m", "", "", "little old green"),
    "house": ("", "Haus", "n", "", "", "white old little"),
    "meadow": ("", "Wiese", "f", "", "", "green big"),
    "street": ("", "Straße", "f", "", "", "old"),
    "bridge": ("", "Brücke", "f", "", "", "old new little"),
    "bench": ("", "Bank", "f", "", "", "old white green"),
    "lake": ("", "See", "m", "", "", "big little"),
    "beach": ("", "Strand", "m", "", "", "white big"),
    "tree": ("", "Baum", "m", "", "", "old big"),
}
PEOPLE = ["man", "woman", "child", "girl", "boy"]
YOUNG = ["child", "girl", "boy"]
RUNNERS = [*PEOPLE, "dog", "cat", "horse"]
THINGS = ["ball", "hat", "apple", "flower", "bag", "book", "picture"]
PLACES = ["park", "garden", "house", "meadow", "bridge", "bench", "lake", "beach", "tree"]

ADJECTIVES = {"young": "jung", "old": "alt", "new": "neu", "little": "klein", "big": "groß", "brown": "braun",
              "black": "schwarz", "white": "weiß", "red": "rot", "green": "grün", "happy": "fröhlich",
              "tired": "müde", "hungry": "hungrig"}
# Endings for der, die, das, plural: after der, after ein, after no article or a number.
ENDINGS = {"the": {"nom": "e e e en", "acc": "en e e en", "dat": "en en en en"},
           "a": {"nom": "er e es", "acc": "en e es", "dat": "en en en"},
           "": {"nom": "- - - e", "acc": "- - - e", "dat": "- - - en"}}
ARTICLES = {"the": {"nom": "der die das die", "acc": "den die das die", "dat": "dem der dem den"},
            "a": {"nom": "ein eine ein", "acc": "einen eine ein", "dat": "einem einer einem"}}
NUMBERS = {"two": "zwei", "three": "drei"}
CONTRACTIONS = {"in dem": "im", "an dem": "am", "zu dem": "zum", "in das": "ins"}

# English third person and participle ("" if the verb has no progressive form); German singular, and plural =
# infinitive.
VERBS = {
    "sleep": ("sleeps", "sleeping", "schläft", "schlafen"), "play": ("plays", "playing", "spielt", "spielen"),
    "sit": ("sits", "sitting", "sitzt", "sitzen"), "stand": ("stands", "standing", "steht", "stehen"),
    "sing": ("sings", "singing", "singt", "singen"), "wait": ("waits", "waiting", "wartet", "warten"),
    "laugh": ("laughs", "laughing", "lacht", "lachen"), "run": ("runs", "running", "läuft", "laufen"),
    "walk": ("walks", "walking", "geht", "gehen"), "jump": ("jumps", "jumping", "springt", "springen"),
    "fly": ("flies", "flying", "fliegt", "fliegen"), "see": ("sees", "", "sieht", "sehen"),
    "hold": ("holds", "holding", "hält", "halten"), "carry": ("carries", "carrying", "trägt", "tragen"),
    "wear": ("wears", "wearing", "trägt", "tragen"), "buy": ("buys", "buying", "kauft", "kaufen"),
    "read": ("reads", "reading", "liest", "lesen"), "throw": ("throws", "throwing", "wirft", "werfen"),
    "eat": ("eats", "eating", "isst", "essen"), "feed": ("feeds", "feeding", "füttert", "füttern"),
    "look for": ("looks for", "looking for", "sucht", "suchen"), "paint": ("paints", "painting", "malt", "malen"),
    "give": ("gives", "giving", "gibt", "geben"), "bring": ("brings", "bringing", "bringt", "bringen"),
    "show": ("shows", "showing", "zeigt", "zeigen"),
}
CAN_OR_WILL = "sleep play sing run walk jump fly buy read throw eat feed paint".split()
MODALS = [("wants to", "want to", "will", "wollen"), ("can", "can", "kann", "können")]
TIMES = [("today", "heute"), ("now", "jetzt"), ("in the morning", "am Morgen"), ("in the evening", "am Abend")]

# Places of rest (all dative), and the actions there.
REST = {"park": ("in", "in"), "garden": ("in", "in"), "house": ("in", "in"), "meadow": ("in", "auf"),
        "street": ("in", "auf"), "bridge": ("on", "auf"), "bench": ("on", "auf"), "lake": ("by", "an"),
        "beach": ("on", "an"), "tree": ("under", "unter"), "front": ("in front of", "vor"),
        "behind": ("behind", "hinter")}
RESTS = {
    "sleep": (["man", *YOUNG, "dog", "cat"], "garden house meadow bench beach tree"),
    "play": ([*YOUNG, "dog", "cat"], "park garden house meadow street beach front"),
    "sit": ([*PEOPLE, "dog", "cat", "bird"], "park garden meadow bridge bench lake beach front tree"),
    "stand": ([*PEOPLE, "dog", "horse"], "park garden meadow street bridge lake front behind tree"),
    "sing": ([*PEOPLE, "bird"], "park garden meadow lake"),
    "wait": ([*PEOPLE, "dog"], "street bridge bench lake front behind tree"),
}
# Directions: English and German preposition, case, places.
WAYS = [("across", "über", "acc", "meadow street bridge"), ("through", "durch", "acc", "park garden"),
        ("into", "in", "acc", "house garden"), ("around", "um", "acc", "tree house lake"),
        ("to", "zu", "dat", "lake beach tree")]
MOTIONS = {
    "run": (RUNNERS, WAYS), "walk": (PEOPLE, WAYS),
    "jump": ([*YOUNG, "dog", "cat"],
             [("into", "in", "acc", "lake"), ("onto", "auf", "acc", "bench"), ("over", "über", "acc", "bench")]),
    "fly": (["bird"], [("over", "über", "acc", "lake house meadow"), ("through", "durch", "acc", "garden park")]),
}
# Actions: who does what to what, and where ("" = not said).
ACTIONS = {
    "see": ([*PEOPLE, "dog", "cat"], "man woman child girl boy dog cat horse bird ball bag", ""),
    "hold": (PEOPLE, "ball hat apple flower bag book picture", ""),
    "carry": (PEOPLE, "ball flower bag book picture", ""),
    "wear": (PEOPLE, "hat", ""),
    "buy": (["man", "woman", "girl"], "ball hat apple flower bag book picture", ""),
    "read": (PEOPLE, "book", "park garden house bench beach tree"),
    "throw": (YOUNG, "ball", "park garden meadow beach"),
    "eat": ([*PEOPLE, "horse"], "apple", "park garden meadow tree"),
    "feed": (PEOPLE, "dog cat horse bird", "park garden meadow"),
    "look for": ([*PEOPLE, "dog"], "ball hat bag book cat", "park garden meadow beach"),
    "paint": (PEOPLE, "picture flower horse bird", "park garden meadow lake"),
}
FEELINGS = {"sleep": "tired", "sit": "tired", "eat": "hungry", "sing": "happy", "laugh": "happy", "play": "happy",
            "jump": "happy"}
WEATHER = {"it is raining": "es regnet", "the sun is shining": "die Sonne scheint"}

OPPOSITES = ["young old new", "big little", "brown black white red green", "happy tired hungry"]

rng = random.Random(2017)


def one(choices):
    return rng.choice(choices.split() if isinstance(choices, str) else list(choices))


def chance(percent):
    return rng.random() < percent / 100


def join(*parts):
    return " ".join(part for part in parts if part)


class Noun:
    """A noun phrase: English text, German text by case, and its features for agreement. A determiner with + is a plural."""

    def __init__(self, noun, determiners, adjective_percent=35):
        plural_en, self.singular_de, self.gender, self.plural_de, self.dative_de, adjectives = NOUNS[noun]
        self.noun, self.determiner = noun, one(determiners)
        self.plural = self.determiner in ("the+", "two", "three", "some+")
        self.adjective = one(adjectives) if adjectives and chance(adjective_percent) else ""
        word = {"the+": "the", "some+": ""}.get(self.determiner, self.determiner)
        if word == "a" and (self.adjective or noun)[0] in "aeiou":
            word = "an"
        self.en = join(word, self.adjective, plural_en if self.plural else noun)

    def de(self, case):
        column = 3 if self.plural else "mfn".index(self.gender)
        article = {"the": "the", "the+": "the", "a": "a"}.get(self.determiner, "")
        first = ARTICLES[article][case].split()[column] if article else NUMBERS.get(self.determiner)
        adjective = ADJECTIVES.get(self.adjective)
        if adjective:
            adjective = adjective.rstrip("e") + ENDINGS[article][case].split()[column]
        if self.plural:
            return join(first, adjective, self.dative_de if case == "dat" else self.plural_de)
        weak = self.noun == "boy" and case != "nom"  # der Junge, den Jungen, dem Jungen
        return join(first, adjective, "Jungen" if weak else self.singular_de)

    def pronouns(self):
        if self.plural:
            return "they", "sie"
        english = {"man": "he", "boy": "he", "woman": "she"}.get(self.noun, "it")
        return english, {"m": "er", "f": "sie", "n": "es"}[self.gender]

    def quality(self):
        """An adjective that does not contradict the one it has."""
        taken = [group for group in OPPOSITES if self.adjective in group.split()]
        fitting = [a for a in NOUNS[self.noun][5].split() if not any(a in group.split() for group in taken)]
        return one(fitting or ["tired"])


class Pair:
    """Two nouns joined by "and"; words that agree with them are in the plural."""

    plural, noun, adjective = True, "", ""

    def __init__(self, nouns):
        determiner = one("a the")
        self.nouns = [Noun(noun, determiner, 0) for noun in nouns]
        self.en = " and ".join(noun.en for noun in self.nouns)

    def de(self, case):
        return " und ".join(noun.de(case) for noun in self.nouns)

    def pronouns(self):
        return "they", "sie"


def subject(nouns, pair_percent=6):
    if len(nouns) > 1 and chance(pair_percent):
        return Pair(rng.sample(nouns, 2))
    return Noun(one(nouns), "a a a the the the the+ two three some+")


def to_be(who):
    return ("are", "sind") if who.plural else ("is", "ist")


def place(english, german, case, noun):
    phrase = Noun({"front": "house", "behind": "house"}.get(noun, noun),
                  "the" if noun in ("street", "beach") else "the the a", 25)
    text = join(german, phrase.de(case))
    for long, short in CONTRACTIONS.items():
        if text.startswith(long + " "):
            text = short + text[len(long):]
    return join(english, phrase.en), text


def at(places):
    noun = one(places)
    return place(*REST[noun], "dat", noun)


class Clause:
    """Subject, verb, and the rest (en or de): as a main clause, or with the verb at the end."""

    def __init__(self, who, verb, en="", de="", time=None, modal=False):
        self.who, self.verb = who, verb
        third, participle, singular, plural = VERBS[verb]
        self.verb_en, self.infinitive = verb if who.plural else third, ""
        if modal:
            modal_third, modal_plural, *modal_de = one(MODALS)
            self.verb_en, self.infinitive = join(modal_plural if who.plural else modal_third, verb), plural
            singular, plural = modal_de
        elif participle and chance(50):
            self.verb_en = join(to_be(who)[0], participle)
        self.finite = plural if who.plural else singular
        self.after_en = join(en, time and time[0])
        self.after_de = join(time and time[1], de)

    def en(self):
        return join(self.who.en, self.verb_en, self.after_en)

    def de(self):
        return join(self.who.de("nom"), self.finite, self.after_de, self.infinitive)

    def de_inverted(self):  # another part comes first, so the subject follows the verb
        return join(self.finite, self.who.de("nom"), self.after_de, self.infinitive)

    def de_verb_last(self, who=None):
        return join(who or self.who.de("nom"), self.after_de, self.infinitive, self.finite)


def rest(verb=None, who=None, placed=100, **options):
    verb = verb or one(RESTS)
    doers, places = RESTS[verb]
    where = at(places) if verb in ("sit", "stand") or chance(placed) else ("", "")
    return Clause(who or subject(doers), verb, *where, **options)


def motion(verb=None, who=None, **options):
    verb = verb or one(MOTIONS)
    doers, ways = MOTIONS[verb]
    who = who or subject(doers)
    english, german, case, places = one(ways)
    noun = one(places)
    if noun == "house" and english == "into" and "horse" in who.en:
        return motion(verb, who, **options)
    return Clause(who, verb, *place(english, german, case, noun), **options)


def action(verb=None, who=None, placed=40, **options):
    verb = verb or one(ACTIONS)
    doers, things, places = ACTIONS[verb]
    who = who or subject(doers)
    if verb == "wear":
        what = Noun("hat", "some+" if who.plural else "a", 60)
    else:
        what = Noun(one([noun for noun in things.split() if noun != who.noun]), "a a a the the+ two three some+")
    english, german = what.en, what.de("acc")
    if places and what.determiner not in ("the", "the+") and chance(placed):  # new information comes late in a sentence
        where_en, where_de = at(places)
        english, german = join(english, where_en), join(where_de, german)
    return Clause(who, verb, english, german, **options)


def gift(**options):
    who = subject(PEOPLE, 0)
    to = Noun(one([noun for noun in PEOPLE if noun != who.noun]), "the the the+ a two", 25)
    what = Noun(one(THINGS), "a a a the the+ two three some+")
    english, german = join(to.en, what.en), join(to.de("dat"), what.de("acc"))
    return Clause(who, one("give give bring show"), english, german, **options)


def anything(**options):
    build, verbs = one([(rest, RESTS)] * 2 + [(motion, MOTIONS)] * 2 + [(action, ACTIONS)] * 3 + [(gift, None)])
    if build is gift:
        return gift(**options)
    verb = one(verbs)
    return build(verb, modal=verb in CAN_OR_WILL and chance(25), **options)


# One function for each kind of sentence. Each returns both sides, without capital and full stop.
def plain():
    clause = anything(time=one(TIMES) if chance(20) else None)
    return clause.en(), clause.de()


def place_first():
    verb = one(RESTS)
    where_en, where_de = at(RESTS[verb][1])
    clause = Clause(subject(RESTS[verb][0]), verb)
    return f"{where_en}, {clause.en()}", f"{where_de} {clause.de_inverted()}"


def time_first():
    (time_en, time_de), clause = one(TIMES), anything()
    comma = "," if " " in time_en else ""
    return f"{time_en}{comma} {clause.en()}", f"{time_de} {clause.de_inverted()}"


def because_of_a_feeling():
    verb = one(FEELINGS)
    who = subject({**RESTS, **MOTIONS, **ACTIONS}.get(verb, (PEOPLE,))[0])
    if who.noun == "girl" and not who.plural or who.adjective in ("tired", "happy"):
        return because_of_a_feeling()  # "das Mädchen" takes es for some speakers and sie for others: the toy avoids it
    clause = (rest(verb, who, 50) if verb in RESTS else motion(verb, who) if verb in MOTIONS else
              action(verb, who) if verb in ACTIONS else Clause(who, verb))
    (they_en, they_de), (are, sind), feeling = who.pronouns(), to_be(who), FEELINGS[verb]
    return (f"{clause.en()} because {they_en} {are} {feeling}",
            f"{clause.de()}, weil {they_de} {ADJECTIVES[feeling]} {sind}")


def because_of_the_weather():
    weather = one(WEATHER)
    if weather == "it is raining":
        clause = one([Clause(subject([*YOUNG, "dog", "cat"]), "run", *place("into", "in", "acc", "house")),
                      Clause(subject(PEOPLE), "walk", *place("into", "in", "acc", "house")),
                      Clause(subject([*PEOPLE, "dog"]), "wait", *at("tree")),
                      Clause(subject([*YOUNG, "cat"]), "play", *at("house"))])
    else:
        clause = one([Clause(subject([*YOUNG, "dog"]), "play", *at("park garden meadow beach")),
                      Clause(subject([*PEOPLE, "bird"]), "sing"), Clause(subject(PEOPLE), "laugh"),
                      Clause(subject([*PEOPLE, "cat"]), "sit", *at("park garden meadow bench lake beach"))])
    if chance(40):
        return f"because {weather}, {clause.en()}", f"weil {WEATHER[weather]}, {clause.de_inverted()}"
    return f"{clause.en()} because {weather}", f"{clause.de()}, weil {WEATHER[weather]}"


def because_of_another():
    if chance(50):
        effect = Clause(subject(PEOPLE), "laugh")
        cause = one([motion("jump"), motion("run"), rest("sing", placed=0), rest("play")])
    else:
        effect = rest("wait", subject(PEOPLE), 60)
        cause = one([rest("sleep", placed=0), action(one(["eat", "look for", "buy", "read"]))])
    if effect.who.noun == cause.who.noun:
        return because_of_another()
    return f"{effect.en()} because {cause.en()}", f"{effect.de()}, weil {cause.de_verb_last()}"


def while_another():
    first = one([rest(), action(), motion()])
    second = one([rest(placed=50), action()])
    if first.who.noun == second.who.noun or first.verb == second.verb:
        return while_another()
    if chance(50):
        return f"while {second.en()}, {first.en()}", f"während {second.de_verb_last()}, {first.de_inverted()}"
    return f"{first.en()} while {second.en()}", f"{first.de()}, während {second.de_verb_last()}"


def who_does():
    inner = one([rest, rest, motion, action])()
    who = inner.who
    if isinstance(who, Pair):
        return who_does()
    pronoun = "who" if who.noun in PEOPLE else "that"
    relative = "die" if who.plural else {"m": "der", "f": "die", "n": "das"}[who.gender]  # nominative
    english = join(who.en, pronoun, inner.verb_en, inner.after_en)
    german = f"{who.de('nom')}, {inner.de_verb_last(relative)},"
    if who.noun in PEOPLE and inner.verb in ("sit", "stand", "wait") and chance(60):
        outer = action(one("hold wear read eat"), who, 0)
        return join(english, outer.verb_en, outer.after_en), join(german, outer.finite, outer.after_de)
    quality, (are, sind) = who.quality(), to_be(who)
    return join(english, are, quality), join(german, sind, ADJECTIVES[quality])


def quality():
    noun = one([*THINGS, *PLACES, *RUNNERS, "bird"])
    who = Noun(noun, "the" if noun in PLACES else "the the the+", 0)
    adjective = "hungry" if noun in RUNNERS and chance(30) else who.quality()
    are, sind = to_be(who)
    return join(who.en, are, adjective), join(who.de("nom"), sind, ADJECTIVES[adjective])


KINDS = {plain: 38, place_first: 10, time_first: 12, because_of_a_feeling: 6, because_of_the_weather: 5,
         because_of_another: 6, while_another: 9, who_does: 10, quality: 4}


def sentence():
    english, german = rng.choices(list(KINDS), list(KINDS.values()))[0]()
    return english[0].upper() + english[1:] + ".", german[0].upper() + german[1:] + "."


def words(pair):
    return [(side, word) for side in (0, 1) for word in pair[side].replace(",", " ,").replace(".", " .").split()]


def main():
    seen, counts = set(), Counter()

    def new_pair(least_count):
        """A pair of new sentences, of words that training has at least `least_count` times."""
        while True:
            pair = sentence()
            if not seen & set(pair) and all(counts[word] >= least_count for word in words(pair)):
                return pair

    train = []
    for _ in range(400):  # takes the pair with the rarest word of four, so each word occurs several times
        pair = min((new_pair(0) for _ in range(4)), key=lambda p: min(counts[word] for word in words(p)))
        seen.update(pair)
        counts.update(words(pair))
        train.append(pair)
    rng.shuffle(train)
    sets = {"train": train, "valid": [], "test": []}
    for name in ("valid", "test"):
        for _ in range(40):
            sets[name].append(new_pair(3))
            seen.update(sets[name][-1])
    for name, pairs in sets.items():
        for side, suffix in enumerate(("en", "de")):
            path = Path(__file__).parent / f"{name}.{suffix}"
            path.write_text("".join(pair[side] + "\n" for pair in pairs), encoding="utf-8")


if __name__ == "__main__":
    main()
