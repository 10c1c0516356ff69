"""What the report says about code that gives no numbers: it does not compile, does not link, crashes, does not end, throws."""
import re

from task import ROOT, WIDTH, wrapped

FEW = 3  # lines of a message: the rest helps nobody

# What AddressSanitizer's words mean for code on tensors.
CRASHES = {
    "heap-buffer-overflow": "it reads or writes beyond the end of a tensor",
    "use-after-poison": "it uses memory that it may not use: beyond the end of a tensor, or scratch memory after its scope has ended",
    "stack-buffer-overflow": "it reads or writes beyond the end of a local array",
    "global-buffer-overflow": "it reads or writes beyond the end of a constant array",
    "heap-use-after-free": "it uses memory that was given back",
    "stack-overflow": "a function calls itself without an end, or a local array is too large",
    "SEGV": "it reads or writes where no memory is, as with a tensor that is absent",
}
# What the host layer of kernels says, and what it means.
ALL_LANES = "A warp function needs all 32 lanes. A lane that has nothing to do must still call it."
ALL_THREADS = "No thread may return before the last __syncthreads(): test what it writes, not whether it takes part."
KERNEL_STOPS = {
    "waits for a lane that has returned": ALL_LANES,
    "a lane returned while its warp waits": ALL_LANES,
    "a thread returned while others": ALL_THREADS,
    "after some threads of the block have returned": ALL_THREADS,
    "wait at different __syncthreads()": "All threads of a block must come to the same __syncthreads(): it may not stand in a branch that "
                                         "only some take.",
    "meet in different functions": "All lanes of a warp must call the same warp function: it may not stand in a branch of some.",
    "48 KiB of shared memory": "A block has 48 KiB of shared memory: use a smaller tile.",
}


def says(mark, text):
    return wrapped(text, WIDTH, f"{mark:<6}", " " * 6)


def line_of(file, number):
    """The student's line, to be shown below a message."""
    text = file.read_text(encoding="utf-8").split("\n")
    return wrapped(text[number - 1].strip(), WIDTH, f"{number:>9} | ", " " * 9 + " |   ") if 0 < number <= len(text) else []


def cut(lines):
    """The first few lines of a message."""
    return lines if len(lines) <= FEW else lines[:FEW - 1] + [lines[FEW - 1][:WIDTH - 4] + " ..."]


def without_types(message):
    """The message with short names for xtensor's types, which fill many lines."""
    message = re.sub(r" \{aka '[^']*'\}", "", re.sub(r" \[with .*", "", message))
    while True:
        begin = re.search(r"\b(?:const )?xt::[\w:]*<", message)
        if not begin:
            return message.replace("gradus::", "").replace("std::", "")
        depth, end = 1, begin.end()
        while depth and end < len(message):
            depth += {"<": 1, ">": -1}.get(message[end], 0)
            end += 1
        message = message[:begin.start()] + "an array" + re.sub(r"^::\w+", "", message[end:])


def compiler_error(file, words):
    """The first error, at the line of the student's file that causes it."""
    error = re.search(r"^(.*?):(\d+):\d+: (?:fatal )?error: (.*)$", words, re.M)
    message = error[3] if error else words.strip().split("\n")[0]
    inside = [int(number) for number in re.findall(rf"^{re.escape(str(file))}:(\d+):\d+:\s+required from [^h]", words, re.M)]
    lines = re.findall(rf"^(?:In file included from |\s+from )?{re.escape(str(file))}:(\d+)", words, re.M)
    own = inside[:1] or [int(number) for number in lines]
    is_own = error and error[1] == str(file)
    number = int(error[2]) if is_own else own[-1] if own else 0
    told = says("no", "It does not compile. The compiler's first error:")
    told += cut(wrapped(f"{file.name}:{number}: {without_types(message)}" if number else without_types(message), WIDTH, " " * 6, " " * 8))
    told += line_of(file, number)
    if error and not is_own:
        place = error[1].replace(str(ROOT) + "/", "").rsplit("../", 1)[-1]
        told += wrapped(f"The compiler noticed it in {place}:{error[2]}, which this line uses.", WIDTH, " " * 6)
    return told


def linker_error(words):
    missing = re.findall(r"undefined reference to `(.*?)'", words)
    if missing:
        name = missing[0].split("(")[0].split("<")[0].split()[-1].removeprefix("gradus::")
        return says("no", f"It compiles, but {name} is missing: keep its head and the lines 'template void ...' at the end of the file.")
    return says("no", "It compiles, but does not link: " + words.strip().split("\n")[0])


def ended(file, report):
    """A crash, an endless loop, too much memory."""
    if report["ended"] == "time":
        where = in_line(file, report["output"])
        return says("no", f"It did not end: more than 30 seconds of processor time{where[0]}. Look for a loop whose condition never "
                          "becomes false.") + where[1]
    if report["ended"] == "memory":
        return says("no", "It used more than 1.5 GB of memory, and was stopped. Look for an array that grows in a loop, or a wrong size.")
    output = report["output"]
    address = re.search(r"ERROR: AddressSanitizer: ([\w-]+)", output)
    undefined = re.search(r"runtime error: (.*)", output)
    where, line = in_line(file, output)
    if address:
        what = f": {precise(CRASHES[address[1]], output)} ({address[1]})" if address[1] in CRASHES else f": {address[1]}"
    elif undefined:
        what = f": {undefined[1]}"
    else:
        return says("no", f"It ended{where} without an answer, as by exit() or abort(). A function of an exercise returns.") + line
    return says("no", f"It crashed{where}{what}.") + line


def in_line(file, output):
    """Where the program stopped, if what it printed has a line of the student's file: in words, and the line."""
    place = re.search(rf"{re.escape(file.name)}:(\d+)", output)
    return (f" in line {place[1]} of {file.name}", line_of(file, int(place[1]))) if place else ("", [])


def precise(words, output):
    """Which of "reads or writes" it was, and at which end, if AddressSanitizer says so."""
    access = re.search(r"^(READ|WRITE) of size", output, re.M)
    if access:
        words = words.replace("it reads or writes", "it reads" if access[1] == "READ" else "it writes")
    if re.search(r"is located \d+ bytes (?:before|to the left of)", output):
        words = words.replace("beyond the end", "before the beginning")
    return words


def thrown(finding):
    """An error for shapes that fit; of a kernel, what its mistake is."""
    kernel = re.match(r"(.*?): block (.*?), thread (.*?), last barrier", finding["text"])
    if not kernel:
        return says("no", f"{finding['pass'].capitalize()} throws an error for shapes that fit ({finding['case']}): {finding['text']}")
    told = says("no", f"The kernel of {finding['pass']} stopped ({finding['case']}, block {kernel[2]}, thread {kernel[3]}): {kernel[1]}.")
    meaning = next((meaning for words, meaning in KERNEL_STOPS.items() if words in finding["text"]), "")
    return told + (says("", meaning + " On a GPU the kernel could hang or give wrong numbers.") if meaning else [])
