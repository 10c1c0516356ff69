"""The tests that mirror a file of lib/ or chapters/: the binaries, and the scripts that run the program."""
import re

from mutant_judges import ROOT

# Beginning of a path, and the test binaries that mirror it; the first that fits. Chapters 00 to 10 have one each.
MIRRORS = [
    ("lib/gradus/gpu/", "test_host_layer"),
    ("lib/gradus/ops/cuda/gemm_host", "test_host_layer"),
    ("lib/gradus/ops/cuda/gemm_bias", "test_host_layer"),
    ("lib/gradus/ops/cuda/gemm_each", "test_host_layer"),
    ("lib/gradus/io/", "test_io test_disk"),
    ("lib/gradus/util/digest", "test_io"),
    ("lib/gradus/util/quoted", "test_io test_11_bad_input *"),
    ("lib/gradus/plot/", "test_plot test_11_pictures"),
    ("lib/gradus/text/", "test_text test_11_options test_11_training test_11_commands"),
    ("lib/gradus/net/", "test_11_models test_11_commands"),
    ("lib/gradus/random/", "test_00_foundations test_03_attention"),
    ("lib/gradus/tensor/segments", "test_ground test_03_attention test_02_positional_encoding"),
    ("lib/gradus/device/on_device", "test_11_commands"),
    ("lib/gradus/system/", "test_io test_ground test_11_bad_input"),
    ("lib/gradus/util/process", "test_io test_11_bad_input"),
    ("lib/gradus/params/", "test_ground test_07_encoder"),
    ("lib/gradus/ranks/", "test_ground test_10_training test_kernels_10_training"),
    ("lib/gradus/ops/blas/blas_call", "test_ground test_11_bad_input"),
    ("lib/gradus/ops/cpu/int8_weights", "test_11_translator test_ground"),
    ("chapters/09_transformer/int8_weights", "test_11_translator test_09_transformer"),
    ("chapters/09_transformer/output_top_k", "test_09_transformer test_11_translator"),
    ("chapters/09_transformer/cpu/output_top_k", "test_09_transformer test_11_translator"),
    ("chapters/09_transformer/search_weights", "test_11_translator test_09_transformer"),
    ("lib/gradus/", "test_ground test_00_foundations test_03_attention"),
    ("chapters/11_translator/metrics/", "test_11_score"),
    *[("chapters/11_translator/" + name, "test_11_translator test_11_training *")
      for name in ("search/past", "search/cpu/past", "search/search", "data/id_file", "translator/teacher_forced")],
    ("chapters/11_translator/pictures/", "test_11_pictures *"),
    ("chapters/11_translator/translator/attention", "test_11_pictures *"),
    ("chapters/11_translator/translator/traced", "test_11_pictures *"),
    ("chapters/11_translator/warnings/", "test_11_answers test_11_commands *"),
    ("chapters/11_translator/translator/translation_warnings", "test_11_answers test_11_commands *"),
    ("chapters/11_translator/training/", "test_11_training test_11_wiring test_11_pictures *"),
    ("app/models/", "test_11_models"),
    ("app/answers/", "test_11_answers test_11_commands *"),
    ("app/terminal/", "test_11_answers test_11_commands *"),
    ("app/serve/", "test_11_serve *"),
    ("app/options/", "test_11_options test_11_help test_11_training *"),
    ("app/", "test_11_commands test_11_help test_11_evaluate *"),
    ("chapters/11_translator/search/", "test_11_translator *"),
    ("chapters/11_translator/translator/", "test_11_translator test_11_commands test_11_evaluate *"),
    ("chapters/11_translator/", "test_11_options test_11_training test_11_commands *"),
    ("chapters/10_training/", "test_10_training test_10_disk test_11_wiring test_11_golden_training"),
]  # *: all others of chapter 11
FOLDERS = {"test_ground": "tests/lib", "test_host_layer": "tests/lib/gpu", "test_disk": "tests/lib/io"}  # the names differ
TESTS_11, TOY = "tests/chapters/11_translator/", "chapters/11_translator/toy"
# Only scripts test these: the program on a terminal, on a disk that fails, and as several ranks.
SCRIPTS = {
    "terminal_test": ["{program}", TOY],
    "ranks_test": ["{program}", TOY],
    "kill_test": ["{program}", "build/release/tests/chapters/11_translator/libfailing_disk.so", TOY],
}
SCRIPTS_OF = [("app/", ["terminal_test", "ranks_test"]), ("chapters/11_translator/training/", ["kill_test"]),
              ("chapters/10_training/run/checkpoint", ["kill_test"]), ("lib/gradus/io/atomic_file", ["kill_test"]),
              ("lib/gradus/ranks/", ["ranks_test"])]


def of_chapter_11():
    """The test binaries of the translator and the program, without the one that takes minutes."""
    text = (ROOT / TESTS_11 / "CMakeLists.txt").read_text(encoding="utf-8")
    return [f"test_11_{name}" for name in re.findall(r"^add_translator_test\((\w+)", text, re.M) if name != "toy"]


def targets_of(name):
    """The test binaries that mirror a file, the closest one first."""
    chapter = name.split("/")[1]
    found = next((targets.split() for beginning, targets in MIRRORS if name.startswith(beginning)), [f"test_{chapter}"])
    others = [target for target in of_chapter_11() if target not in found] if "*" in found else []
    return [target for target in found if target != "*"] + others


def scripts_of(name):
    return [script for beginning, scripts in SCRIPTS_OF if name.startswith(beginning) for script in scripts]


def folders_of(name):
    """The folders of a file's judges."""
    def folder(target):
        room = target.replace("_kernels_", "_").split("_")[1]
        if room.isdigit():
            return next(path.relative_to(ROOT).as_posix() for path in (ROOT / "tests/chapters").glob(f"{room}_*"))
        return FOLDERS.get(target, f"tests/lib/{room}")
    return sorted({folder(target) for target in targets_of(name)})
