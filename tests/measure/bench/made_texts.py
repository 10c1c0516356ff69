"""Texts that a script can make and judge: each pair has one right translation, so a translation is right or wrong, and no person has to say so.

`KINDS` are functions that give different pairs (source, target) without end. `GARBAGE` are lines that no model here can translate.
"""

import itertools
import random

ADJECTIVES = ("big", "small", "old", "young", "white", "black", "red", "happy")
NOUNS = ("dog", "cat", "horse", "bird", "child", "man", "woman", "teacher", "doctor", "cook")
VERBS = ("runs", "sleeps", "sings", "eats", "waits", "reads")
PLACES = ("in the park", "at home", "in the town", "at school", "on the beach", "in the garden")

JAPANESE = {"big": "大きい", "small": "小さい", "old": "古い", "young": "若い", "white": "白い", "black": "黒い", "red": "赤い", "happy": "嬉しい",
            "dog": "犬", "cat": "猫", "horse": "馬", "bird": "鳥", "child": "子供", "man": "男", "woman": "女", "teacher": "先生", "doctor": "医者",
            "cook": "料理人", "runs": "走ります", "sleeps": "眠ります", "sings": "歌います", "eats": "食べます", "waits": "待ちます", "reads": "読みます",
            "in the park": "公園で", "at home": "家で", "in the town": "町で", "at school": "学校で", "on the beach": "海岸で", "in the garden": "庭で"}
THAI = {"big": "ตัวใหญ่", "small": "ตัวเล็ก", "old": "แก่", "young": "หนุ่ม", "white": "สีขาว", "black": "สีดำ", "red": "สีแดง", "happy": "มีความสุข",
        "dog": "สุนัข", "cat": "แมว", "horse": "ม้า", "bird": "นก", "child": "เด็ก", "man": "ผู้ชาย", "woman": "ผู้หญิง", "teacher": "ครู", "doctor": "หมอ",
        "cook": "พ่อครัว", "runs": "วิ่ง", "sleeps": "นอน", "sings": "ร้องเพลง", "eats": "กินข้าว", "waits": "รอ", "reads": "อ่านหนังสือ",
        "in the park": "ในสวนสาธารณะ", "at home": "ที่บ้าน", "in the town": "ในเมือง", "at school": "ที่โรงเรียน", "on the beach": "บนชายหาด",
        "in the garden": "ในสวน"}
ARABIC = {"big": "الكبير", "small": "الصغير", "old": "العجوز", "young": "الشاب", "white": "الأبيض", "black": "الأسود", "red": "الأحمر",
          "happy": "السعيد", "dog": "الكلب", "cat": "القط", "horse": "الحصان", "bird": "الطائر", "child": "الطفل", "man": "الرجل", "woman": "المرأة",
          "teacher": "المعلم", "doctor": "الطبيب", "cook": "الطباخ", "runs": "يجري", "sleeps": "ينام", "sings": "يغني", "eats": "يأكل",
          "waits": "ينتظر", "reads": "يقرأ", "in the park": "في الحديقة", "at home": "في البيت", "in the town": "في المدينة",
          "at school": "في المدرسة", "on the beach": "على الشاطئ", "in the garden": "في البستان"}

TOOLS = {"library": "bibliothèque", "tool": "outil", "server": "serveur", "client": "client", "editor": "éditeur", "module": "module",
         "parser": "analyseur", "viewer": "afficheur"}
TASKS = {"for compressing files": "pour compresser des fichiers", "for reading mail": "pour lire le courrier",
         "for drawing graphs": "pour dessiner des graphiques", "for encrypting disks": "pour chiffrer des disques",
         "for playing music": "pour jouer de la musique", "for testing networks": "pour tester les réseaux"}
KINDS_OF_FILES = {"": "", "(documentation)": "(documentation)", "(development files)": "(fichiers de développement)",
                  "(debug symbols)": "(symboles de débogage)", "(common files)": "(fichiers communs)"}


def made_words(words, join):
    """Of every sentence, in an order by chance."""
    draw = random.Random(1)
    sentences = list(itertools.product(ADJECTIVES, NOUNS, VERBS, PLACES))
    draw.shuffle(sentences)
    for adjective, noun, verb, place in sentences:
        yield f"The {adjective} {noun} {verb} {place}.", join(*(words[word] for word in (adjective, noun, verb, place)))


def japanese():
    return made_words(JAPANESE, lambda adjective, noun, verb, place: f"{adjective}{noun}が{place}{verb}。")


def thai():
    return made_words(THAI, lambda adjective, noun, verb, place: f"{noun}{adjective}{verb}{place}")


def arabic():
    return made_words(ARABIC, lambda adjective, noun, verb, place: f"{noun} {adjective} {verb} {place}.")


def from_thai():
    return ((target, source) for source, target in thai())


def digits():
    """Reversed: the task of the lessons' toy models."""
    draw = random.Random(1)
    while True:
        line = " ".join(str(draw.randrange(10)) for _ in range(draw.randint(3, 8)))
        yield line, line[::-1]


def packages():
    """Descriptions of packages, with versions, into French."""
    draw = random.Random(1)
    while True:
        (tool, outil), (task, tache), (files, fichiers) = (draw.choice(list(table.items())) for table in (TOOLS, TASKS, KINDS_OF_FILES))
        version = f"{draw.randint(1, 9)}.{draw.randint(0, 9)}"
        yield f"{tool} {task}, version {version} {files}".strip(), f"{outil} {tache}, version {version} {fichiers}".strip()


KINDS = {"japanese": japanese, "thai": thai, "from-thai": from_thai, "arabic": arabic, "digits": digits, "packages": packages}

GARBAGE = (
    "Der Hund rennt durch den Schnee.", "Un homme lit le journal.", "El perro corre por la playa.", "Il gatto dorme sul divano.",
    "Kot śpi na kanapie.", "Pes běží po louce.", "Koira juoksee lumessa.", "A kutya fut a hóban.", "Köpek karda koşuyor.",
    "Собака бежит по снегу.", "Ο σκύλος τρέχει στο χιόνι.", "犬が雪の中を走る。", "狗在雪地里跑。", "개가 눈 속을 달린다.", "الكلب يركض في الثلج",
    "הכלב רץ בשלג", "कुत्ता बर्फ में दौड़ता है।", "สุนัขวิ่งในหิมะ", "asdf jkl qwertz uiop", "xkcd zzyzx qwfp", "aaaaaaaaaaaaaaaaaaaa", "lkjhgfdsa mnbvcxy",
    "int main() { return 0; }", "SELECT * FROM users WHERE id = 7;", "<html><body>x</body></html>", "https://example.org/a?b=c&d=e",
    "user@example.org", "{\"key\": [1, 2, 3]}", "rm -rf /tmp/x && echo done", "#include <vector>", "0x7fff5fbff8c0", "e4 e5 Nf3 Nc6 Bb5 a6",
    "😀 lol 😀🎉", "★ VIP ★", "?!x?!", "…b…c…", "🐕 ❄️ wuff", "α ± ∞ ≠ β", "C₁₂H₂₂O₁₁", "∫ f(x) dx")


def pairs(kind, count):
    """So many different pairs of a kind, always the same."""
    found = {}
    for source, target in KINDS[kind]():
        found.setdefault(source, target)
        if len(found) == count:
            return list(found.items())
    raise SystemExit(f"made_texts.py: {kind} has only {len(found)} different pairs, not {count}")
