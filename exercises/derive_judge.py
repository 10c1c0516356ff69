"""Judges a derivation: compiles the student's file beside a program with the right code and each known mistake, and compares their numbers."""
import hashlib
import math
import os
import re
import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor

from derive_text import order_of, slips
from stops import compiler_error, line_of, says
from task import WIDTH, Trouble, wrapped
from versions import program_of

SECONDS = 10  # of a student's program; a right one needs a tenth of a second
CHECKS = ["-D_GLIBCXX_ASSERTIONS", "-fsanitize=bounds", "-fsanitize-undefined-trap-on-error"]
ASAN = "detect_leaks=0:handle_abort=1:handle_sigill=1"  # so that each of CHECKS tells its line
CLOSE = 1e-9  # relative to 1 or to the number, whichever is larger
ROUNDED = 1e-6  # the same, of numbers that were rounded to float


def compiled(source, program, *options):
    """What the compiler says if it fails, else ""."""
    compiler = os.environ.get("CXX", "c++")
    command = [compiler, "-std=c++17", *options, source, "-o", program]
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        raise Trouble(f"There is no compiler '{compiler}'.\nOn Debian and Ubuntu: sudo apt-get install g++") from None
    return done.stderr if done.returncode != 0 else ""


def judge(derivation, folder, more=()):
    """The numbers of the right code, of its second run, and of each twin, by name: "m0", and "n0" with the numbers of the check by small steps, if the derivation has
    other_numbers; "empty" has these, too, and those of bodies that do nothing. The program
    that prints them is compiled once for a state of its files. `more`: further texts of plain.cpp, by name."""
    plain = derivation.plain()
    twins = [derivation.twin(m) for m in derivation.mistakes]
    texts = {"right": plain, "second": derivation.second_run(plain), "numbers": derivation.with_other_numbers(plain), **{f"m{i}": twin for i, twin in enumerate(twins)}}
    if derivation.other_numbers:
        texts["empty"] = derivation.with_other_numbers(derivation.unwritten())
        texts.update({f"n{i}": derivation.with_other_numbers(twin) for i, twin in enumerate(twins)})
    text = program_of({**texts, **dict(more)}, derivation.functions)
    program = folder / ("judge-" + hashlib.sha256(text.encode()).hexdigest()[:16])
    if not program.exists():
        source = folder / "judge.cpp"
        source.write_text(text, encoding="utf-8")
        error = compiled(source, program.with_suffix(".new"))
        if error:
            raise Trouble(f"The judge does not compile:\n{error}")
        program.with_suffix(".new").rename(program)
    return numbers_by_name(subprocess.run([program], capture_output=True, text=True, check=True).stdout)


def numbers_by_name(printed):
    """What a program of versions.py prints."""
    parts = re.split(r"^@ (\w+)\n", printed, flags=re.M)[1:]
    return {name: numbers_of(part) for name, part in zip(parts[::2], parts[1::2])}


def numbers_of(printed):
    """The lines "name number number ..." of ./plain all."""
    return {words[0]: [float(word) for word in words[1:]] for words in map(str.split, printed.strip().split("\n")) if words}


def line_in_body(functions, file, stack):
    """The line of the student's file where a program stopped, in one of `functions` if the stack has it; 0 if no line is known."""
    lines = re.findall(rf" in (\w*).*?{re.escape(file.name)}:(\d+)", stack)
    return int(next((line for name, line in lines if name in functions), lines[0][1] if lines else 0))


def numbers_of_student(file, program, functions, when=""):
    """What the student's program prints, as numbers_of; Trouble if it does not compile or does not end well. `functions`: what the student wrote;
    `when`: what else it was run with, for the message."""
    def stopped(text):
        return Trouble("\n".join(says("no", when + (text[0].lower() if when else text[0]) + text[1:])))
    error = compiled(file, program, *CHECKS, "-g1", "-fsanitize=address")  # finds a slice beyond its row, too
    if error and "error:" not in error.replace("ld: error:", "").replace("linker command", ""):  # a compiler without AddressSanitizer
        error = compiled(file, program, *CHECKS)
    if error:
        raise Trouble("\n".join(compiler_error(file, error)))
    try:
        done = subprocess.run([program, "all"], capture_output=True, text=True, timeout=SECONDS, env={**os.environ, "ASAN_OPTIONS": ASAN})
    except subprocess.TimeoutExpired:
        raise stopped(f"Your program does not end within {SECONDS} seconds: which loop has no end?") from None
    if "Assertion" in done.stderr or "AddressSanitizer" in done.stderr or done.returncode in (-signal.SIGILL, -signal.SIGTRAP):
        at = line_in_body(functions, file, done.stderr)
        code = file.read_text(encoding="utf-8")
        rows = ", or two Rows of different lengths meet there" if "std::valarray" in code else ""
        rows += " (part() has Dk numbers)" if "Row part(" in code else ""
        order = order_of(code, code.split("\n")[at - 1] if at else "")
        told = stopped("An index is outside of its vector or array" + (f", in line {at} of derive.cpp" if at else "") + rows
                       + (f". The order is {order}: are two of them exchanged?" if order else ": which loop runs up to the wrong size?" if when else
                          ". Compare each index with the sizes in the comments."))
        raise Trouble("\n".join([str(told), *line_of(file, at)]))
    if done.returncode < 0:
        raise stopped(f"Your program stops with signal {-done.returncode}: is an index outside of its array?")
    return numbers_of(done.stdout)


def close(a, b):
    return abs(a - b) <= CLOSE * max(1, abs(b)) or (math.isnan(a) and math.isnan(b))


def same(mine, theirs, names):
    return all(len(mine.get(name, [])) == len(theirs[name]) and all(map(close, mine[name], theirs[name])) for name in names)


def rounded(derivation, mine, right):
    """Whether the wrong gradients are right up to the rounding of a float."""
    return all(abs(a - b) <= ROUNDED * max(1, abs(b)) for name in derivation.gradients for a, b in zip(mine[name], right[name]))


def given_names(derivation, right):
    """The tensors that a backward pass cannot change: those printed before the first gradient."""
    names = list(right)
    return names[:min(names.index(name) for name in derivation.gradients)]


def place(derivation, name, at):
    """dx[2][1], or dbeta[1] for a tensor of one row."""
    columns = derivation.columns.get(name)
    return f"{name}[{at // columns}][{at % columns}]" if columns else f"{name}[{at}]"


def listed(words):
    """"a, b and c"."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)


def ranges(numbers, shown=str):
    """"0 to 3 and 5" of sorted numbers; "" of none."""
    runs = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return listed([word for run in runs for word in ([f"{shown(run[0])} to {shown(run[-1])}"] if len(run) > 2 else map(shown, run))]) if runs else ""


def where(derivation, name, wrong, right):
    """The rows and columns that have all wrong numbers, and what these columns are called. Nothing if all have some, if there is but one, or if those without any should be 0
    everywhere: they say nothing about the mistake."""
    width, told = derivation.columns.get(name), []
    if not width or len(wrong) < 2:
        return ""
    for what, of in (("row", lambda i: i // width), ("column", lambda i: i % width)):
        hit = sorted({of(i) for i in wrong})
        if any(abs(number) > CLOSE for i, number in enumerate(right) if of(i) not in hit):
            told.append(f"{what}{'s' * (len(hit) > 1)} {ranges(hit)}" + (part_of(derivation.parts.get(name, []), hit, width) if what == "column" else ""))
    return ", ".join(told)


def part_of(parts, columns, width):
    """What these columns are called: the name of the only share that has them all, of each way to cut the tensor. Where only a later way has such a share, the first way
    tells all names of its own."""
    named = [list(dict.fromkeys(names[column * len(names) // width] for column in columns)) for names in parts]
    told = [names for names in named if len(names) == 1]
    if told and len(named[0]) > 1:
        told.append(named[0])
    return ", those of " + ", in ".join(map(listed, told)) if told else ""


def only_row_0(derivation, name, wrong, right):
    """Whether row 0 is right and not 0, and no other row is."""
    width = derivation.columns.get(name, len(right))
    return any(right[:width]) and {i // width for i in wrong} == set(range(1, len(right) // width))


def told_factor(derivation, ratio):
    """What a factor of all wrong numbers is made of: the sizes of plain.cpp and the roots of its widths; "" if it is none of them."""
    if close(ratio, -1):
        return " The sign is turned."
    known = {"2": 2}
    for name, size in derivation.sizes().items():
        known.update({name: size, **({f"sqrt({name})": math.sqrt(size)} if name.startswith("D") else {})})
    times = [name for name, value in known.items() if value > 1 and close(ratio, value)]
    over = [f"1/{name}" for name, value in known.items() if value > 1 and close(ratio, 1 / value)]
    if times:
        twice = "one factor too many, one division too few, or added twice?" if close(ratio, 2) else "one factor too many, or one division too few?"
        return f" That is {' or '.join(times)}: {twice}"
    return f" That is {' or '.join(over)}: one division too many, or one factor too few?" if over else ""


def common_factor(mine, right):
    """The factor of all wrong numbers; None if it is 0 or not the same for all."""
    ratios = [a / b if b != 0 else math.inf for a, b in zip(mine, right) if not close(a, b)]
    return ratios[0] if ratios and ratios[0] != 0 and abs(ratios[0] - 1) > ROUNDED and all(abs(r - ratios[0]) < 1e-9 * abs(ratios[0]) for r in ratios) else None


def has_cause(derivation, mine, right):
    """Whether told_gradient says where a wrong gradient comes from."""
    factor = common_factor(mine, right)
    return not any(mine) or not all(map(math.isfinite, mine)) or bool(factor and told_factor(derivation, factor))


def count_of(derivation, name, wrong, right):
    """How many numbers of a gradient are wrong, and which is the first."""
    if len(right) == 1:
        return f"{place(derivation, name, 0)} is wrong."
    many = len(wrong) > 1
    told = f"{'All' if len(wrong) == len(right) else f'{len(wrong)} of'} {len(right)} numbers of {name} {'are' if many else 'is'} wrong{'; the first is' if many else ':'} " + place(derivation, name, wrong[0]) + "."
    others = [number for i, number in enumerate(right) if i not in wrong]
    if others and not any(others):
        told += f" The other {f'{len(others)} are' if len(others) > 1 else 'one is'} 0, and right."
    return told


def told_gradient(derivation, name, mine, right, named=(), factors=False):
    """The lines about one gradient, and whether it is right. `named`: the gradients whose mistake is known; `factors`: whether another gradient tells a factor."""
    wrong = [i for i, (a, b) in enumerate(zip(mine, right)) if not close(a, b)]
    if not wrong:
        return [f"ok    {name}"], True
    at = wrong[0]
    told = says("no", count_of(derivation, name, wrong, right))
    told.append(f"      expected {right[at] + 0.0:<12.6g} yours {mine[at] + 0.0:<12.6g} difference {mine[at] - right[at]:.3g}")
    width = derivation.columns.get(name, len(right))
    if name in derivation.zeros and not any(right[at // width * width:(at // width + 1) * width]):
        told += says("", derivation.zeros[name])
    lead = where(derivation, name, wrong, right)
    if only_row_0(derivation, name, wrong, right):
        told += says("", derivation.row_0.get(name, "Only row 0 is right: is the row in each index? Does each sum begin with 0 again in each row?"))
    elif lead:
        told += says("", f"All wrong numbers are in {lead}.")
    if not all(map(math.isfinite, mine)):
        told += says("", "Is there a division by 0, or a number that was never set?")
    factor = common_factor(mine, right)
    if factor:
        told += says("", f"Every wrong number is {factor:.6g} times what is expected." + told_factor(derivation, factor))
    elif factors and name in derivation.meet:
        told += says("", "Several ways meet here, and some of them are right: so no factor shows.")
    if not any(mine[i] for i in wrong) and name not in named:
        told += says("", "All wrong numbers are 0 in yours. Did you write them?" if any(mine) else "All of yours are 0. Did you write it? If several words add to it, use +=.")
    return told, False


def rows_of(derivation, numbers):
    """Each tensor as a list of rows, by its name."""
    sizes = {name: derivation.columns.get(name, max(1, len(v))) for name, v in numbers.items()}
    return {name: [v[i:i + sizes[name]] for i in range(0, len(v), sizes[name])] for name, v in numbers.items()}


def row_sums(rows):
    return [sum(row) for row in rows]


def column_sums(rows):
    return [sum(column) for column in zip(*rows)]


def dot(a, b):
    """The sum of the products of two tensors' elements."""
    return sum(x * y for u, v in zip(a, b) for x, y in zip(u, v))


def mentioned(derivation, formula):
    """The gradients that an invariant's formula has."""
    return [name for name in derivation.gradients if re.search(rf"\b{name}\b", formula)]


def gradients_of(derivation, invariant):
    return mentioned(derivation, invariant["sums"] + invariant.get("same_as", ""))


def broken(derivation, mine):
    """The invariants that the student's gradients break: [(the invariant, its place and values in words)], with the first sum that is not 0, or the first two that are not the same."""
    found = []
    names = {"__builtins__": {}, "row_sums": row_sums, "column_sums": column_sums, "dot": dot, "zip": zip, **rows_of(derivation, mine)}
    for invariant in derivation.invariants:
        sums = eval(invariant["sums"], names)  # a file of the project
        same_as = eval(invariant["same_as"], names) if "same_as" in invariant else [0] * len(sums)
        at = next((i for i, (a, b) in enumerate(zip(sums, same_as)) if not abs(a - b) <= invariant.get("within", 1e-9)), None)
        if at is not None and math.isfinite(sums[at]) and math.isfinite(same_as[at]):
            place = f"{'row' if 'row_sums' in invariant['sums'] or 'for' in invariant['sums'] else 'column'} {at}" if len(sums) > 1 else ""
            mine_is, other_is = f"{sums[at] + 0.0:.6g}", f"{same_as[at] + 0.0:.6g}"
            if "same_as" not in invariant:
                values = f"Yours: {place} sums to {mine_is}."
            elif mentioned(derivation, invariant["same_as"]):
                values = f"Yours: {mine_is} and {other_is}" + (f" in {place}." if place else ".")
            else:
                values = f"In {place} yours is {mine_is}, and should be {other_is}."
            found.append((invariant, values))
    return found


def as_twin(mine, twin, right, names):
    """The same numbers; and what is 0 up to rounding is not taken for what nothing was added to."""
    return same(mine, twin, names) and all(any(mine[name]) == any(twin[name]) and all(a == 0 for a, b, c in zip(mine[name], twin[name], right[name]) if b == 0 and not close(c, 0))
                                           for name in names)


def known_mistake(derivation, mine, judged):
    """The mistake whose twin has exactly these gradients."""
    names = list(derivation.gradients)
    for i, mistake in enumerate(derivation.mistakes):
        if as_twin(mine, judged[f"m{i}"], judged["right"], names) and math.isclose(mine.get("difference", [math.nan])[0], judged[f"m{i}"]["difference"][0], rel_tol=1e-4, abs_tol=1e-7):
            return mistake["says"]
    return None


def known_in_part(derivation, mine, judged, wrong, other=None):
    """Mistakes whose twins have some of the wrong gradients: [(what they say, these gradients)]. Each time the one that has most of them, of these the one that
    makes fewest others wrong. One that alone has all of them is none: its twin differs on other numbers. `other`: the student's, where the check has numbers of its own;
    among zeros of the lesson a sign does not show."""
    twins = []
    for i, mistake in enumerate(derivation.mistakes):
        changes = [name for name in derivation.gradients if not same(judged[f"m{i}"], judged["right"], [name])]
        hit = [name for name in wrong if name in changes and as_twin(mine, judged[f"m{i}"], judged["right"], [name])
               and (other is None or as_twin(other, judged[f"n{i}"], judged["numbers"], [name]))]
        if hit and hit != wrong and set(changes) <= set(wrong):
            twins.append((mistake["says"], hit, len(changes)))
    told, left = [], set(wrong)
    while any(left & set(hit) for _, hit, _ in twins):
        words, hit, _ = max(twins, key=lambda twin: (len(left & set(twin[1])), -twin[2]))
        told.append((words, [name for name in hit if name in left]))
        left -= set(hit)
    return told


def wrong_names(derivation, mine, judged):
    return [name for name in derivation.gradients if not same(mine, judged["right"], [name])]


def verdict(derivation, mine, judged, other=None):
    """The known mistakes: [(what they say, their gradients)]."""
    wrong = wrong_names(derivation, mine, judged)
    known = known_mistake(derivation, mine, judged)
    if not known and not any(any(mine[name]) for name in wrong):
        return []  # one of them may be 0 for the sake of another
    return [(known, wrong)] if known else known_in_part(derivation, mine, judged, wrong, other)


def not_written(derivation, other, judged):
    """The wrong numbers that main has put there, by gradient, and whether no other is wrong: {name: (indices, is_all)}. `other` has the student's where the check has numbers of
    its own; there main puts no 0 into a gradient that is written."""
    found = {}
    for name in derivation.gradients if other else []:
        wrong = [i for i, (a, b) in enumerate(zip(other[name], judged["numbers"][name])) if not close(a, b)]
        kept = [i for i in wrong if other[name][i] == judged["empty"][name][i] != 0]
        if kept:
            found[name] = (kept, kept == wrong)
    return found


def told_not_written(derivation, name, kept, right):
    """The sentence about the numbers of a gradient that not_written found."""
    if len(kept) == len(right):
        return f"{name} is not written: it holds what main put there."
    lead = where(derivation, name, kept, right) or place(derivation, name, kept[0]) + " is the first" * (len(kept) > 1)
    return f"Not all of {name} is written. {len(kept)} of {len(right)} numbers hold what main put there: {lead}."


def told_mistake(derivation, mine, judged, known, left=()):
    """The report's last paragraph: which mistake it is, or which ones, or how to look for it. `left` is what not_written found. Where each wrong gradient has its cause
    already, the first of them, if it has a factor."""
    right, wrong = judged["right"], wrong_names(derivation, mine, judged)
    if known and known[0][1] == wrong:
        return ["", *wrapped(f"This is a known mistake: {known[0][0]}", WIDTH)]
    if not known and wrong and rounded(derivation, mine, right):
        return ["", *wrapped("The differences are as small as the rounding of a float: is one of your numbers a float? Here each is a double.", WIDTH)]
    named = [name for _, names in known for name in names] + [name for name in left if left[name][1]]
    told = [line for name in left for line in wrapped(told_not_written(derivation, name, left[name][0], judged["numbers"][name]), WIDTH)]
    told += [line for words, names in known for line in wrapped(f"In {listed(names)} this is a known mistake: {words}", WIDTH)]
    rest = [name for name in wrong if name not in named and not has_cause(derivation, mine[name], right[name])]
    if set(derivation.meet) >= set(rest) and set(rest) < set(wrong):
        rest = []  # what flows into them is wrong already
    if rest and len(known) > 1:
        told += wrapped(f"{listed(rest)}: mend these first, and grade again.", WIDTH)
    elif rest or not wrong and not left:
        told += wrapped(no_known_mistake(derivation, mine, wrong, rest, bool(known)), WIDTH)
    elif not told:
        told = wrapped(only_a_factor(derivation, wrong[0], mine[wrong[0]], right[wrong[0]]), WIDTH)
    return ["", *told] if told else []


def only_a_factor(derivation, name, mine, right):
    """Where to look if all wrong numbers of a gradient have the same factor; "" if they have none."""
    factor = common_factor(mine, right)
    lead = where(derivation, name, [i for i, (a, b) in enumerate(zip(mine, right)) if not close(a, b)], right)
    what = "the sign" if factor and close(factor, -1) else "a factor"
    return f"Begin with {name}{', ' * bool(lead)}{lead}: only {what} is wrong there." if factor else ""


def no_known_mistake(derivation, mine, wrong, rest, in_part):
    """How to look for a mistake that is not known. The gradients stand in the order of the way back, so the first wrong one is nearest to the mistake."""
    fine = [name for name in derivation.gradients if name not in wrong]
    told = f"{'In ' + listed(rest) + ' no' if in_part else 'No'} known mistake gives these numbers, or there are two mistakes at once."
    told += f" {listed(fine)} {'is' if len(fine) == 1 else 'are'} right." if fine and wrong else ""
    begin = next((invariant["begin"] for invariant, _ in broken(derivation, mine) if "begin" in invariant and set(rest) & set(gradients_of(derivation, invariant))), "")
    told += f" Begin with {begin}." if begin else ""
    return told + (f" Take one number{' of ' + rest[0] if rest else ''}, and write down every way by which it reaches the loss. If every way is there, compare the "
                   "factors, and check over which index each sum runs.")


def changed_before(derivation, mine, right):
    """The tensors of the forward pass that the student's file prints otherwise."""
    return [name for name in given_names(derivation, right) if name not in mine or not same(mine, right, [name])]


def numbers_after(changed, derivation, program, when=""):
    """What the student's code prints after `changed`, a method of the derivation."""
    source = program.with_suffix(".cpp")
    source.write_text(changed(derivation.file.read_text(encoding="utf-8")), encoding="utf-8")
    when = when or f"The numbers of the lesson are right. But in a second run{other_sizes(derivation)}, "
    return numbers_of_student(source, program, derivation.functions, when)


def other_sizes(derivation):
    """The sizes of the second run, in words."""
    if not derivation.other_sizes:
        return ""
    old, new = (sizes.strip(", ") for sizes in derivation.other_sizes[0])
    return f" with {new} in place of {old}{derivation.other_words}"


def steps_agree(numbers):
    return numbers.get("difference", [math.nan])[0] < 1e-7


def other_numbers(derivation, mine, right):
    """The lines about the first gradient that is wrong where the check by small steps has numbers of its own."""
    told = (told_gradient(derivation, name, mine[name], right[name]) for name in derivation.gradients)
    return next((lines for lines, is_right in told if not is_right), [])


def second_run(derivation, program, again, right):
    """The lines about code that is right only where two sizes are equal, or only if each gradient begins with 0.
    `again` and `right` are the numbers of the student's second run and of the right one."""
    wrong = [name for name in derivation.gradients if not same(again, right, [name])]
    if not wrong and abs(again["difference"][0] - right["difference"][0]) < 1e-7:
        return says("ok", f"the same in a second run{other_sizes(derivation)}, where the gradients hold other numbers before backward is called")
    error = numbers_after(derivation.with_other_sizes, derivation, program)["difference"][0]
    if not error < 1e-7:
        return says("no", f"The numbers of the lesson are right. But{other_sizes(derivation)}, small steps of each number differ by "
                          f"{error:.2g}. {derivation.other_asks}Over which size does each sum or mean run, which size does each index need, and which one stands under a root?")
    return held(derivation, wrong)


def held(derivation, wrong):
    """The lines about gradients that are wrong if they hold numbers before backward is called."""
    lost, left = ([name for name in wrong if (name in derivation.added) == is_added] for is_added in (True, False))
    told = []
    if lost:
        told += says("no", f"The numbers of the lesson are right. But in a second run {listed(lost)} held other numbers before backward was called, and did not keep "
                           "them. What others have put there must stay: a gradient that is added to is not set to 0, and gets +=.")
    if left:
        told += says("no", f"The numbers of the lesson are right. But in a second run {listed(left)} held other numbers before backward was called, and they count. "
                           "A gradient that is written keeps nothing: set it to 0 first, or use =.")
    return told or says("no", "The numbers of the lesson are right. But in a second run, in which the gradients held other numbers before backward was called, "
                              "small steps do not agree. Does your code keep something from one call to the next?")


def report(derivation, mine, judged, more=(), other=None, slipped=()):
    """The report's lines, and whether all is right. `more` has those of another run, `other` the student's numbers where the check has its own, `slipped` those about the text."""
    right = judged["right"]
    names = list(derivation.gradients)
    missing = [name for name in names if len(mine.get(name, [])) != len(right[name])]
    changed = changed_before(derivation, mine, right)
    if missing or changed or "difference" not in mine:
        what = (changed or missing or ["difference"])[0]
        return says("no", f"{what} is not as plain.cpp prints it: only {derivation.asked} is yours to write. Undo the other change. Or move "
                          "the file away, lay out a new one, and copy your body into it."), False
    known, left = verdict(derivation, mine, judged, other), not_written(derivation, other, judged)
    factors = any(told_factor(derivation, common_factor(mine[name], right[name]) or 0) for name in names)
    lines, passed = [], True
    for name in names:
        told, is_right = told_gradient(derivation, name, mine[name], right[name], [one for _, of in known for one in of], factors)
        lines, passed = lines + told, passed and is_right
    for invariant, values in [] if not known and rounded(derivation, mine, right) else broken(derivation, mine):
        if set(left).isdisjoint(gradients_of(derivation, invariant)):
            lines += says("no", f"{invariant['says']} {values}")
    error = mine["difference"][0]
    if passed and not steps_agree(mine):
        lines += says("no", f"The numbers of the lesson are right. But the check in main has other numbers, and their small steps differ by {error:.2g}.")
    elif passed:
        lines.append(f"ok    small steps of each number give the same gradients (difference {error:.0e})")
    if passed:
        lines += more
    passed = passed and steps_agree(mine)
    if passed and any(line.startswith("no") for line in more):
        return [*lines, *slipped], False
    if not passed:
        lines += slipped or told_mistake(derivation, mine, judged, known, left)
    return lines, passed


def judged(derivation, folder):
    """The report on the student's file, and whether all is right. Both programs are compiled at the same time, in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(2) as pool:
        known = pool.submit(judge, derivation, folder)
        mine = numbers_of_student(derivation.file, folder / "student", derivation.functions)
        again = numbers_after(derivation.second_run, derivation, folder / "second_run") if steps_agree(mine) else None
        right, more, other = known.result(), [], None
    if again:
        more = second_run(derivation, folder / "second_run", again, right["second"])
    elif derivation.other_numbers and not known_mistake(derivation, mine, right):
        lesson_is_right = same(mine, right["right"], derivation.gradients)
        other = numbers_after(derivation.with_other_numbers, derivation, folder / "other_numbers", "" if lesson_is_right else "With other numbers, ")
        more = other_numbers(derivation, other, right["numbers"]) if lesson_is_right else []
    is_right = steps_agree(mine) and not any(line.startswith("no") for line in more)
    return report(derivation, mine, right, more, other, [] if is_right else slips(derivation, derivation.file))
