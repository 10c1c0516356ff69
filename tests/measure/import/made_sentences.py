"""Everyday English sentences, made by a small grammar: statements, questions, requests, conditions, negations, numbers, names."""

import random

PEOPLE = ["I", "We", "You", "They", "My sister", "Our neighbour", "Maria", "The doctor", "Mr. Silva", "The children", "A young woman", "Nobody",
          "The teacher", "My parents", "Two friends", "Pedro and Ana"]
PAST = ["bought a new car", "lost the keys", "cooked dinner for everyone", "missed the last train", "painted the kitchen green",
        "forgot to pay the rent", "found a small dog in the street", "finished the report", "learned to swim", "broke a window",
        "sold the old house", "wrote a long letter to the mayor", "spent too much money", "slept badly", "won the chess tournament"]
WHEN = ["yesterday", "last week", "two years ago", "this morning", "on Sunday", "in 2015", "before the storm", "after lunch", "at half past eight",
        "during the holidays"]
WHY = ["because it was raining", "although the shop was closed", "while the others were waiting", "so that we could leave early",
       "without saying a word", "with a little help from the neighbours", "but nobody noticed", "and then went home"]
THING = ["the blue umbrella", "a cup of black coffee", "the train to Lisbon", "my password", "the nearest pharmacy", "this medicine",
         "the results of the election", "a table for four people", "the broken printer", "your telephone number", "the second chapter of the book",
         "a cheap hotel near the beach"]
ASK = ["Where can I find {}?", "How much does {} cost?", "Could you please help me with {}?", "Do you still remember {}?",
       "Why did she ask about {}?", "When will they send us {}?", "Who told you about {}?", "Have you ever seen {}?", "What happened to {}?",
       "Is it possible to change {}?"]
TELL = ["Please do not touch {}.", "Tell me more about {}.", "Don't forget {}!", "Write down the price of {}, please.",
        "Let's talk about {} tomorrow.", "Bring {} to the office before noon."]
IF = ["the weather is good", "you are hungry", "the bus is late again", "it snows tomorrow", "the meeting ends early", "you need more time",
      "the price goes up", "she does not answer"]
THEN = ["we will walk to the river", "call me at the office", "there is some soup in the fridge", "I will have to take a taxi",
        "they will cancel the flight", "we can start without him", "ask the manager for help", "nobody will be surprised"]
FACT = ["The museum opens at {n} o'clock and closes late.", "There are {n} apples and a bottle of milk on the table.",
        "The old bridge is {n} metres long.", "She has worked here for {n} years, but she wants to move to another city.",
        "It takes about {n} minutes to walk from the station to the hotel.", "More than {n} people signed the petition.",
        "The government announced {n} new measures against the drought.", "He said: \"I need {n} more days.\"",
        "The recipe needs {n} eggs, some sugar and a little salt.", "Only {n} percent of the students passed the exam."]


def made_sentences(count, seed=17):
    """`count` different ones."""
    draw = random.Random(seed)
    one = draw.choice

    def sentence():
        kind = draw.randrange(8)
        if kind == 0:
            return f"{one(PEOPLE)} {one(PAST)} {one(WHEN)}."
        if kind == 1:
            return f"{one(PEOPLE)} {one(PAST)} {one(WHY)}."
        if kind == 2:
            return f"{one(PEOPLE)} never {one(PAST)}, {one(WHY)}."
        if kind == 3:
            return one(ASK).format(one(THING))
        if kind == 4:
            return one(TELL).format(one(THING))
        if kind == 5:
            return f"If {one(IF)}, {one(THEN)}."
        if kind == 6:
            return one(FACT).format(n=draw.choice([3, 4, 7, 12, 15, 28, 60, 140, 2500]))
        return f"{one(WHEN).capitalize()}, {one(PEOPLE)} {one(PAST)} {one(WHY)}."

    made = {}
    while len(made) < count:
        made[sentence()] = None
    return list(made)
